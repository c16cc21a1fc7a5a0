import { joinWords, splitWords } from "../../base/word-list.ts";
import type { FileField, FileFieldKind, FileFieldRole } from "../../contract/project-files.ts";
import { parseDate } from "../read/dates.ts";
import { entriesOf, type FieldSettings } from "../read/field-keys.ts";
import {
  alternativesOf,
  parseProperty,
  typedAlternative,
  valuesOf,
  type CollectionSchema,
  type PropertySchema,
} from "../write/collection-schema.ts";
import { ID_KEY } from "../write/write-post-id.ts";
import type { KeyValue } from "./set-key.ts";

type Data = Readonly<Record<string, unknown>>;

export interface FieldSources {
  readonly settings: FieldSettings;
  readonly schema: CollectionSchema | undefined;
  /** Front matter of other posts, which shows the possible keys when there is no schema. */
  readonly neighbours: readonly Data[];
}

/** A field of a form, and what its values may be. */
export interface EditedField extends FileField {
  /** The kinds of values that a field of text may have; empty if it may have any text. */
  readonly mixed: readonly FileFieldKind[];
}

const ROLES: readonly FileFieldRole[] = ["title", "excerpt", "tags", "author", "date", "cover"];

/**
 * The front matter keys that a form can edit: those that the file has, then those that it may have. Objects and lists
 * of objects are left to the author.
 */
export function describeFields(data: Data, { settings, schema, neighbours }: FieldSources): readonly EditedField[] {
  const { $schema: _, ...properties } = schema?.properties ?? {};
  const others = schema === undefined ? neighbours.flatMap((each) => Object.keys(each)) : Object.keys(properties);
  const keys = [...new Set([...Object.keys(data), ...others])].filter(
    (key) => /^[A-Za-z_][\w-]*$/.test(key) && key !== ID_KEY,
  );
  const named = Object.fromEntries(keys.map((key) => [key, key]));
  const roles = new Map(ROLES.map((role) => [entriesOf(named, role, settings.fields)[0]?.key, role]));
  return keys.flatMap((key) => {
    const example = neighbours.find((each) => key in each)?.[key];
    const property = properties[key];
    const field = { key, role: roles.get(key), property };
    const shape = shapeOf(data[key], { ...field, example });
    if (shape === undefined) return [];
    const mixed = mixedKindsOf(property);
    const choices =
      shape.kind === "choice"
        ? choicesOf(property, shape.value)
        : mixed.includes("choice")
          ? choicesOf(property, "")
          : [];
    const isRequired = schema?.required.includes(key) ?? field.role === "title";
    return [{ key, role: field.role, ...shape, choices, isRequired, maxLength: property?.maxLength, mixed }];
  });
}

interface FieldFacts {
  readonly role: FileFieldRole | undefined;
  readonly property: PropertySchema | undefined;
  /** The value of another post. */
  readonly example: unknown;
}

type Shape = Pick<FileField, "kind" | "value">;

function shapeOf(value: unknown, { role, property, example }: FieldFacts): Shape | undefined {
  const wanted = property === undefined ? undefined : kindOfProperty(property);
  const isMixed = mixedKindsOf(property).length > 0;
  if (typeof value === "boolean") return { kind: isMixed ? "text" : "switch", value: String(value) };
  if (Array.isArray(value)) {
    const isSimple = value.every((item) => typeof item === "string" && item.trim() === item && !item.includes("\n"));
    return isSimple ? { kind: "list", value: joinWords(value) } : undefined;
  }
  const isEmpty = (each: unknown) => each === undefined || each === null || each === "";
  if (isEmpty(value)) {
    const like = isEmpty(example) ? undefined : shapeOf(example, { role, property, example });
    const kind = property === undefined ? (like?.kind ?? "text") : wanted;
    return kind && { kind: kind === "text" && role === "cover" ? "picture" : kind, value: "" };
  }
  if (typeof value !== "string") return undefined;
  if (isMixed) return { kind: "text", value };
  if (role === "cover") return { kind: "picture", value };
  if (wanted === "date" || role === "date") {
    const day = dayOf(value);
    return day === undefined ? { kind: "text", value } : { kind: "date", value: day };
  }
  if (wanted === "number" || wanted === "choice") return { kind: wanted, value };
  return { kind: role === "excerpt" || value.includes("\n") ? "lines" : "text", value };
}

