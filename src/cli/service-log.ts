import type { LogFields, Logger } from "../base/log.ts";
import type { CliContext, OutputStream } from "./context.ts";
import type { Paint } from "../sync/report/render-text.ts";
import { printable, paintFor } from "./terminal.ts";

/** How `imprint serve` logs what happens. */
export interface ServiceLogOptions {
  /** `json`: one object per line, for machines. `text`: for people. */
  readonly format: "json" | "text";
  /** The lowest level to log. */
  readonly level: LogLevel;
  readonly now: () => Date;
}

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Logs to the error stream, so that `--json` output stays valid. */
export function createServiceLogger(context: CliContext, { format, level: least, now }: ServiceLogOptions): Logger {
  const render = format === "json" ? formatJsonLine : createTextRenderer(context);
  const log = (level: LogLevel) => (message: string, fields?: LogFields) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return;
    context.error.write(`${render({ time: now(), level, message, fields })}\n`);
  };
  return { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") };
}

interface Line {
  readonly time: Date;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields | undefined;
}

function formatJsonLine({ time, level, message, fields }: Line): string {
  return JSON.stringify({ time: time.toISOString(), level, message, ...fields });
}

const STYLES = { debug: "dim", info: "good", warn: "warn", error: "bad" } as const;

function createTextRenderer({ error, environment }: CliContext): (line: Line) => string {
  const paint = paintFor(error, environment);
  return ({ time, level, message, fields }) => {
    const clock = paint("dim", renderTime(time, error));
    if (fields?.["event"] !== "request")
      return `${clock} ${paint(STYLES[level], level.padEnd(5))} ${printable(message)}`;
    return `${clock} ${renderRequest(fields, { paint, isError: level === "error" })}`;
  };
}

/** The local time for a person at a terminal, with the date unless it is today's; otherwise in UTC. */
export function renderTime(time: Date, { isTTY }: Pick<OutputStream, "isTTY">): string {
  if (isTTY !== true) return time.toISOString();
  const clock = time.toTimeString().slice(0, 8);
  return time.toDateString() === new Date().toDateString() ? clock : `${time.toDateString().slice(4, 10)} ${clock}`;
}

/** A request and its result, without the time. */
export function renderRequest(
  { method, path, operation, status, ms, problem, requestId }: LogFields,
  { paint, isError }: { readonly paint: Paint; readonly isError: boolean },
): string {
  // All MCP tools share one path.
  const tool = String(operation).startsWith("mcp:") ? ` ${String(operation)}` : "";
  const refused = problem === undefined ? "" : ` ${String(problem)}`;
  // The ID identifies the log line with the reason, so it only matters for errors.
  const trace = isError ? ` ${String(requestId)}` : "";
  const style = isError ? "bad" : Number(status) >= 400 ? "warn" : "good";
  const answer = paint(style, status === 0 ? "---" : String(status));
  return `${answer} ${String(method).padEnd(6)} ${printable(String(path) + tool)}${paint("dim", ` ${String(ms)} ms${refused}${trace}`)}`;
}
