import { isJsonObject } from "../../base/json.ts";

export type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * Returns the first of the named fields that is neither absent nor `null`. Each name also matches other ways to write
 * it: `nextCursor` also finds `next_cursor`, `NextCursor`, and `next-cursor`; `url` also finds `URL`.
 */
export function fieldOf(record: JsonRecord, ...names: readonly string[]): unknown {
  for (const name of names) {
    const value =
      ownField(record, name) ?? ownField(record, snakeCase(name)) ?? unusualNames(record)?.get(name.toLowerCase());
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** Whether one of the named fields is `null`. */
export function isNull(record: JsonRecord, ...names: readonly string[]): boolean {
  const values = (name: string) => [
    ...[record[name], record[snakeCase(name)]],
    unusualNames(record)?.get(name.toLowerCase()),
  ];
  return names.some((name) => values(name).includes(null));
}

/** A name in lower case, without a namespace, hyphens and underscores: `hydra:next` as `next`. */
export function foldName(key: string): string {
  return key
    .replace(/^.*[:.]/, "")
    .replaceAll(/[-_]/g, "")
    .toLowerCase();
}

const unusual = new WeakMap<JsonRecord, ReadonlyMap<string, unknown> | undefined>();

/** The fields of a record by folded names, if it has fields such as `Slug`, `public-url`, or `@odata.nextLink`. */
function unusualNames(record: JsonRecord): ReadonlyMap<string, unknown> | undefined {
  if (unusual.has(record)) return unusual.get(record);
  const isUnusual = Object.keys(record).some((key) => /^[A-Z@]|[-:]/.test(key));
  const names = isUnusual ? new Map(Object.entries(record).map(([key, value]) => [foldName(key), value])) : undefined;
  unusual.set(record, names);
  return names;
}

/** Returns the value of the first named field that can be read. */
export function firstOf<Value>(
  record: JsonRecord,
  names: readonly string[],
  read: (value: unknown) => Value | undefined,
): Value | undefined {
  for (const name of names) {
    const value = read(fieldOf(record, name));
    if (value !== undefined) return value;
  }
  return undefined;
}

export function textOf(record: JsonRecord, ...names: readonly string[]): string | undefined {
  return firstOf(record, names, asText);
}

export function idOf(record: JsonRecord, ...names: readonly string[]): string | undefined {
  return firstOf(record, names, asId);
}

export function countOf(record: JsonRecord, ...names: readonly string[]): number | undefined {
  return firstOf(record, names, asCount);
}

export function dateOf(record: JsonRecord, ...names: readonly string[]): Date | undefined {
  return firstOf(record, names, asDate);
}

/** Returns the records in the first named field that contains a list. */
export function recordsOf(record: JsonRecord, ...names: readonly string[]): readonly JsonRecord[] {
  const list = fieldOf(record, ...names);
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** Reads a non-blank text. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** What hosts call the id of a record. */
export const ID_NAMES = ["id", "_id", "uuid"] as const;

/** Names that hosts use for the envelope of a record or a list. */
export const ENVELOPE_NAMES = ["data", "result", "response", "payload", "_embedded"];

/** Reads an id: a text, a number converted to text, or MongoDB's `{"$oid": …}`. */
export function asId(value: unknown): string | undefined {
  if (isJsonObject(value)) return asText(value["$oid"]);
  if (typeof value === "string" && value !== "") return value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Reads a non-negative integer, or a text of digits. */
export function asCount(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function asFlag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** Returns 64 lowercase hex digits, without a `sha256:` or `sha256-` prefix. Other hashes are ignored. */
export function asHash(value: unknown): string | undefined {
  return /^(?:sha256[:-])?([0-9a-f]{64})$/i.exec(asText(value) ?? "")?.[1]?.toLowerCase();
}

/** Reads an absolute web address. */
export function asWebAddress(value: unknown, base?: string): string | undefined {
  const url = URL.parse(asText(value) ?? "", base);
  return url !== null && asText(value) !== undefined && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

// In seconds, this is the year 5138; in milliseconds, March 1973.
const FIRST_MILLISECONDS = 1e11;

// RFC 9110, 5.6.7, as some frameworks write times in JSON, too.
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Reads a time: ISO 8601 (UTC if it has no zone), an HTTP date, or seconds or milliseconds since 1970. */
export function asDate(value: unknown): Date | undefined {
  if (typeof value === "number") return validDate(value < FIRST_MILLISECONDS ? value * 1000 : value);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (/^\d{9,16}$/.test(text)) return asDate(Number(text));
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) && !HTTP_DATE.test(text)) return undefined;
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

/** `nextCursor` → `next_cursor`. */
export function snakeCase(name: string): string {
  const known = snakeCased.get(name);
  if (known !== undefined) return known;
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  snakeCased.set(name, snake);
  return snake;
}

// The few names that the client looks for are looked for in every response.
const snakeCased = new Map<string, string>();