/** The day of a date without a time, in any format. */
function dayOf(text: string): string | undefined {
  const parsed = text.includes(":") ? undefined : parseDate(text, "UTC");
  return parsed?.kind === "date" ? parsed.date.toISOString().slice(0, 10) : undefined;
}

function kindOfProperty(property: PropertySchema): FileFieldKind | undefined {
  return mixedKindsOf(property).length > 0 ? "text" : kindOfAlternative(typedAlternative(property));
}

const MIXED: readonly FileFieldKind[] = ["date", "number", "switch", "choice"];

/** The kinds of a field that may have values of several kinds, such as a number or a choice, but not any text. */
function mixedKindsOf(property: PropertySchema | undefined): readonly FileFieldKind[] {
  const kinds = property === undefined ? [] : alternativesOf(property).map(kindOfAlternative);
  const mixed = kinds.includes("text") ? [] : MIXED.filter((kind) => kinds.includes(kind));
  return mixed.length > 1 ? mixed : [];
}

function kindOfAlternative(alternative: PropertySchema): FileFieldKind | undefined {
  const { type, format, items } = alternative;
  const values = valuesOf(alternative);
  if (values !== undefined) return values.every((each) => typeof each === "string") ? "choice" : undefined;
  if (type === "boolean") return "switch";
  if (type === "number" || type === "integer") return "number";
  if (type === "array") return typedAlternative(parseProperty(items)).type === "string" ? "list" : undefined;
  if (type === "object") return undefined;
  return format === "date" || format === "date-time" ? "date" : "text";
}

function choicesOf(property: PropertySchema | undefined, value: string): readonly string[] {
  const own = property === undefined ? [] : alternativesOf(property).flatMap((each) => valuesOf(each) ?? []);
  return [...new Set([...own.map(String), ...(value === "" ? [] : [value])])];
}

/** Returns a form value as it is to be written, or a string that describes what is wrong with it. */
export function parseField(field: EditedField, input: string): KeyValue | string | undefined {
  const { kind, isRequired, choices, maxLength, mixed } = field;
  const text = kind === "lines" ? input.replaceAll("\r\n", "\n") : input.trim();
  if (kind === "list") {
    const items = splitWords(text);
    return items.length === 0 && !isRequired ? undefined : { kind, items };
  }
  if (text.trim() === "") return isRequired ? "must not be empty" : undefined;
  if (maxLength !== undefined && text.length > maxLength) return `must have at most ${maxLength} characters`;
  const kinds = mixed.length > 0 ? mixed : [kind];
  const value = kinds.map((each) => parseKind(each, text, choices)).find((each) => each !== undefined);
  return value ?? `must be ${kinds.map((each) => expectationOf(each, choices)).join(", or ")}`;
}

function parseKind(kind: FileFieldKind, text: string, choices: readonly string[]): KeyValue | undefined {
  switch (kind) {
    case "date":
      return isDate(text) ? { kind: "plain", text } : undefined;
    case "number":
      return Number.isFinite(Number(text)) ? { kind: "plain", text } : undefined;
    case "switch":
      return ["true", "false"].includes(text) ? { kind: "plain", text } : undefined;
    case "choice":
      return choices.includes(text) ? { kind: "text", text } : undefined;
    default:
      return { kind: "text", text };
  }
}

/** Whether a text is a date of ISO 8601, with or without a time. */
function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(text) && parseDate(text, "UTC")?.kind === "date";
}

function expectationOf(kind: FileFieldKind, choices: readonly string[]): string {
  switch (kind) {
    case "date":
      return "a date such as 2024-01-31";
    case "number":
      return "a number";
    case "switch":
      return "true or false";
    case "choice":
      return `one of: ${choices.join(", ")}`;
    default:
      return "text";
  }
}
