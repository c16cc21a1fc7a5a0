import type { Post } from "../../client/api.ts";
import { entriesOf, type FieldSettings } from "../read/field-keys.ts";
import { isObject } from "../read/field-values.ts";
import type { TemplateField } from "./template.ts";

/** The values of a published post for its front matter, by field. */
export interface FieldValues {
  readonly excerpt: string | undefined;
  readonly author: string | undefined;
  readonly tags: readonly string[] | undefined;
  /** A path, or an address. */
  readonly cover: string | undefined;
  readonly canonical: string | undefined;
  readonly language: string | undefined;
}

export interface FillSources {
  readonly mapping: FieldSettings["fields"];
  /** Front matter of other posts, which shows the project's keys. */
  readonly neighbours: readonly Readonly<Record<string, unknown>>[];
}

/** Keys of Astro's blog template, else the first of those that imprint reads. */
const USUAL_KEYS: Readonly<Record<keyof FieldValues, string>> = {
  excerpt: "description",
  author: "author",
  tags: "tags",
  cover: "heroImage",
  canonical: "canonical",
  language: "lang",
};

/**
 * Fills front matter for a post that is already published. Adds keys for values that the template has no key for, so
 * that the next edit doesn't remove them from the post.
 */
export function fillFields(
  fields: readonly TemplateField[],
  { status, ...values }: FieldValues & Pick<Post, "status">,
  sources: FillSources,
): readonly TemplateField[] {
  const names = ["excerpt", "author", "tags", "cover", "canonical", "language"] as const;
  const shown = fields.flatMap((field) => showField(field, status));
  return names.reduce<readonly TemplateField[]>(
    (filled, name) => fillField(filled, { name, value: values[name] }, sources),
    shown,
  );
}

// The post isn't a draft.
function showField(field: TemplateField, status: Post["status"]): readonly TemplateField[] {
  const key = field.key.toLowerCase();
  if (key === "draft") return status === undefined || status === "published" ? [] : [field];
  return [key === "published" && field.value === false ? { ...field, value: status !== "draft" } : field];
}

interface FieldValue {
  readonly name: keyof FieldValues;
  readonly value: string | readonly string[] | undefined;
}

function fillField(
  fields: readonly TemplateField[],
  { name, value }: FieldValue,
  { mapping, neighbours }: FillSources,
): readonly TemplateField[] {
  const find = (keys: readonly string[]) =>
    entriesOf(Object.fromEntries(keys.map((key) => [key, key])), name, mapping)[0]?.key;
  const own = find(fields.map(({ key }) => key));
  const key = own ?? find(neighbours.flatMap((each) => Object.keys(each))) ?? mapping[name] ?? USUAL_KEYS[name];
  const place = fields.find((field) => field.key === key);
  const isNeedless = value?.length === 0 && (place === undefined || place.isOptional === true);
  if (value === undefined || isNeedless) return fields;
  const other = neighbours.find((each) => key in each)?.[key];
  const written = shapeLike(isShape(place?.value) ? place?.value : (other ?? place?.value), value);
  if (place === undefined) return [...fields, { key, value: written }];
  return fields.map((field) => (field === place ? { ...field, value: written, isOptional: false } : field));
}

function isShape(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isObject(value);
}

/** Writes a value in the form of another: as text, a list, or an object with a name or a path. */
function shapeLike(example: unknown, value: string | readonly string[]): unknown {
  if (typeof value !== "string") return typeof example === "string" ? value.join(", ") : value;
  if (Array.isArray(example)) return value.split(", ").map((each) => shapeLike(example[0], each));
  if (!isObject(example)) return value;
  const key = ["name", "src", "image", "url", "path", "light"].find((each) => each in example) ?? "src";
  return { [key]: value };
}
