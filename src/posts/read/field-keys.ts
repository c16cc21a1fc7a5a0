import type { Options } from "../../options/schema.ts";
import { isObject } from "./field-values.ts";
import { DATE_KEYS, EXPIRY_KEYS, HIDING_KEYS, normalizeKey, SHOWING_KEYS, STATUS_KEYS } from "./not-yet.ts";
import type { FrontMatter } from "./front-matter.ts";

/**
 * How the options configure reading front matter. A field with a configured key is read from that key only; whether a
 * post is hidden is read from all keys that may indicate it.
 */
export type FieldSettings = Pick<Exclude<Options["posts"], false>, "timezone" | "fields" | "statuses" | "tags">;

/** Fields that a post can set. */
export type FieldName = Exclude<keyof FieldSettings["fields"], "ignore"> | "remoteId";

type FieldMapping = Partial<Readonly<Record<FieldName, string | undefined>>>;

/**
 * Keys used for each field by Astro's examples, Starlight, Hugo, Jekyll, Eleventy, Hashnode, dev.to, and Obsidian,
 * lowercase without hyphens and underscores; the first one present wins.
 */
const KEYS: Readonly<Record<FieldName, readonly string[]>> = {
  title: ["title"],
  slug: ["slug"],
  permalink: ["permalink", "url"],
  date: DATE_KEYS,
  expires: EXPIRY_KEYS,
  draft: HIDING_KEYS,
  published: SHOWING_KEYS,
  status: STATUS_KEYS,
  excerpt: ["excerpt", "description", "summary"],
  tags: ["tags", "tag", "categories", "category"],
  author: ["author", "authors"],
  cover: [
    "cover",
    "coverimage",
    "heroimage",
    "image",
    "featuredimage",
    "banner",
    "thumbnail",
    "ogimage",
    "socialimage",
  ],
  coverAlt: ["coveralt", "coverimagealt", "heroimagealt", "heroalt", "imagealt", "featuredimagealt", "banneralt"],
  canonical: ["canonical", "canonicalurl", "canonicallink"],
  language: ["lang", "language", "locale"],
  remoteId: ["imprintid"],
};

/** A key as written by the author, with its value. */
export interface Entry {
  readonly key: string;
  readonly value: unknown;
}

/** Returns every entry that can hold a field, in order of precedence. Empty values are ignored. */
export function entriesOf(
  data: Readonly<Record<string, unknown>>,
  field: FieldName,
  mapping: FieldMapping,
): readonly Entry[] {
  const own = mapping[field];
  const written = entriesBelow(data, "").filter(hasValue);
  if (own !== undefined) return written.filter(({ key }) => key === own);
  const named = written.map((entry) => ({ name: normalizeKey(entry.key), entry }));
  return KEYS[field].flatMap((name) => named.filter((each) => each.name === name).map(({ entry }) => entry));
}

// Hugo nests custom keys under `params`, Zola under `extra`.
const OWN_TABLES: ReadonlySet<string> = new Set(["params", "extra"]);

/** Returns every entry, including nested custom keys such as `params.draft`. */
export function spreadEntries({ frontMatter: { data }, settings }: FieldContext): readonly Entry[] {
  const top = entriesBelow(data, "");
  const own = top.filter(({ key, value }) => OWN_TABLES.has(key.toLowerCase()) && isObject(value));
  const inner = own.flatMap(({ key, value }) => (isObject(value) ? entriesBelow(value, `${key}.`) : []));
  return [...top, ...inner].filter((entry) => hasValue(entry) && !isIgnored(entry.key, settings));
}

function entriesBelow(data: Readonly<Record<string, unknown>>, prefix: string): readonly Entry[] {
  return Object.entries(data).map(([key, value]) => ({ key: prefix + key, value }));
}

/** Whether the author configured a key to be ignored. */
export function isIgnored(key: string, { fields: { ignore = [] } }: FieldSettings): boolean {
  return ignore.some((each) => normalizeKey(each) === normalizeKey(key));
}

function hasValue({ value }: Entry): boolean {
  return value !== null && value !== undefined && value !== "";
}

/** Shared by the readers of individual fields. */
export interface FieldContext {
  readonly frontMatter: FrontMatter;
  readonly settings: FieldSettings;
  /** The entries that can hold a field, in order of precedence. */
  readonly entries: (field: FieldName) => readonly Entry[];
  /** Reports a problem with the value of a key. */
  readonly report: (key: string | undefined, message: string) => void;
  /** Reports why the post is on hold until its author clarifies a key. */
  readonly doubt: (key: string, message: string) => void;
}
