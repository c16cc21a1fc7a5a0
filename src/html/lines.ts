/** Tells the line, counted from 1, in which a place of a text stands. */
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
