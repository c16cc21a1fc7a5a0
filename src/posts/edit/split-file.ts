import { splitLines } from "../../base/text-changes.ts";
import { splitFrontMatter } from "../read/split-front-matter.ts";

/** A post's file in two parts; joined, they are the file byte for byte. */
export interface FileParts {
  /** Everything before the text: the front matter with its fences, and the blank lines after it. */
  readonly head: string;
  readonly text: string;
  /** Range of the lines between the fences; `undefined` if there is no YAML front matter. */
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

/** The first line ending in a file. */
export function lineEndOf(source: string): string {
  return /\r\n|\n|\r/.exec(source)?.[0] ?? "\n";
}
