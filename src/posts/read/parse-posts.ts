import { join } from "node:path";
import { ImprintError } from "../../base/error.ts";
import { mapPool } from "../../base/pool.ts";
import type { HeldFile } from "../plan/changes.ts";
import type { CollectedPosts } from "./collected.ts";
import { parseEntries } from "./collection.ts";
import { isTimeZone } from "./dates.ts";
import type { FieldSettings } from "./field-keys.ts";
import { readFields } from "./fields.ts";
import { fileBelow, findMarkdown, findPrivateMarkdown, type MarkdownPlace } from "./find-markdown.ts";
import { parseFrontMatter } from "./front-matter.ts";
import { parsePost, type ParsedFolder, type ParsedPost, type ParseResult } from "./parse-post.ts";
import type { PostProblem } from "./problems.ts";
import { readSource } from "./read-source.ts";
import { contentIdOf, foldSlug } from "./slugs.ts";

/** Location of the posts, and how to read their front matter. */
export interface PostsPlace extends MarkdownPlace, FieldSettings {
  /** The posts as rendered by a site build; the folder is then not read. */
  readonly collected?: CollectedPosts | undefined;
}

/**
 * Parses all posts up to their front matter.
 *
 * @throws ImprintError `OPTIONS_INVALID` if the folder or the time zone doesn't exist
 */
export async function parsePosts(place: PostsPlace): Promise<ParsedFolder> {
  checkTimezone(place);
  return place.collected === undefined ? await parseFolder(place) : await parseEntries(place.collected, place);
}

/** Throws `OPTIONS_INVALID` if the time zone doesn't exist. */
export function checkTimezone({ timezone }: Pick<FieldSettings, "timezone">): void {
  if (isTimeZone(timezone)) return;
  throw new ImprintError("OPTIONS_INVALID", `"${timezone}" is not a time zone.`, {
    hint: 'Set `posts.timezone` to a name such as "UTC" or "Europe/Berlin".',
  });
}

/** Parses every Markdown file of a folder up to its front matter. */
export async function parseFolder(place: Omit<PostsPlace, "collected">): Promise<ParsedFolder> {
  const parsed: ParsedPost[] = [];
  const problems: PostProblem[] = [];
  const { paths, privatePaths, links } = await findMarkdown(place);
  const fileOf = (path: string): string => fileBelow(place.folder, path);
  for (const path of links) problems.push({ code: "POST_INVALID", file: fileOf(path), message: LINK });
  await mapPool(paths, FILES_AT_A_TIME, async (path) => {
    const result = await parseFile(path, place);
    if (result.kind === "post") parsed.push(result.post);
    else
      problems.push(...result.problems.map((each) => ({ code: "POST_INVALID" as const, file: fileOf(path), ...each })));
  });
  return {
    parsed: parsed.toSorted((one, other) => (one.file < other.file ? -1 : 1)),
    problems,
    privateFiles: privatePaths.map(fileOf),
  };
}

const FILES_AT_A_TIME = 16;

const LINK = "This is a symbolic link, and imprint doesn't follow links. Put the posts themselves here.";

async function parseFile(path: string, place: Omit<PostsPlace, "collected">): Promise<ParseResult> {
  const file = fileBelow(place.folder, path);
  const source = await readSource(join(place.root, file));
  if (source.kind === "refused") return { kind: "refused", problems: [source.problem] };
  return parsePost({ file, path, text: source.text }, place);
}

/** Returns the private files of a folder as drafts, if their front matter can be parsed. */
export async function parsePrivateFiles(place: PostsPlace): Promise<readonly ParsedPost[]> {
  const posts: ParsedPost[] = [];
  for (const path of await findPrivateMarkdown(place)) {
    const file = fileBelow(place.folder, path);
    const source = await readSource(join(place.root, file));
    const parsed = source.kind === "refused" ? undefined : parseFrontMatter(source.text);
    if (parsed?.kind !== "parsed") continue;
    const { frontMatter } = parsed;
    const fields = { ...readFields(frontMatter, place).fields, isDraft: true };
    posts.push({
      file,
      slug: foldSlug(fields.slug ?? contentIdOf(path)),
      fields,
      written: fields,
      doubts: [],
      frontMatter,
    });
  }
  return posts;
}

/** Returns why a post isn't published now; empty if it is. */
export function holdingOf({ file, slug, fields, doubts }: ParsedPost, now: Date): HeldFile[] {
  const { title, publishedAt, expiresAt, isDraft } = fields;
  const held = { file, slug, title, publishedAt };
  const due = latest(publishedAt, fields.waitsUntil);
  if (isDraft) return [{ ...held, reason: "draft" }];
  if (doubts.length > 0) return [{ ...held, reason: "unclear", doubts }];
  if (due !== undefined && due > now) return [{ ...held, publishedAt: due, reason: "scheduled" }];
  if (expiresAt !== undefined && expiresAt <= now) return [{ ...held, reason: "expired" }];
  return [];
}

function latest(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}
