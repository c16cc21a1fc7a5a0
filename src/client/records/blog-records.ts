import { blogRecord, postRecord } from "../../contract/records.ts";
import { MARKDOWN_BODIES, POST_BODIES } from "../../contract/dialect.ts";
import { isJsonObject } from "../../base/json.ts";
import { asText, fieldOf, firstOf, idOf, isNull, textOf, type JsonRecord } from "./fields.ts";
import { createRecordReader, findRecord, type RecordContext } from "./read-record.ts";
import { PUBLIC_ADDRESSES, readChangeTime, readStatus } from "./records.ts";
import { reportsFailure } from "./reported-failure.ts";

export const { parse: parseBlog } = createRecordReader({
  record: blogRecord,
  names: ["blog"],
  wanted: "blog with an ID",
  needs: ["id"],
  fields: {
    id: ["blogId"],
    name: ["title"],
    slug: [],
    url: ["href"],
    language: ["lang", "locale"],
    status: readStatus,
  },
});

function readBlogId(record: JsonRecord): string | undefined {
  const blog = fieldOf(record, "blog");
  return isJsonObject(blog) ? idOf(blog, "id") : idOf(record, "blogId", "blog");
}

const post = createRecordReader({
  record: postRecord,
  names: ["post"],
  wanted: "post with an ID, a slug or an address",
  needsOne: ["id", "slug", "url"],
  fields: {
    id: ["postId"],
    blogId: readBlogId,
    slug: [],
    url: ["href", "link", ...PUBLIC_ADDRESSES],
    title: ["name"],
    status: readStatus,
    html: POST_BODIES,
    markdown: MARKDOWN_BODIES,
    tags: readTags,
    unset: readUnset,
    textless: (record) => (POST_BODIES.some((name) => fieldOf(record, name) === "") ? true : undefined),
    excerpt: ["description", "summary"],
    author: [],
    cover: readCover,
    canonicalUrl: ["canonical"],
    contentHash: ["hash"],
    publishedAt: ["published", "date"],
    updatedAt: readChangeTime,
  },
});

export const parsePost = post.parse;

/** Whether the response to a post that was accepted for later (202) describes something else, such as a job. */
export function isWithoutPost(json: unknown, context: RecordContext): boolean {
  if (!isJsonObject(json) || reportsFailure(json)) return false;
  return findRecord(json, { names: ["post"], fits: (record) => post.read(record, context) }) === undefined;
}

/** Reads the address of the cover, or of its record. */
function readCover(record: JsonRecord): string | undefined {
  const names = ["coverImage", ...OPTIONAL_FIELDS.coverImage];
  return firstOf(record, names, (value) => (isJsonObject(value) ? textOf(value, "url", "src") : asText(value)));
}

/** Reads tags from a list of names, or of records with names; `undefined` if one of them has no name. */
function readTags(record: JsonRecord): readonly string[] | undefined {
  return firstOf(record, TAG_LISTS, (value) => {
    if (!Array.isArray(value)) return undefined;
    const names = value.flatMap(
      (tag) => (isJsonObject(tag) ? textOf(tag, "name", "label", "title") : asText(tag)) ?? [],
    );
    return names.length === value.length ? names : undefined;
  });
}

const TAG_LISTS = ["tags", "tagList", "keywords", "categories"];

/** Reads which fields of a post a service shows without a value, by our names. A field that it doesn't show is unknown. */
function readUnset(record: JsonRecord): readonly string[] | undefined {
  const isUnset = (names: readonly string[]) =>
    firstOf(record, names, (value) => (isBlank(value) ? undefined : value)) === undefined &&
    (isNull(record, ...names) || names.some((name) => isBlank(fieldOf(record, name))));
  const unset = Object.entries(OPTIONAL_FIELDS).flatMap(([field, others]) =>
    isUnset([field, ...others]) ? [field] : [],
  );
  return unset.length === 0 ? undefined : unset;
}

function isBlank(value: unknown): boolean {
  return value === "" || (Array.isArray(value) && value.length === 0);
}

const OPTIONAL_FIELDS = {
  tags: TAG_LISTS,
  coverImage: ["coverUrl", "cover", "featuredImage", "featureImage", "image", "thumbnail"],
  excerpt: ["description", "summary"],
  author: ["authorName"],
  canonicalUrl: ["canonical"],
};
