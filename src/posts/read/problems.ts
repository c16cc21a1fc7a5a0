import type { ErrorCode } from "../../base/error.ts";

/** A place in a text; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Something that is wrong at a place of one file. */
export interface Problem extends Partial<Position> {
  readonly message: string;
}

/** Why a post is not sent. The other posts go on. */
export interface PostProblem extends Problem {
  readonly code: Extract<ErrorCode, "POST_INVALID" | "POST_SLUG_TAKEN" | "ASSET_MISSING" | "IMAGE_BROKEN">;
  /** Path of the markdown file, relative to the project, with forward slashes. */
  readonly file: string;
}

/** The place of an offset in a text whose line ends are LF. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { line, column: offset - before.lastIndexOf("\n") };
}

/** `ink.md:3:1`, as far as the place is known. */
export function renderPlace({ file, line, column }: Partial<Position> & { readonly file: string }): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}
