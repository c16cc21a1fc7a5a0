import { LIMITS } from "../../contract/limits.ts";
import {
  entriesOf,
  isIgnored,
  type FieldContext,
  type FieldSettings,
  type Entry,
  type FieldName,
} from "./field-keys.ts";
import { readDate, readWaiting } from "./field-dates.ts";
import { authorOf, coverOf, tagsOf, textOf } from "./field-values.ts";
import type { PostText } from "../post.ts";
import type { FrontMatter } from "./front-matter.ts";
import type { Position, Problem } from "./problems.ts";
import { readVisibility } from "./visibility.ts";

/** The validated front matter fields of a post. */
export interface PostFields extends PostText {
  /** `undefined`: the first heading of the body is used. */
  readonly title: string | undefined;
  /** As written, not yet normalized. */
  readonly slug: string | undefined;
  readonly isDraft: boolean;
  /** The latest of all dates from which the post may be published; until then, the post waits. */
  readonly waitsUntil: Date | undefined;
  /** From this time on, the author's site no longer shows the post. */
  readonly expiresAt: Date | undefined;
  readonly cover: Cover | undefined;
  readonly language: string | undefined;
  /** Id of the post on the service, if it was written into the file. */
  readonly remoteId: string | undefined;
}

interface Cover {
  /** Path or address as written. */
  readonly source: string;
  readonly alt: string | undefined;
  readonly position: Position;
}

export interface ReadFields {
  readonly fields: PostFields;
  readonly problems: readonly Problem[];
  /** Why the post is on hold until its author clarifies a key. */
  readonly doubts: readonly Problem[];
}

const MAX_EXCERPT_LENGTH = 2000;
const MAX_AUTHOR_LENGTH = 200;
const MAX_TAG_LENGTH = 60;

/** Reads the fields of a post from its front matter, whatever their keys. Reports all problems together. */
export function readFields(frontMatter: FrontMatter, settings: FieldSettings): ReadFields {
  const problems: Problem[] = [];
  const doubts: Problem[] = [];
  const counted = Object.entries(frontMatter.data).filter(([key]) => !isIgnored(key, settings));
  const data = Object.fromEntries(counted);
  const entries = (field: FieldName): readonly Entry[] => entriesOf(data, field, settings.fields);
  const context: FieldContext = {
    frontMatter,
    settings,
    entries,
    report: (key, message) => void problems.push({ ...placeOfKey(key ?? "", frontMatter), message }),
    doubt: (key, message) => void doubts.push({ ...placeOfKey(key, frontMatter), message }),
  };
  const permalink = readPermalink(context);
  const fields: PostFields = {
    title: readText(context, "title", LIMITS.maxTitleLength),
    slug: readText(context, "slug", 500) ?? permalink.slug,
    isDraft: readVisibility(context) === "hidden",
    publishedAt: readDate(context, "date"),
    waitsUntil: readWaiting(context),
    expiresAt: readDate(context, "expires"),
    excerpt: readText(context, "excerpt", MAX_EXCERPT_LENGTH),
    tags: readTags(context),
    author: readAuthor(context),
    cover: readCover(context),
    canonicalUrl: readCanonical(context) ?? permalink.canonicalUrl,
    language: readText(context, "language", 35),
    remoteId: readText(context, "remoteId", 200),
  };
  return { fields, problems, doubts };
}

/** Position of a key. `params.draft` is found by its last segment. */
function placeOfKey(key: string, frontMatter: FrontMatter): Position {
  const place = frontMatter.positionOf(key);
  return place.line > 1 ? place : frontMatter.positionOf(key.slice(key.lastIndexOf(".") + 1));
}

function readText({ entries, report }: FieldContext, field: FieldName, maxLength: number): string | undefined {
  const [entry] = entries(field);
  if (entry === undefined) return undefined;
  const text = textOf(entry.value)?.replaceAll(/\s+/g, " ").trim();
  if (text === undefined) report(entry.key, `"${entry.key}" must be text.`);
  else if (text.length > maxLength) {
    report(entry.key, `"${entry.key}" has ${text.length} characters; at most ${maxLength} are allowed.`);
  }
  return text === "" ? undefined : text;
}

function readTags({ settings, entries, report }: FieldContext): readonly string[] {
  const tags = new Map<string, string>();
  let firstKey: string | undefined;
  for (const { key, value } of entries("tags")) {
    firstKey ??= key;
    const found = tagsOf(value, settings.tags);
    if (found === undefined) report(key, `"${key}" must be a list of strings.`);
    for (const tag of found ?? []) {
      if (!tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag);
      if (tag.length > MAX_TAG_LENGTH) report(key, `The tag "${tag}" is longer than ${MAX_TAG_LENGTH} characters.`);
    }
  }
  if (tags.size > LIMITS.maxTagsPerPost) {
    report(firstKey, `The post has ${tags.size} tags; at most ${LIMITS.maxTagsPerPost} are allowed.`);
  }
  return [...tags.values()];
}

function readAuthor({ entries, report }: FieldContext): string | undefined {
  const [entry] = entries("author");
  if (entry === undefined) return undefined;
  const author = authorOf(entry.value);
  if (author === undefined)
    report(entry.key, `"${entry.key}" must be a name, an object with a name, or a list of them.`);
  else if (author.length > MAX_AUTHOR_LENGTH)
    report(entry.key, `"${entry.key}" is longer than ${MAX_AUTHOR_LENGTH} characters.`);
  return author;
}

function readCover({ frontMatter, entries, report }: FieldContext): Cover | undefined {
  const [entry] = entries("cover");
  if (entry === undefined || entry.value === false) return undefined;
  const cover = coverOf(entry.value);
  if (cover === undefined) {
    report(entry.key, `"${entry.key}" must be a path, or an object with a path and an "alt" text.`);
    return undefined;
  }
  const alt = cover.alt ?? textOf(entries("coverAlt")[0]?.value);
  return { source: cover.source, alt, position: frontMatter.positionOf(entry.key) };
}

function readCanonical({ entries, report }: FieldContext): string | undefined {
  const [entry] = entries("canonical");
  if (entry === undefined) return undefined;
  const text = textOf(entry.value) ?? "";
  if (isWebAddress(text)) return text;
  report(entry.key, `"${entry.key}" must be a URL that starts with https://.`);
  return undefined;
}

/** The slug is the last segment of a path; a full URL is also the canonical one. URL patterns are ignored. */
function readPermalink({ entries }: FieldContext): Partial<Pick<PostFields, "slug" | "canonicalUrl">> {
  const text = textOf(entries("permalink")[0]?.value) ?? "";
  if (text === "" || /[:{}]\w/.test(text.replace(/^https?:\/\//, "")) || text.includes("{{")) return {};
  const isAddress = isWebAddress(text);
  const path = isAddress ? new URL(text).pathname : text.replace(/[?#].*$/, "");
  const slug = path
    .split("/")
    .findLast((part) => part !== "" && !/^index\.\w+$/.test(part))
    ?.replace(/\.\w+$/, "");
  return { slug, canonicalUrl: isAddress ? text : undefined };
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && text.length <= 2048;
}
