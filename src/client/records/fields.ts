export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The first of the named fields that is neither absent nor `null`. A name stands for itself and for its snake_case
 * form: `nextCursor` also finds `next_cursor`.
 */
export function fieldOf(record: JsonRecord, ...names: readonly string[]): unknown {
  for (const name of names) {
    const value = ownField(record, name) ?? ownField(record, snakeCase(name));
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** The first of the named fields that is a text with something in it. */
export function textOf(record: JsonRecord, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fieldOf(record, name);
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
}

/** An id: a text, or a number as text. */
export function idOf(record: JsonRecord, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fieldOf(record, name);
    if (typeof value === "string" && value !== "") return value;
    if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  }
  return undefined;
}

/** The first of the named fields that is a number of zero or more, or a text of digits. */
export function countOf(record: JsonRecord, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = fieldOf(record, name);
    const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0) return number;
  }
  return undefined;
}

/** 64 hexadecimal digits, in lower case; a prefix `sha256:` or `sha256-` is taken off. Other hashes are left out. */
export function hashOf(record: JsonRecord, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const match = /^(?:sha256[:-])?([0-9a-f]{64})$/i.exec(textOf(record, name) ?? "");
    if (match?.[1] !== undefined) return match[1].toLowerCase();
  }
  return undefined;
}

/** A time: ISO 8601 (UTC where it names no zone), or seconds or milliseconds since 1970. */
export function dateOf(record: JsonRecord, ...names: readonly string[]): Date | undefined {
  for (const name of names) {
    const date = parseDate(fieldOf(record, name));
    if (date !== undefined) return date;
  }
  return undefined;
}

// Seconds reach this in the year 5138, milliseconds reached it in March 1973.
const FIRST_MILLISECONDS = 1e11;

function parseDate(value: unknown): Date | undefined {
  if (typeof value === "number") return validDate(value < FIRST_MILLISECONDS ? value * 1000 : value);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (/^\d{9,16}$/.test(text)) return parseDate(Number(text));
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  const local = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/.exec(text);
  return validDate(Date.parse(local === null ? text : `${local[1]}T${local[2]}Z`));
}

function validDate(time: number): Date | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function ownField(record: JsonRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
