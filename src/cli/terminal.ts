import { styleText } from "node:util";
import { Help } from "commander";
import { isCi } from "../base/ci.ts";
import type { ImprintError } from "../base/error.ts";
import type { Logger } from "../base/log.ts";
import type { CliContext, OutputStream } from "./context.ts";
import type { Paint } from "../sync/report/render-text.ts";

const STYLES = { good: "green", bad: "red", warn: "yellow", dim: "dim", strong: "bold" } as const;

/** Colors output on a terminal, except with NO_COLOR or in CI; FORCE_COLOR enables colors anywhere. */
export function paintFor(stream: OutputStream, environment: NodeJS.ProcessEnv): Paint {
  const isForced = environment["FORCE_COLOR"] !== undefined && environment["FORCE_COLOR"] !== "0";
  const isColored = isForced || (isWatched(stream, environment) && !environment["NO_COLOR"]);
  if (!isColored) return (_, text) => text;
  return (style, text) => styleText(STYLES[style], text, { validateStream: false });
}

/** Logs to the error stream, so that `--json` output stays valid. */
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

export function renderError(error: ImprintError, { error: stream, environment }: CliContext): string {
  const { code, title, message, hint, location } = error;
  const [paint, wrap] = [paintFor(stream, environment), wrapFor(stream, environment)];
  const place =
    location === undefined ? "" : `${[location.file, location.line, location.column].filter(Boolean).join(":")}\n  `;
  const lines = message.split("\n").map((line) => wrap(`  ${line}`, "  "));
  const advice = wrap(`  ${paint("strong", hint)}`, "  ");
  return `${paint("bad", title)} ${paint("dim", code)}\n  ${place}${lines.join("\n").trimStart()}\n${advice}\n`;
}

/** Wraps a text at white space to lines of at most `width` columns, not counting color codes. */
export function wrapText(text: string, width: number): readonly string[] {
  return new Help().boxWrap(text, width).split("\n");
}

/** Wraps lines at the width of a terminal and indents continuation lines; doesn't wrap other output. */
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

/** Whether a person is watching the output: on a terminal, and not in CI. */
export function isWatched({ isTTY }: OutputStream, environment: NodeJS.ProcessEnv): boolean {
  return isTTY === true && !isCi(environment);
}

/** Removes control characters and text direction overrides from untrusted text. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, " ");
}
