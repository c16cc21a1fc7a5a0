import { ProblemError } from "../http/problem.ts";

export const DAY_MS = 24 * 60 * 60 * 1000;
export const HOUR_MS = 60 * 60 * 1000;

/** A span of time; both ends are open where they are `undefined`. */
export interface TimeRange {
  readonly from: Date | undefined;
  /** The first moment after the range. */
  readonly until: Date | undefined;
}

/** Both ends as a request gives them: times, or days in UTC, of which the last belongs to the range. */
export interface GivenRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Reads a range; throws `invalid_range` when it ends before it begins. */
export function parseRange({ from, to }: GivenRange): TimeRange {
  const range = {
    from: from === undefined ? undefined : new Date(from),
    until: to === undefined ? undefined : endOf(to),
  };
  if (range.from !== undefined && range.until !== undefined && range.from >= range.until) {
    throw new ProblemError("invalid_range", { detail: "The range ends before it begins." });
  }
  return range;
}

/** Whole days in UTC. */
export interface DayRange {
  /** Start of the first day, in milliseconds since 1970. */
  readonly from: number;
  /** Start of the day after the last. */
  readonly until: number;
}

const DEFAULT_DAYS = 30;
const MAX_DAYS = 400;

/** Reads a range of days, by default the last 30 with today; throws `invalid_range` for one of more than 400. */
export function parseDayRange({ from, to }: GivenRange, now: Date): DayRange {
  const until = startOfDay(to === undefined ? now : new Date(to)) + DAY_MS;
  const start = from === undefined ? until - DEFAULT_DAYS * DAY_MS : startOfDay(new Date(from));
  if (start >= until) throw new ProblemError("invalid_range", { detail: "The range ends before it begins." });
  if (until - start > MAX_DAYS * DAY_MS) {
    throw new ProblemError("invalid_range", { detail: `A range has at most ${MAX_DAYS} days.` });
  }
  return { from: start, until };
}

export function startOfDay(time: Date): number {
  return Math.floor(time.getTime() / DAY_MS) * DAY_MS;
}

export function startOfHour(time: Date): number {
  return Math.floor(time.getTime() / HOUR_MS) * HOUR_MS;
}

/** A day as `2026-08-01`. */
export function formatDay(start: number): string {
  return new Date(start).toISOString().slice(0, 10);
}

function endOf(text: string): Date {
  const time = new Date(text).getTime();
  return new Date(text.includes("T") ? time + 1 : time + DAY_MS);
}
