import { diffArrays } from "diff";
import { MEANWHILE, YOURS } from "./conflict-marks.ts";

/** Lines `start` to `end` (exclusive) of a text, and the lines that replace them. */
export interface LineChange {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

// Comparing two texts that have nothing in common would take minutes.
const TIME_LIMIT_MS = 1000;

/** Splits a text into lines, each with its line ending. */
export function splitLines(text: string): readonly string[] {
  return text === "" ? [] : text.split(/(?<=\r\n|\n|\r(?!\n))/);
}

/** Returns the changes that turn one list of lines into the other, from top to bottom. */
export function changesBetween(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  const parts = diffArrays([...before], [...after], { timeout: TIME_LIMIT_MS });
  if (parts === undefined) return [{ start: 0, end: before.length, lines: after }];
  const changes: LineChange[] = [];
  let place = 0;
  let open: LineChange | undefined;
  for (const { added, removed, value } of parts) {
    if (open !== undefined && !added && !removed) {
      changes.push(open);
      open = undefined;
    }
    if (added || removed) open ??= { start: place, end: place, lines: [] };
    if (!added) place += value.length;
    if (open !== undefined) {
      open = { start: open.start, end: place, lines: added ? [...open.lines, ...value] : open.lines };
    }
  }
  return open === undefined ? changes : [...changes, open];
}

/**
 * Restores the author's line endings in a text that was edited in a form, which only has line feeds: an unchanged line
 * keeps its own ending, a new one gets that of the line before it.
 */
export function keepLineEnds(original: string, edited: string): string {
  if (!original.includes("\r")) return edited;
  const before = splitLines(original);
  const plain = before.map((line) => line.replace(/\r\n?$/, "\n"));
  const wanted = edited.replaceAll(/\r\n?/g, "\n");
  const usual = endOf(before.find((line) => endOf(line) !== "") ?? "\n");
  const result: string[] = [];
  let place = 0;
  for (const { start, end, lines } of changesBetween(plain, splitLines(wanted))) {
    result.push(...before.slice(place, start));
    const lineEnd = endOf(result.at(-1) ?? "") || usual;
    result.push(...lines.map((line) => line.replace(/\n$/, () => lineEnd)));
    place = end;
  }
  const text = [...result, ...before.slice(place)].join("");
  // A lone carriage return before a line feed would turn two line endings into one.
  return text.replaceAll(/\r\n?/g, "\n") === wanted ? text : wanted.replaceAll("\n", usual);
}

function endOf(line: string): string {
  return /(?:\r\n|\n|\r)$/.exec(line)?.[0] ?? "";
}

export interface Merged {
  readonly text: string;
  /** Number of places that both changed; the text contains both versions of each between conflict markers. */
  readonly conflicts: number;
}

/** Merges the changes that two people made to the same text. */
export function mergeTexts({
  base,
  mine,
  theirs,
}: {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}): Merged {
  const lines = splitLines(base);
  const own = changesBetween(lines, splitLines(mine));
  const other = changesBetween(lines, splitLines(theirs));
  const result: string[] = [];
  let conflicts = 0;
  let place = 0;
  for (const { start, end } of joinRanges([...own, ...other])) {
    result.push(...lines.slice(place, start));
    place = end;
    const [before, one, two] = [
      lines.slice(start, end).join(""),
      applyWithin(lines, own, { start, end }),
      applyWithin(lines, other, { start, end }),
    ];
    if (one === two || two === before) result.push(one);
    else if (one === before) result.push(two);
    else {
      conflicts += 1;
      result.push(`${YOURS}\n${closed(one)}=======\n${closed(two)}${MEANWHILE}\n`);
    }
  }
  return { text: [...result, ...lines.slice(place)].join(""), conflicts };
}

type Range = Pick<LineChange, "start" | "end">;

/** Sorts ranges and joins those that touch. */
function joinRanges(ranges: readonly Range[]): readonly Range[] {
  const joined: Range[] = [];
  for (const range of ranges.toSorted((one, two) => one.start - two.start || one.end - two.end)) {
    const last = joined.at(-1);
    if (last === undefined || range.start > last.end) joined.push(range);
    else joined.splice(-1, 1, { start: last.start, end: Math.max(last.end, range.end) });
  }
  return joined;
}

function applyWithin(lines: readonly string[], changes: readonly LineChange[], { start, end }: Range): string {
  const result: string[] = [];
  let place = start;
  for (const change of changes) {
    if (change.start < start || change.end > end) continue;
    result.push(...lines.slice(place, change.start), ...change.lines);
    place = change.end;
  }
  return [...result, ...lines.slice(place, end)].join("");
}

function closed(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
