import { parseDate, type ParsedDate } from "./dates.ts";
import { spreadEntries, type FieldContext, type Entry } from "./field-keys.ts";
import { isSwitchText, textOf } from "./field-values.ts";
import { DATE_KEYS, looksLikePublishingDate, nameOfKey, WAITING_KEYS } from "./not-yet.ts";

/** Reads the date of a field; reports a text that isn't one. */
export function readDate(context: FieldContext, field: "date" | "expires"): Date | undefined {
  // `published: true` is a boolean; the date is then under another key.
  const entry = context.entries(field).find(({ value }) => !isSwitchText(value));
  if (entry === undefined) return undefined;
  const parsed = parseValue(entry, context);
  if (parsed?.kind === "date") return parsed.date;
  const fault = parsed === undefined ? " must be a date such as 2024-01-31." : `: ${parsed.message}`;
  context.report(entry.key, `"${entry.key}"${fault}`);
  return undefined;
}

const SHOWN_DATES: ReadonlySet<string> = new Set(DATE_KEYS);
const WAITING: ReadonlySet<string> = new Set(WAITING_KEYS);

/**
 * The latest of all dates from which a post may be published, including those below `params` and `extra`. An unreadable
 * text under such a key is a doubt, since it may be a future date.
 */
export function readWaiting(context: FieldContext): Date | undefined {
  const { settings, entries, doubt } = context;
  const shown = entries("date").find(({ value }) => !isSwitchText(value))?.key;
  const moments: number[] = [];
  for (const entry of spreadEntries(context)) {
    const name = nameOfKey(entry.key);
    const isDate = SHOWN_DATES.has(name) || WAITING.has(name) || entry.key === shown || looksLikePublishingDate(name);
    if (!isDate || isSwitchText(entry.value)) continue;
    const parsed = parseValue(entry, context);
    if (parsed?.kind === "date") moments.push(parsed.date.getTime());
    else if (mayWait(entry.key, { shown, settings })) doubt(entry.key, unreadable(entry));
  }
  return moments.length === 0 ? undefined : new Date(Math.max(...moments));
}

/** Whether an unreadable value under a key may be a future date. */
function mayWait(
  key: string,
  { shown, settings }: { readonly shown: string | undefined; readonly settings: FieldContext["settings"] },
): boolean {
  const name = nameOfKey(key);
  // Problems with the date that the post shows are reported where it is read.
  if (key === shown) return false;
  return WAITING.has(name) || (SHOWN_DATES.has(name) && settings.fields.date === undefined);
}

function unreadable({ key, value }: Entry): string {
  const start = `"${key}" is "${textOf(value) ?? "a list"}", which can't be read as a publication date.`;
  return `${start} Write it as 2024-01-31, or set \`posts.fields: { ignore: ["${key}"] }\` if it has another meaning.`;
}

/** `undefined` for anything but text or a date. */
function parseValue({ key, value }: Entry, { frontMatter, settings }: FieldContext): ParsedDate | undefined {
  // smol-toml rolls impossible dates over, so only the text shows what was written.
  const text = value instanceof Date ? frontMatter.rawValueOf(key.slice(key.lastIndexOf(".") + 1)) : textOf(value);
  if (text !== undefined) return parseDate(text, settings.timezone);
  // A schema or a loader turned something else into a date.
  return value instanceof Date ? { kind: "date", date: value } : undefined;
}
