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

const ROLES: readonly FileFieldRole[] = ["title", "excerpt", "tags", "author", "date", "cover"];

/**
 * The front matter keys that a form can edit: those that the file has, then those that it may have. Objects and lists
 * of objects are left to the author.
 */
export function describeFields(data: Data, { settings, schema, neighbours }: FieldSources): readonly FileField[] {
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
    const choices = shape.kind === "choice" ? choicesOf(property, shape.value) : [];
    const isRequired = schema?.required.includes(key) ?? field.role === "title";
    return [{ key, role: field.role, ...shape, choices, isRequired, maxLength: property?.maxLength }];
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
  if (typeof value === "boolean") return { kind: "switch", value: String(value) };
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
  const typed = typedAlternative(property);
  const { type, format, items } = typed;
  const values = valuesOf(typed);
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
export function parseField(field: FileField, input: string): KeyValue | string | undefined {
  const { kind, isRequired, choices, maxLength } = field;
  const text = kind === "lines" ? input.replaceAll("\r\n", "\n") : input.trim();
  if (kind === "list") {
    const items = splitWords(text);
    return items.length === 0 && !isRequired ? undefined : { kind, items };
  }
  if (text.trim() === "") return isRequired ? "must not be empty" : undefined;
  if (maxLength !== undefined && text.length > maxLength) return `must have at most ${maxLength} characters`;
  switch (kind) {
    case "date":
      return dayOf(text) === text ? { kind: "plain", text } : "must be a date such as 2024-01-31";
    case "number":
      return Number.isFinite(Number(text)) ? { kind: "plain", text } : "must be a number";
    case "switch":
      return ["true", "false"].includes(text) ? { kind: "plain", text } : "must be true or false";
    case "choice":
      return choices.includes(text) ? { kind: "text", text } : `must be one of: ${choices.join(", ")}`;
    default:
      return { kind: "text", text };
  }
}
