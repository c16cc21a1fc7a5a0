import { Help } from "commander";
import type { OutputStream } from "./context.ts";
import { isWatched } from "./watched.ts";

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
