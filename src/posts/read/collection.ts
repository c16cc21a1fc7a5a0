import { join, posix, relative } from "node:path";
import { ImprintError } from "../../base/error.ts";
import { mapPool } from "../../base/pool.ts";
import { fileBelow, findPrivateMarkdown, isPrivateFile, type MarkdownPlace } from "./find-markdown.ts";
import { dateInName, type ParsedFolder, type ParsedPost, type ParseResult } from "./parse-post.ts";
import type { PostProblem } from "./problems.ts";
import type { CollectedEntry, CollectedPosts } from "./collected.ts";
import type { FieldSettings } from "./field-keys.ts";
import { readFields, type PostFields } from "./fields.ts";
import { parseFrontMatter, type FrontMatter } from "./front-matter.ts";
import { readSource } from "./read-source.ts";
import { contentIdOf, foldSlug, pathBelow } from "./slugs.ts";

const FILES_AT_A_TIME = 16;

/**
 * Parses the entries of a collection into posts.
 *
 * @throws ImprintError `OPTIONS_INVALID` if the collection contains data without text
 */
export async function parseEntries(
  { collection, entries }: CollectedPosts,
  place: Omit<EntryContext, "collection">,
): Promise<ParsedFolder> {
  refuseData(collection, entries);
  const parsed: ParsedPost[] = [];
  const problems: PostProblem[] = [];
  await mapPool(entries, FILES_AT_A_TIME, async (entry) => {
    const file = fileOfEntry(entry, collection);
    const result = isEmpty(entry) ? EMPTY : await parseEntry(entry, { ...place, collection });
    if (result.kind === "post") parsed.push(result.post);
    else problems.push(...result.problems.map((problem) => ({ code: "POST_INVALID" as const, file, ...problem })));
  });
  // Astro includes files in folders such as `_old` as entries; these are treated as drafts.
  const read = new Set(entries.map((entry) => fileOfEntry(entry, collection)));
  const found = (await findPrivateMarkdown(place)).map((path) => fileBelow(place.folder, path));
  return {
    parsed: parsed.toSorted((one, other) => (one.file < other.file ? -1 : 1)),
    problems,
    privateFiles: found.filter((file) => !read.has(file)),
  };
}

const EMPTY = {
  kind: "refused",
  problems: [{ line: 1, column: 1, message: "The post has no text below its front matter." }],
} as const;

/** Whether a rendered entry has no text. An entry that wasn't rendered isn't to be published now. */
function isEmpty({ body = "", html }: CollectedEntry): boolean {
  return html?.trim() === "" && body.trim() === "";
}

function refuseData(collection: string, entries: readonly CollectedEntry[]): void {
  const rendered = entries.filter(({ html }) => html !== undefined);
  if (rendered.length === 0 || !rendered.every(isEmpty)) return;
  throw new ImprintError(
    "OPTIONS_INVALID",
    `The collection "${collection}" contains only data: none of its entries has text for a post.`,
    { hint: "Name the collection of your posts in `posts.collection`, or set `posts: false`." },
  );
}

/** Slugs are derived from paths below the posts folder, as without a build. */
export interface EntryContext extends MarkdownPlace, FieldSettings {
  readonly collection: string;
}

/** Identifies an entry in messages and in the ledger: its file, or its id if it has none. */
export function fileOfEntry({ id, filePath }: CollectedEntry, collection: string): string {
  return filePath?.replaceAll("\\", "/") ?? `${collection}/${id}`;
}

/**
 * Parses an entry into a post: the output of the collection's schema, plus front matter that the schema doesn't know.
 * Positions refer to the file.
 */
export async function parseEntry(entry: CollectedEntry, context: EntryContext): Promise<ParseResult> {
  const { root, collection, folder } = context;
  const file = fileOfEntry(entry, collection);
  const written = entry.filePath === undefined ? undefined : await readWritten(join(root, file));
  const data = decodeEntryData(entry.data, { root, file });
  const frontMatter = mergeData(written ?? withoutFile(entry), data);
  const { fields: validated, problems } = readFields(frontMatter, context);
  const { hiding, doubts } = readHiding({ written: written ?? frontMatter, data }, context);
  const isDraft = validated.isDraft || hiding.isDraft || isPrivateFile(file, folder);
  const fields = { ...validated, isDraft, waitsUntil: hiding.waitsUntil };
  if (problems.length > 0 && !isDraft) return { kind: "refused", problems };
  const named = dateInName(file, context);
  const dated = { ...fields, publishedAt: fields.publishedAt ?? named };
  const own = written === undefined ? undefined : readFields(written, context);
  const post: ParsedPost = {
    file,
    slug: slugOf(entry, { file, fields, folder }),
    fields: dated,
    written: own === undefined || own.problems.length > 0 ? dated : withDate(own.fields, named),
    doubts,
    frontMatter,
    rendered: entry.html,
    renderError: entry.error,
  };
  return { kind: "post", post };
}

