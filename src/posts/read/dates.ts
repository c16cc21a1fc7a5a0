/** Result of parsing a date: a moment, or why the text isn't a date. */
export type ParsedDate =
  | { readonly kind: "date"; readonly date: Date }
  | { readonly kind: "refused"; readonly message: string };

interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** Minutes east of UTC; `undefined` if the text has no zone. */
  readonly offset: number | undefined;
}

const ZONE = String.raw`(?:Z|UTC|UT|GMT|(?:UTC|GMT)?(?<sign>[+-])(?<offsetHour>\d{1,2}?)(?::?(?<offsetMinute>[0-5]\d))?)`;
const TIME = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?(?<zone>\s*${ZONE})?(?:\s+\([^()]*\))?`;
const WEEKDAY = String.raw`(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+)?`;
const MONTH = String.raw`(?<monthName>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`;
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`;
const YEAR = String.raw`(?<year>\d{4})`;

/** Date formats found in real posts. Ambiguous numeric dates (`01/02/2024`) are excluded. */
const SHAPES: readonly RegExp[] = [
  // 2024-01-02, 2024/1/2, 2024-01-02T10:00:00Z, 2024-01-02 10:00 +0800
  String.raw`${YEAR}(?<separator>[-/])(?<month>\d{1,2})\k<separator>(?<day>\d{1,2})(?:(?:T|\s+)${TIME})?`,
  // Jul 08 2022, July 8th, 2022 10:00, Sat Jan 01 2022 00:00:00 GMT+0000 (Coordinated Universal Time)
  String.raw`${WEEKDAY}${MONTH}\s+${DAY},?\s+${YEAR}(?:,?\s+${TIME})?`,
  // 8 July 2022, Sat, 01 Jan 2022 00:00:00 +0000
  String.raw`${WEEKDAY}${DAY}\s+${MONTH},?\s+${YEAR}(?:,?\s+${TIME})?`,
].map((source) => new RegExp(`^${source}$`, "i"));

const MONTH_NAMES = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const FIRST_YEAR = 1900;
const LAST_YEAR = 2200;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Parses a date text: its own offset takes precedence over the IANA time zone. A text without a time means the start of
 * that day. Only unambiguous texts are accepted, and no date is rolled over.
 */
export function parseDate(text: string, timeZone: string): ParsedDate {
  const trimmed = text.trim();
  const parts = readParts(trimmed);
  if (parts === undefined) return { kind: "refused", message: adviceFor(trimmed) };
  const fault = faultOf(parts);
  if (fault !== undefined) return { kind: "refused", message: `"${trimmed}" is not a valid date: ${fault}.` };
  const wall = wallTimeOf(parts);
  const moment = parts.offset === undefined ? momentIn(wall, timeZone) : wall - parts.offset * MINUTE_MS;
  return { kind: "date", date: new Date(moment) };
}

/** Whether the runtime knows a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function readParts(text: string): DateParts | undefined {
  for (const shape of SHAPES) {
    const groups = shape.exec(text)?.groups;
    if (groups === undefined) continue;
    const { month, monthName = "", fraction = "" } = groups;
    const number = (name: string): number => Number(groups[name] ?? 0);
    return {
      year: number("year"),
      month: month === undefined ? MONTH_NAMES.indexOf(monthName.toLowerCase()) + 1 : Number(month),
      day: number("day"),
      hour: number("hour"),
      minute: number("minute"),
      second: number("second"),
      millisecond: Number(fraction.padEnd(3, "0").slice(0, 3)),
      offset: groups["zone"] === undefined ? undefined : offsetOf(groups),
    };
  }
  return undefined;
}

function offsetOf(groups: Record<string, string | undefined>): number {
  const minutes = Number(groups["offsetHour"] ?? 0) * 60 + Number(groups["offsetMinute"] ?? 0);
  return groups["sign"] === "-" ? -minutes : minutes;
}

function faultOf({ year, month, day, hour, minute, second, offset = 0 }: DateParts): string | undefined {
  if (year < FIRST_YEAR || year > LAST_YEAR) return `the year is not between ${FIRST_YEAR} and ${LAST_YEAR}`;
  if (month < 1 || month > 12) return `there is no month ${month}`;
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (day < 1 || day > days) return `that month has ${days} days`;
  if (hour > 23 || minute > 59 || second > 59) return "there is no such time of day";
  if (Math.abs(offset) > 14 * 60) return "there is no such offset from UTC";
  return undefined;
}

function adviceFor(text: string): string {
  if (/\{\{|<%/.test(text)) return `"${text}" is a template that was never filled in. Write the date as 2024-01-31.`;
  return `"${text}" can't be read as a date. Write it as 2024-01-31 or 2024-01-31T18:00:00+02:00.`;
}

function wallTimeOf({ year, month, day, hour, minute, second, millisecond }: DateParts): number {
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
}

/**
 * The moment at which clocks in a zone show a time. A time that occurs twice when clocks are set back means the first;
 * a time skipped when they are set forward is read as if they hadn't been, as in `Temporal` ("compatible").
 */
function momentIn(wall: number, timeZone: string): number {
  const before = wall - offsetAt(wall - DAY_MS, timeZone);
  const after = wall - offsetAt(wall + DAY_MS, timeZone);
  const moments = [before, after].filter((moment) => moment + offsetAt(moment, timeZone) === wall);
  return moments.length === 0 ? before : Math.min(...moments);
}

/** Offset of a zone from UTC at a moment, in milliseconds. */
function offsetAt(moment: number, timeZone: string): number {
  const parts = new Map(
    formatFor(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const wall = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return wall - Math.floor(moment / 1000) * 1000;
}

// Creating a formatter takes a hundred times as long as using it.
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(timeZone, format);
  return format;
}
