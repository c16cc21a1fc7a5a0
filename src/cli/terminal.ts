import { styleText } from "node:util";
import { Help } from "commander";
import { isCi } from "../base/ci.ts";
import type { ImprintError } from "../base/error.ts";
import type { Logger } from "../base/log.ts";
import type { CliContext, OutputStream } from "./context.ts";
import type { Paint } from "../sync/report/render-text.ts";

const STYLES = { good: "green", bad: "red", warn: "yellow", dim: "dim", strong: "bold" } as const;

/** Colors on a terminal, unless NO_COLOR is set or a CI runs; FORCE_COLOR colors anywhere. */
export function paintFor(stream: OutputStream, environment: NodeJS.ProcessEnv): Paint {
  const isForced = environment["FORCE_COLOR"] !== undefined && environment["FORCE_COLOR"] !== "0";
  const isColored = isForced || (isWatched(stream, environment) && !environment["NO_COLOR"]);
  if (!isColored) return (_, text) => text;
  return (style, text) => styleText(STYLES[style], text, { validateStream: false });
}

/** Warnings and errors go to the error stream, so that `--json` output stays whole. */
export function createCliLogger({ error, environment }: CliContext): Logger {
  const paint = paintFor(error, environment);
  const isVerbose = Boolean(environment["IMPRINT_DEBUG"]);
  return {
    info: (message) => void error.write(`${message}\n`),
    warn: (message) => void error.write(`${paint("warn", "!")} ${message}\n`),
    error: (message) => void error.write(`${paint("bad", "x")} ${message}\n`),
    debug: (message) => void (isVerbose && error.write(`${paint("dim", message)}\n`)),
  };
}

/** An error as a person reads it: what it is, what happened to what, and what to do. */
export function renderError(error: ImprintError, { error: stream, environment }: CliContext): string {
  const { code, title, message, hint, location } = error;
  const [paint, wrap] = [paintFor(stream, environment), wrapFor(stream, environment)];
  const place =
    location === undefined ? "" : `${[location.file, location.line, location.column].filter(Boolean).join(":")}\n  `;
  const lines = message.split("\n").map((line) => wrap(`  ${line}`, "  "));
  const advice = wrap(`  ${paint("strong", hint)}`, "  ");
  return `${paint("bad", title)} ${paint("dim", code)}\n  ${place}${lines.join("\n").trimStart()}\n${advice}\n`;
}

/** Breaks a text at white space into lines of at most `width` columns; colors take none. */
export function wrapText(text: string, width: number): readonly string[] {
  return new Help().boxWrap(text, width).split("\n");
}

/** Breaks lines at the width of a terminal, with an indent before what hangs over; elsewhere lines stay whole. */
export function wrapFor(
  stream: OutputStream,
  environment: NodeJS.ProcessEnv = {},
): (line: string, indent: string) => string {
  if (!isWatched(stream, environment)) return (line) => line;
  const { columns = 80 } = stream;
  return (line, indent) => {
    const [lead = ""] = /^ */.exec(line) ?? [];
    const [first = "", ...rest] = wrapText(line.slice(lead.length), columns - indent.length);
    return [lead + first, ...rest.map((more) => indent + more)].join("\n");
  };
}

/** Whether a person watches the output as it comes: a terminal that is not one of a CI. */
export function isWatched({ isTTY }: OutputStream, environment: NodeJS.ProcessEnv): boolean {
  return isTTY === true && !isCi(environment);
}

/** A text of a stranger without what could steer the terminal or turn its direction. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, " ");
}
