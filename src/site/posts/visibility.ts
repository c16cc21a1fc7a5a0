import type { FieldContext } from "./field-context.ts";
import { textOf } from "./field-values.ts";

/**
 * Whether a post is hidden by `draft: true`, `published: false`, `publish: false`, `status: draft` or
 * `permalink: false`. A switch that is neither `true` nor `false` is a problem: `draft: "false"` or `draft: no` is
 * read in one way by some tools and in the other way by others, and a post can't be taken back.
 */
export function readVisibility(context: FieldContext): "hidden" | "shown" {
  const isHidden = [
    readSwitch(context, "draft") === true,
    readSwitch(context, "published") === false,
    isHiddenStatus(context),
    context.entries("permalink")[0]?.value === false,
  ];
  return isHidden.includes(true) ? "hidden" : "shown";
}

const SWITCH_TEXTS = new Set(["true", "false", "yes", "no", "on", "off", "y", "n", "0", "1"]);

/** Whether a value was meant as a switch, be it written wrongly. */
export function isSwitchText(value: unknown): boolean {
  return SWITCH_TEXTS.has(textOf(value)?.toLowerCase() ?? "");
}

function readSwitch({ entries, report }: FieldContext, field: "draft" | "published"): boolean | undefined {
  for (const { key, value } of entries(field)) {
    if (typeof value === "boolean") return value;
    // `published` holds the date in Hugo and Wyam, where the field `date` finds it.
    if (key.toLowerCase() === "published" && !isSwitchText(value)) continue;
    report(key, `"${key}" has to be true or false, without quotes; "${textOf(value) ?? "a list"}" is neither.`);
  }
  return undefined;
}

const HIDDEN_STATUSES = new Set(["draft", "pending", "private", "hidden", "unlisted", "trash", "unpublished"]);

function isHiddenStatus({ entries }: FieldContext): boolean {
  const [entry] = entries("status");
  return HIDDEN_STATUSES.has(textOf(entry?.value)?.toLowerCase() ?? "");
}