/**
 * Merges the schema's data over the file's. A text that the schema turned into a date or a boolean is used as written,
 * so that a file is judged the same inside and outside a build: a schema accepts `03/18/2024`, rolls `2024-02-30` over,
 * and may turn `"false"` into `true`.
 */
function mergeData(written: FrontMatter, data: Readonly<Record<string, unknown>>): FrontMatter {
  const merged = Object.entries(data).map(([key, value]) => {
    const text = written.data[key];
    const isRetyped = typeof text === "string" && (value instanceof Date || typeof value === "boolean");
    return [key, isRetyped ? text : value] as const;
  });
  return {
    ...written,
    data: { ...written.data, ...Object.fromEntries(merged) },
    rawValueOf: (key) => (written.data[key] instanceof Date ? written.rawValueOf(key) : undefined),
  };
}

/** Whether the post may be published: based on what the author wrote, plus keys that only the schema has. */
function readHiding(
  { written, data }: { readonly written: FrontMatter; readonly data: Readonly<Record<string, unknown>> },
  settings: FieldSettings,
) {
  const { fields, doubts } = readFields({ ...written, data: { ...data, ...written.data } }, settings);
  return { hiding: fields, doubts };
}

function withDate(written: PostFields, named: Date | undefined): PostFields {
  return { ...written, publishedAt: written.publishedAt ?? named };
}

async function readWritten(path: string): Promise<FrontMatter | undefined> {
  if (!/\.(?:md|mdx|markdown|mdoc)$/i.test(path)) return undefined;
  const source = await readSource(path);
  if (source.kind === "refused") return undefined;
  const parsed = parseFrontMatter(source.text);
  return parsed.kind === "parsed" ? parsed.frontMatter : undefined;
}

function withoutFile({ body = "" }: CollectedEntry): FrontMatter {
  return {
    data: {},
    body: body.replaceAll(/\r\n?/g, "\n"),
    bodyLine: 1,
    positionOf: () => ({ line: 1, column: 1 }),
    rawValueOf: () => undefined,
  };
}

/**
 * The site's own id, unless it derives only from the file path: then the slug is the same as in a run without a build.
 */
function slugOf(
  { id }: CollectedEntry,
  { file, fields, folder }: Pick<ParsedPost, "file" | "fields"> & Pick<EntryContext, "folder">,
): string {
  const isFromPath = `/${contentIdOf(file)}`.endsWith(`/${id}`);
  if (!isFromPath) return foldSlug(id);
  const path = pathBelow(folder, file);
  return foldSlug(fields.slug ?? (path === undefined ? id : contentIdOf(path)));
}

/** Location of an entry's file. */
export interface EntryPlace {
  /** Absolute path of the project. */
  readonly root: string;
  /** Path of the entry's file relative to the project, with forward slashes. */
  readonly file: string;
}

/** Decodes the data of an entry: dates, and images as paths relative to the file, as authors write them. */
export function decodeEntryData(data: unknown, place: EntryPlace): Readonly<Record<string, unknown>> {
  const decoded = decode(data, place);
  return isRecord(decoded) ? decoded : {};
}

function decode(value: unknown, place: EntryPlace): unknown {
  if (Array.isArray(value)) return value.map((item) => decode(item, place));
  if (!isRecord(value)) return value;
  const date = value["imprint:date"];
  if (typeof date === "string") return new Date(date);
  const image = value["imprint:image"];
  if (typeof image === "string") return sourceOf(image, place);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item, place)]));
}

function sourceOf(image: string, { root, file }: EntryPlace): string {
  const path = relative(root, image).replaceAll("\\", "/");
  const way = posix.relative(posix.dirname(file), path);
  return way.startsWith(".") ? way : `./${way}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
