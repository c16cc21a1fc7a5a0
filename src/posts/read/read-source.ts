import { isUtf8 } from "node:buffer";
import { lstat, readFile } from "node:fs/promises";
import { systemCodeOf } from "../../base/error.ts";
import type { Problem } from "./problems.ts";

export type ReadSource =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "refused"; readonly problem: Problem };

const MEBIBYTE = 1024 * 1024;
const MAX_FILE_BYTES = 5 * MEBIBYTE;
const LINE_END = 0x0a;

/** Reads a Markdown file, or returns why it can't be read as one. Links aren't followed. */
export async function readSource(path: string): Promise<ReadSource> {
  try {
    const status = await lstat(path);
    if (!status.isFile()) return refused("This is not a file.");
    if (status.size > MAX_FILE_BYTES) {
      return refused(
        `The file has ${Math.ceil(status.size / MEBIBYTE)} MB; at most ${MAX_FILE_BYTES / MEBIBYTE} MB are read.`,
      );
    }
    return decode(await readFile(path));
  } catch (error) {
    return refused(`The file can't be read (${systemCodeOf(error) ?? "unknown reason"}).`);
  }
}

function decode(bytes: Buffer): ReadSource {
  if (isUtf8(bytes)) return { kind: "text", text: bytes.toString("utf8") };
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return refused("The file is UTF-16. Save it as UTF-8.", { line: 1, column: 1 });
  }
  return refused("The file isn't valid UTF-8 here. Save it as UTF-8.", firstBadLine(bytes));
}

function firstBadLine(bytes: Buffer): Pick<Problem, "line" | "column"> {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(LINE_END, start);
    const content = bytes.subarray(start, end === -1 ? bytes.length : end);
    if (!isUtf8(content)) return { line, column: firstBadColumn(content) };
    start = end === -1 ? bytes.length : end + 1;
  }
  return {};
}

/** Column, in characters, of the first byte that isn't valid UTF-8. */
function firstBadColumn(content: Buffer): number {
  let good = 0;
  for (let end = 1; end <= content.length && end - good <= 4; end += 1) {
    if (isUtf8(content.subarray(good, end))) good = end;
  }
  return content.toString("utf8", 0, good).length + 1;
}

function refused(message: string, position: Pick<Problem, "line" | "column"> = {}): ReadSource {
  return { kind: "refused", problem: { ...position, message } };
}
