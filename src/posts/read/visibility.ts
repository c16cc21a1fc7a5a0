import { spreadEntries, type FieldContext, type Entry } from "./field-keys.ts";
import { isSwitchText, textOf } from "./field-values.ts";
import {
  HIDING_KEYS,
  looksLikeCount,
  looksLikeStatus,
  looksLikeSwitch,
  nameOfKey,
  PARTLY_HIDING_KEYS,
  PURE_SWITCH_KEYS,
  SHOWING_KEYS,
  STATUS_KEYS,
  verdictOf,
  WAITING_KEYS,
} from "./not-yet.ts";

/** What one key indicates about its post. */
type Verdict =
  | { readonly kind: "hidden" | "shown" }
  /** Only the author can decide: the post is on hold. */
  | { readonly kind: "unclear"; readonly message: string }
  | { readonly kind: "wrong"; readonly message: string };

const HIDDEN: Verdict = { kind: "hidden" };
const SHOWN: Verdict = { kind: "shown" };

/**
 * Whether any key hides a post, including those below `params` and `extra`. A boolean key that is neither `true` nor
 * `false` is a problem: tools disagree about `draft: "false"` and `draft: no`, and publishing can't be undone. An
 * unknown key that looks like a switch is a doubt.
 */
export function readVisibility(context: FieldContext): "hidden" | "shown" {
  const { settings, entries, report, doubt } = context;
  let isHidden = entries("permalink")[0]?.value === false;
  for (const entry of spreadEntries(context)) {
    const verdict = judge(entry, settings);
    if (verdict.kind === "hidden") isHidden = true;
    else if (verdict.kind === "wrong") report(entry.key, verdict.message);
    else if (verdict.kind === "unclear") doubt(entry.key, verdict.message);
  }
  return isHidden ? "hidden" : "shown";
}

const HIDING: ReadonlySet<string> = new Set(HIDING_KEYS);
const SHOWING: ReadonlySet<string> = new Set(SHOWING_KEYS);
const STATUS: ReadonlySet<string> = new Set(STATUS_KEYS);
const WAITING: ReadonlySet<string> = new Set(WAITING_KEYS);

function judge(entry: Entry, settings: FieldContext["settings"]): Verdict {
  const { fields, statuses } = settings;
  const name = nameOfKey(entry.key);
  const isOwn = entry.key === fields.draft || entry.key === fields.published;
  const isPure = isOwn || PURE_SWITCH_KEYS.has(name);
  if (HIDING.has(name) || entry.key === fields.draft) return evaluateSwitch(entry, { hiddenWhen: true, isPure });
  if (entry.key === fields.published) return evaluateSwitch(entry, { hiddenWhen: false, isPure });
  if (SHOWING.has(name)) return evaluateSwitch(entry, { hiddenWhen: false, isPure });
  if (STATUS.has(name) || entry.key === fields.status) return evaluateStatus(entry, statuses);
  if (PARTLY_HIDING_KEYS.has(name)) return evaluatePartly(entry, { isDate: WAITING.has(name) });
  return evaluateUnknown(entry, { name, statuses });
}

function evaluateSwitch(
  entry: Entry,
  { hiddenWhen, isPure }: { readonly hiddenWhen: boolean; readonly isPure: boolean },
): Verdict {
  const { key, value } = entry;
  if (typeof value === "boolean") return value === hiddenWhen ? HIDDEN : SHOWN;
  const text = textOf(value);
  if (isPure || isSwitchText(value)) {
    const message = `"${key}" must be true or false, without quotes; "${text ?? "a list"}" is neither.`;
    return { kind: "wrong", message };
  }
  // In Hugo and Wyam, `published` is a date, which the field `date` reads.
  if (text === undefined || nameOfKey(key) === "published") return SHOWN;
  return unknown(entry);
}

function evaluateStatus({ key, value }: Entry, statuses: FieldContext["settings"]["statuses"]): Verdict {
  const word = textOf(value) ?? "";
  const verdict = typeof value === "string" ? verdictOf(word, statuses) : undefined;
  if (verdict !== undefined) return verdict === "hidden" ? HIDDEN : SHOWN;
  const ignore = `Set \`posts.fields: { ignore: ["${key}"] }\` if it has another meaning.`;
  if (word === "") return { kind: "unclear", message: `"${key}" must be a word such as "published". ${ignore}` };
  const map = `Set \`posts.statuses: { "${word}": "shown" }\` or \`"hidden"\`.`;
  return {
    kind: "unclear",
    message: `"${key}" is "${word}", and imprint doesn't know what that means. ${map} ${ignore}`,
  };
}

/** A key that hides a post from part of the site, or one that schedules it but isn't a date. */
function evaluatePartly(entry: Entry, { isDate }: { readonly isDate: boolean }): Verdict {
  const { value } = entry;
  const isOpen = value === false || textOf(value) === undefined || (isDate && !isSwitchText(value));
  return isOpen ? SHOWN : unknown(entry);
}

/** A key that is in no table. */
function evaluateUnknown(
  entry: Entry,
  { name, statuses }: { readonly name: string; readonly statuses: FieldContext["settings"]["statuses"] },
): Verdict {
  const { value } = entry;
  const isCount = /^\d+$/.test(textOf(value) ?? "") && looksLikeCount(name);
  if (looksLikeSwitch(name) && isSwitchText(value) && !isCount) return unknown(entry);
  const isHiddenWord = typeof value === "string" && verdictOf(value, statuses) === "hidden";
  return isHiddenWord && looksLikeStatus(name) ? unknown(entry) : SHOWN;
}

function unknown({ key, value }: Entry): Verdict {
  const map = `Set \`posts.fields: { draft: "${key}" }\` if true hides a post, or \`{ published: "${key}" }\` if true shows it.`;
  const ignore = `Set \`posts.fields: { ignore: ["${key}"] }\` if it has another meaning.`;
  const start = `"${key}" is "${textOf(value) ?? ""}" and may hide the post, but imprint doesn't know this key.`;
  return { kind: "unclear", message: `${start} ${map} ${ignore}` };
}
