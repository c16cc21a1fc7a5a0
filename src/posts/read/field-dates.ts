import { parseDate, type ParsedDate } from "./dates.ts";
import { spreadEntries, type FieldContext, type Entry } from "./field-keys.ts";
import { isSwitchText, textOf } from "./field-values.ts";
import { DATE_KEYS, looksLikePublishingDate, nameOfKey, WAITING_KEYS } from "./not-yet.ts";

/** The date of a field; reports a text that is none. */
export function readDate(context: FieldContext, field: "date" | "expires"): Date | undefined {
  // `published: true` is a switch; the date then stands under another key.
  const entry = context.entries(field).find(({ value }) => !isSwitchText(value));
  if (entry === undefined) return undefined;
  const parsed = parseValue(entry, context);
  if (parsed?.kind === "date") return parsed.date;
  const fault = parsed === undefined ? " has to be a date such as 2024-01-31." : `: ${parsed.message}`;
  context.report(entry.key, `"${entry.key}"${fault}`);
  return undefined;
}

const SHOWN_DATES: ReadonlySet<string> = new Set(DATE_KEYS);
const WAITING: ReadonlySet<string> = new Set(WAITING_KEYS);

/**
 * The latest of all dates that say when a post may be published, also below `params` and `extra`. A text under such a
 * key that can't be read is a doubt: it may mean a day to come.
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

/** Whether what can't be read under a key may be a day to come. */
function mayWait(
  key: string,
  { shown, settings }: { readonly shown: string | undefined; readonly settings: FieldContext["settings"] },
): boolean {
  const name = nameOfKey(key);
  // What is wrong with the date that the post shows is reported where that is read.
  if (key === shown) return false;
  return WAITING.has(name) || (SHOWN_DATES.has(name) && settings.fields.date === undefined);
}

function unreadable({ key, value }: Entry): string {
  const start = `"${key}" is "${textOf(value) ?? "a list"}", which can't be read as the date from which the post is published.`;
  return `${start} Write it as 2024-01-31, or set \`posts.fields: { ignore: ["${key}"] }\` if it has another meaning.`;
}

/** `undefined` for what is neither a text nor a date. */
function parseValue({ key, value }: Entry, { frontMatter, settings }: FieldContext): ParsedDate | undefined {
  // smol-toml rolls impossible dates over, so that only the text shows what was written.
  const text = value instanceof Date ? frontMatter.rawValueOf(key.slice(key.lastIndexOf(".") + 1)) : textOf(value);
  if (text !== undefined) return parseDate(text, settings.timezone);
  // A schema or a loader made a date of something else.
  return value instanceof Date ? { kind: "date", date: value } : undefined;
}
