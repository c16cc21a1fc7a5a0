import { ProblemError } from "../http/problem.ts";

export const DAY_MS = 24 * 60 * 60 * 1000;
export const HOUR_MS = 60 * 60 * 1000;

/** A time range; `undefined` bounds are open. */
export interface TimeRange {
  readonly from: Date | undefined;
  /** Exclusive end. */
  readonly until: Date | undefined;
}

/** Bounds in a request: times, or inclusive days in UTC. */
export interface GivenRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Parses a range. Throws `invalid_range` if it ends before it starts. */
export function parseRange({ from, to }: GivenRange): TimeRange {
  const range = {
    from: from === undefined ? undefined : new Date(from),
    until: to === undefined ? undefined : endOf(to),
  };
  if (range.from !== undefined && range.until !== undefined && range.from >= range.until) {
    throw new ProblemError("invalid_range", { detail: "The range ends before it starts." });
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

/** Parses a range of days, by default the last 30 including today. Throws `invalid_range` if it exceeds 400 days. */
export function parseDayRange({ from, to }: GivenRange, now: Date): DayRange {
  const until = startOfDay(to === undefined ? now : new Date(to)) + DAY_MS;
  const start = from === undefined ? until - DEFAULT_DAYS * DAY_MS : startOfDay(new Date(from));
  if (start >= until) throw new ProblemError("invalid_range", { detail: "The range ends before it starts." });
  if (until - start > MAX_DAYS * DAY_MS) {
    throw new ProblemError("invalid_range", { detail: `The range exceeds ${MAX_DAYS} days.` });
  }
  return { from: start, until };
}

export function startOfDay(time: Date): number {
  return Math.floor(time.getTime() / DAY_MS) * DAY_MS;
}

export function startOfHour(time: Date): number {
  return Math.floor(time.getTime() / HOUR_MS) * HOUR_MS;
}

/** Formats a day as `2026-08-01`. */
export function formatDay(start: number): string {
  return new Date(start).toISOString().slice(0, 10);
}

function endOf(text: string): Date {
  const time = new Date(text).getTime();
  return new Date(text.includes("T") ? time + 1 : time + DAY_MS);
}
