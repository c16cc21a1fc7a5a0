import type { ErrorCode } from "../../base/error.ts";

/** A position in a text; both values are 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A problem at a position in a file. */
export interface Problem extends Partial<Position> {
  readonly message: string;
}

/** Why a post isn't sent. The others are still sent. */
export interface PostProblem extends Problem {
  readonly code: Extract<ErrorCode, "POST_INVALID" | "POST_SLUG_TAKEN" | "ASSET_MISSING" | "IMAGE_BROKEN">;
  /** Path of the Markdown file, relative to the project, with forward slashes. */
  readonly file: string;
}

/** The position of an offset in a text with LF line endings. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { line, column: offset - before.lastIndexOf("\n") };
}

/** `ink.md:3:1`, with the parts that are known. */
export function renderPlace({ file, line, column }: Partial<Position> & { readonly file: string }): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}
