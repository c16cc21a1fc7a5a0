/** Replaces the characters from `start` to `end` (exclusive) with `text`; if both are equal, inserts it. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Applies edits to a text; every other character is kept.
 *
 * Edits may be in any order. Insertions at the same position keep the given order. Of two edits that replace the same
 * range, the first wins, and an edit inside a replaced range is dropped: the parser copies formatting elements such as
 * an unclosed `<a>`, and all copies have the same source range.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  const pieces: string[] = [];
  let position = 0;
  for (const edit of edits.toSorted(byPlace)) {
    if (edit.start < position) continue;
    pieces.push(text.slice(position, edit.start), edit.text);
    position = edit.end;
  }
  pieces.push(text.slice(position));
  return pieces.join("");
}

function byPlace(one: Edit, other: Edit): number {
  return one.start - other.start || Number(one.end > one.start) - Number(other.end > other.start);
}

/** Returns the 1-based line of a position in a text. */
export type FindLine = (place: number) => number;

/**
 * Creates a function that finds lines lazily. It continues from the last position, so looking up positions in order
 * reads the text once.
 */
export function createLineFinder(text: string): FindLine {
  let line = 1;
  let counted = 0;
  return (place) => {
    if (place < counted) {
      line = 1;
      counted = 0;
    }
    const breaks = /\r\n?|\n/g;
    breaks.lastIndex = counted;
    for (let found = breaks.exec(text); found !== null && found.index < place; found = breaks.exec(text)) {
      line += 1;
      counted = breaks.lastIndex;
    }
    return line;
  };
}
