import { splitLines } from "../../base/text-changes.ts";
import { splitFrontMatter } from "../read/split-front-matter.ts";

/** A post's file in two parts, which are the file to the byte when they are put together. */
export interface FileParts {
  /** Up to where the text starts: the front matter with its fences, and the blank lines below it. */
  readonly head: string;
  readonly text: string;
  /** Where the lines between the fences stand; `undefined` where there is no front matter in YAML. */
  readonly block: { readonly start: number; readonly end: number } | undefined;
}

export function splitFile(source: string): FileParts {
  const split = splitFrontMatter(source);
  if (split.kind !== "front-matter" || split.language !== "yaml") {
    const mark = source.startsWith("\uFEFF") ? 1 : 0;
    return { head: source.slice(0, mark), text: source.slice(mark), block: undefined };
  }
  const lines = splitLines(source);
  const lengthOf = (count: number) => lines.slice(0, count).join("").length;
  const blank = lines.slice(split.bodyLine - 1).findIndex((line) => line.trim() !== "");
  const start = lengthOf(blank === -1 ? lines.length : split.bodyLine - 1 + blank);
  return {
    head: source.slice(0, start),
    text: source.slice(start),
    block: { start: lengthOf(split.blockLine - 1), end: lengthOf(split.bodyLine - 2) },
  };
}

/** The line end that a file uses first. */
export function lineEndOf(source: string): string {
  return /\r\n|\n|\r/.exec(source)?.[0] ?? "\n";
}
