/** Puts `text` in place of the characters from `start` up to `end`; where both are the same it is put in between. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Applies edits to a text; every other character stays as it is.
 *
 * Edits may come in any order. What is put in at one place stays in the order given. Of two edits that replace the
 * same place the first counts, and an edit inside a replaced place is dropped: the parser copies formatting elements
 * such as an unclosed `<a>`, and all copies stand at one place of the source.
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

/** The line of a place in a text, counted from 1. */
export type FindLine = (place: number) => number;

/**
 * Finds lines of a text when somebody asks for them. Goes on from the place asked for last, so that asking for places
 * in their order reads the text once.
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
