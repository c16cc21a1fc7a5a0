import { dump } from "js-yaml";
import { entriesOf, type FieldName } from "../read/field-keys.ts";
import { parseProperty, typedAlternative, type CollectionSchema, type PropertySchema } from "./collection-schema.ts";

/** One line or list in the front matter of a new post. */
export interface TemplateField {
  readonly key: string;
  /** A `Date` at midnight UTC is written as a day. */
  readonly value: unknown;
  readonly comment?: string | undefined;
  /** Written as a comment, for the author to uncomment. */
  readonly isOptional?: boolean;
}

export interface PostTemplate {
  readonly fields: readonly TemplateField[];
  /** Whether the front matter marks the post as a draft. */
  readonly hidesDraft: boolean;
  /** Keys that the author must fill in. */
  readonly open: readonly string[];
}

export interface TemplateFacts {
  readonly title: string;
  readonly date: Date;
}

/** Creates the front matter required by a collection's schema. */
export function templateFromSchema(schema: CollectionSchema, facts: TemplateFacts): PostTemplate {
  const { $schema: _, ...properties } = schema.properties;
  const required = new Set(schema.required);
  const known = findKnown(Object.keys(properties), facts);
  const fields = Object.entries(properties).map(([key, property]): TemplateField => {
    const comment = commentOf(property);
    const found = known.has(key) ? known.get(key) : valueOf(property, facts);
    const value = property.format === "date" && found instanceof Date ? startOfDay(found) : found;
    const isOptional = !required.has(key) && !known.has(key);
    return { key, value, comment, isOptional };
  });
  return finish(fields, { known, takesDraft: passesUnknownKeys(schema) });
}

// Zod strips keys that a schema doesn't name, so the site wouldn't see the draft. The JSON schema of a loose schema
// sets `additionalProperties`.
function passesUnknownKeys({ additionalProperties }: CollectionSchema): boolean {
  return additionalProperties !== undefined && additionalProperties !== false;
}

/** Creates the front matter that the other posts of the folder use: the keys of at least half of them. */
export function templateFromNeighbours(
  neighbours: readonly Readonly<Record<string, unknown>>[],
  facts: TemplateFacts,
): PostTemplate {
  const most = neighbours.toSorted((one, other) => Object.keys(other).length - Object.keys(one).length)[0] ?? {};
  const common = Object.keys(most).filter(
    (key) => key !== "imprintId" && neighbours.filter((each) => key in each).length * 2 >= neighbours.length,
  );
  const keys = neighbours.length === 0 ? ["title", "description", "pubDate", "draft"] : common;
  const known = findKnown(keys, facts);
  const fields = keys.map((key) => ({ key, value: known.has(key) ? known.get(key) : usualValue(key, neighbours) }));
  const missing = known.has("title") || fields.some(({ key }) => key.toLowerCase() === "title");
  const titled = missing ? fields : [{ key: "title", value: facts.title }, ...fields];
  return finish(titled, { known, takesDraft: true });
}

export function renderFrontMatter(fields: readonly TemplateField[]): string {
  const lines = fields.map(({ key, value, comment, isOptional }) => {
    const note = comment === undefined ? "" : ` # ${comment}`;
    const [first = "", ...rest] = renderValue(key, value).split("\n");
    const text = [first + note, ...rest];
    return (isOptional === true ? text.map((line) => `# ${line}`) : text).join("\n");
  });
  return `---\n${lines.join("\n")}\n---\n\n`;
}

/** The day of a time, for front matter that needs no time of day. */
export function startOfDay(date: Date): Date {
  return new Date(date.toISOString().slice(0, DAY.length));
}

// `dump` quotes what YAML would read as a non-text value; a date is unquoted.
function renderValue(key: string, value: unknown): string {
  if (value instanceof Date) return `${key}: ${renderDate(value)}`;
  if (value === undefined || value === "") return `${key}:${value === "" ? ' ""' : ""}`;
  return dump({ [key]: value }, { lineWidth: -1 }).trimEnd();
}

function renderDate(date: Date): string {
  const time = date.toISOString();
  return time.endsWith("T00:00:00.000Z") ? time.slice(0, DAY.length) : time.replace(".000Z", "Z");
}

const DAY = "2026-01-01";

/** Keys with known values: title, date, and draft. */
function findKnown(keys: readonly string[], { title, date }: TemplateFacts): ReadonlyMap<string, unknown> {
  const data = Object.fromEntries(keys.map((key) => [key, key]));
  const find = (field: FieldName) => entriesOf(data, field, {})[0]?.key;
  const hidden = find("draft") === undefined ? ([find("published"), false] as const) : ([find("draft"), true] as const);
  const pairs = [[find("title"), title], [find("date"), date], hidden] as const;
  return new Map(pairs.flatMap(([key, value]) => (key === undefined ? [] : [[key, value]])));
}

interface Rest {
  readonly known: ReadonlyMap<string, unknown>;
  readonly takesDraft: boolean;
}

function finish(fields: readonly TemplateField[], { known, takesDraft }: Rest): PostTemplate {
  const isHidden = [...known.values()].some((value) => typeof value === "boolean");
  const draft: readonly TemplateField[] = isHidden || !takesDraft ? [] : [{ key: "draft", value: true }];
  const open = fields.filter(({ key, value, isOptional }) => isOptional !== true && !known.has(key) && isEmpty(value));
  return {
    fields: [...fields, ...draft],
    hidesDraft: isHidden || takesDraft,
    open: open.map(({ key }) => key),
  };
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isEmpty);
  return value === "" || value === undefined;
}

function valueOf(schema: PropertySchema, facts: TemplateFacts): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const typed = typedAlternative(schema);
  if (typed !== schema) return valueOf(typed, facts);
  switch (schema.type) {
    case "string":
      return schema.format === "date-time" || schema.format === "date" ? facts.date : "";
    case "number":
    case "integer":
      return schema.minimum ?? 0;
    case "boolean":
      return false;
    case "array":
      return (schema.minItems ?? 0) > 0 ? [valueOf(parseProperty(schema.items), facts)] : [];
    case "object": {
      const { properties = {}, required = [] } = schema;
      return Object.fromEntries(required.map((key) => [key, valueOf(parseProperty(properties[key]), facts)]));
    }
    default:
      return "";
  }
}

function commentOf({ enum: choices, maxLength, minItems }: PropertySchema): string | undefined {
  if (choices !== undefined && choices.length > 1) return `one of: ${choices.join(", ")}`;
  if (maxLength !== undefined) return `at most ${maxLength} characters`;
  return minItems === undefined ? undefined : `at least ${minItems}`;
}

/** The value that all others share, such as the layout; otherwise an empty value of the same type. */
function usualValue(key: string, neighbours: readonly Readonly<Record<string, unknown>>[]): unknown {
  const values = neighbours.flatMap((each) => (key in each ? [each[key]] : []));
  const [first] = values;
  const isSame = values.length > 1 && values.every((value) => JSON.stringify(value) === JSON.stringify(first));
  if (isSame) return first;
  if (Array.isArray(first)) return [];
  return typeof first === "boolean" ? false : "";
}
