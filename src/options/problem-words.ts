import type * as z from "zod";
import { listChoices } from "../base/list-names.ts";

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/**
 * Says which values an option may have, in our own words instead of those of the schema library. Applies where the
 * schema has no message of its own.
 */
export function describeProblem(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_type") return `must be ${TYPES[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value") return `must be ${listChoices(issue.values.map((value) => toText(value)))}`;
  if (issue.code === "invalid_union") return `must be ${listChoices(choicesOf(issue.errors))}`;
  if (issue.code === "too_small") return describeLeast(issue.origin, Number(issue.minimum));
  if (issue.code === "too_big") return describeSize(issue.origin, `at most ${issue.maximum}`);
  return undefined;
}

function toText(value: z.core.util.Primitive): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** What the members of a union accept, from what they say about a value that none of them accepts. */
function choicesOf(errors: readonly (readonly z.core.$ZodIssue[])[] = []): readonly string[] {
  const own = errors.flat().filter(({ path }) => path.length === 0);
  return [...new Set(own.map(({ message }) => message.replace(/^must be /, "")))];
}

function describeLeast(origin: string, least: number): string {
  return origin !== "number" && least === 1 ? "must not be empty" : describeSize(origin, `at least ${least}`);
}

function describeSize(origin: string, size: string): string {
  if (origin === "string") return `must have ${size} characters`;
  return origin === "array" ? `must have ${size} entries` : `must be ${size}`;
}
