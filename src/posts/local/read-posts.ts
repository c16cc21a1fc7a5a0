import { resolve } from "node:path";
import { ImprintError } from "../../base/error.ts";
import { SILENT_LOGGER, type Logger } from "../../base/log.ts";
import type { SitePost } from "../post.ts";
import { composePost, hashUnrendered, needsBuild, renderPost, type RenderedPost } from "../render/build-post.ts";
import type { CollectedPosts } from "../read/collected.ts";
import { parseEntries } from "../read/collection.ts";
import { captureShikiWarnings, type RenderMarkdown } from "../render/render-markdown.ts";
import { isTimeZone } from "../read/dates.ts";
import { MARKDOWN_PATTERNS } from "../read/find-markdown.ts";
import type { FieldSettings, FieldMapping } from "../read/field-keys.ts";
import type { TagSeparator } from "../read/field-values.ts";
import type { LiftPost } from "../render/lift/lift-post.ts";
import { parseFolder, type ParsedFolder } from "../read/parse-folder.ts";
import type { ParsedPost } from "../read/parse-post.ts";
import { openPostCache } from "../render/post-cache.ts";
import type { ImagePlace } from "../render/post-images.ts";
import type { ResolveLink } from "../render/post-links.ts";
import type { PostProblem, Problem } from "../read/problems.ts";

/** Where posts are, and how their front matter is read. */
export interface ParsePostsSettings {
  /** Absolute path of the project. */
  readonly root: string;
  /** Folder of the posts, relative to the project. */
  readonly folder: string;
  /** The posts as a build of the site rendered them; the folder is not read then. */
  readonly collected?: CollectedPosts | undefined;
  /**
   * Glob patterns below the folder.
   *
   * @default ["**\/*.{md,markdown,mdx}"]
   */
  readonly patterns?: readonly string[];
  /**
   * IANA time zone of dates that name none.
   *
   * @default "UTC"
   */
  readonly timeZone?: string;
  /** Own front matter keys by field. */
  readonly fields?: OwnFields;
  /** Own words of a status, and whether they show a post. */
  readonly statuses?: FieldSettings["statuses"];
  /**
   * What separates tags that are written as one text.
   *
   * @default "comma"
   */
  readonly tagSeparator?: TagSeparator;
}

export interface ReadPostsSettings extends ParsePostsSettings {
  /** What `parsePosts` gave; without it, the posts are parsed. */
  readonly parsed?: ParsedFolder | undefined;
  /** Takes MDX from the pages that the site built of it; without it, MDX outside a collection waits for a build. */
  readonly lift?: LiftPost | undefined;
  /** What is known of images beyond the files of the project. */
  readonly images?: Pick<ImagePlace, "findBuilt" | "broken">;
  /**
   * Folder whose files the site serves from its root, relative to the project.
   *
   * @default "public"
   */
  readonly publicDir?: string;
  /**
   * Base path of the site, with slashes at both ends.
   *
   * @default "/"
   */
  readonly base?: string;
  readonly render: RenderMarkdown;
  /**
   * Whether rendered posts are remembered in the memory of the project.
   *
   * @default false
   */
  readonly remembers?: boolean;
  /** Gives links into the author's own site their published address. */
  readonly resolveLink: ResolveLink;
  /** Posts with a later date wait. */
  readonly now: Date;
  /**
   * `everything`: posts that are not to be published now are read like the others, to be looked at.
   *
   * @default "due"
   */
  readonly reads?: "due" | "everything";
  readonly logger?: Logger;
}

/** Own front matter keys by field, and keys that mean nothing. */
export interface OwnFields extends FieldMapping {
  readonly ignore?: readonly string[] | undefined;
}

/** A post that is not published now. */
export interface HeldPost {
  readonly file: string;
  readonly slug: string;
  readonly title: string | undefined;
  readonly reason: "draft" | "scheduled" | "expired" | "unclear";
  /** When a scheduled post is due: the latest of its publishing dates. */
  readonly publishedAt: Date | undefined;
  /** Of an unclear post, what nobody but its author can say. */
  readonly doubts?: readonly Problem[];
}

/** A post that is to be published and that only a build of the site can render. */
export interface UnrenderedPost {
  readonly file: string;
  readonly slug: string;
  /** As `SitePost.sourceHash`; `undefined` where only the rendered body shows it. */
  readonly sourceHash: string | undefined;
}

export interface PostsRead {
  /** Complete posts, oldest first, those without a date at the end. */
  readonly posts: readonly SitePost[];
  /** Everything that keeps a post from being sent, sorted by file and line. */
  readonly problems: readonly PostProblem[];
  /** Posts that their authors hide, or do not show any more. */
  readonly drafts: readonly HeldPost[];
  /** Posts whose date is still to come. */
  readonly scheduled: readonly HeldPost[];
  /** Posts of which only their authors can say whether they may be published. */
  readonly unclear: readonly HeldPost[];
  readonly unrendered: readonly UnrenderedPost[];
  /** Files that were skipped because a name in their path starts with an underscore, sorted. */
  readonly privateFiles: readonly string[];
}

/**
 * Reads the markdown posts of a folder. What is wrong with a post is reported as data and the other posts go on; throws
 * `OPTIONS_INVALID` only when the folder or the time zone does not exist.
 */
export async function readPosts(settings: ReadPostsSettings): Promise<PostsRead> {
  const { parsed, problems, privateFiles } = settings.parsed ?? (await parsePosts(settings));
  const held = settings.reads === "everything" ? [] : parsed.flatMap((post) => holdingOf(post, settings.now));
  const heldFiles = new Set(held.map(({ file }) => file));
  const [scheduled, hidden] = [held.filter(isScheduled), held.filter((post) => !isScheduled(post))];
  const hiddenFiles = new Set(hidden.map(({ file }) => file));
  const taken = findTakenSlugs(parsed.filter(({ file }) => !hiddenFiles.has(file)));
  const takenFiles = new Set(taken.map(({ file }) => file));
  const due = parsed.filter(({ file }) => !heldFiles.has(file) && !takenFiles.has(file));
  const built = await buildPosts(due, { ...settings, files: parsed.map(({ file }) => file) });
  return {
    posts: built.posts.toSorted(byDate),
    problems: [...problems, ...taken, ...built.problems].toSorted(byPlace),
    drafts: hidden.filter(({ reason }) => reason !== "unclear"),
    scheduled,
    unclear: hidden.filter(({ reason }) => reason === "unclear"),
    unrendered: built.unrendered,
    privateFiles,
  };
}

/** Reads all posts as far as their front matter. Throws as `readPosts` does. */
export async function parsePosts(settings: ParsePostsSettings): Promise<ParsedFolder> {
  const { root, folder, patterns = MARKDOWN_PATTERNS, collected } = settings;
  const fieldSettings = fieldSettingsOf(settings);
  return collected === undefined
    ? await parseFolder({ root, folder, patterns }, fieldSettings)
    : await parseEntries(collected, { root, folder, patterns, settings: fieldSettings });
}

/** Throws `OPTIONS_INVALID` when there is no such time zone. */
export function fieldSettingsOf({
  timeZone = "UTC",
  fields: { ignore = [], ...mapping } = {},
  statuses = {},
  tagSeparator = "comma",
}: Pick<ReadPostsSettings, "timeZone" | "fields" | "statuses" | "tagSeparator">): FieldSettings {
  if (isTimeZone(timeZone)) return { timeZone, mapping, ignore, statuses, tagSeparator };
  throw new ImprintError("OPTIONS_INVALID", `"${timeZone}" is not a time zone.`, {
    hint: 'Set `posts.timezone` to a name such as "UTC" or "Europe/Berlin".',
  });
}

/** Why a post is not published now; empty when it is. */
export function holdingOf({ file, slug, fields, doubts }: ParsedPost, now: Date): HeldPost[] {
  const { title, publishedAt, expiresAt, isDraft } = fields;
  const held = { file, slug, title, publishedAt };
  const due = latest(publishedAt, fields.waitsUntil);
  if (isDraft) return [{ ...held, reason: "draft" }];
  if (doubts.length > 0) return [{ ...held, reason: "unclear", doubts }];
  if (due !== undefined && due > now) return [{ ...held, publishedAt: due, reason: "scheduled" }];
  if (expiresAt !== undefined && expiresAt <= now) return [{ ...held, reason: "expired" }];
  return [];
}

function isScheduled({ reason }: HeldPost): boolean {
  return reason === "scheduled";
}

function latest(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}

/** Neither of two posts with one slug is sent: which of them should have it is for the author to say. */
function findTakenSlugs(posts: readonly ParsedPost[]): PostProblem[] {
  const groups = Map.groupBy(posts, ({ slug }) => slug);
  return [...groups].flatMap(([slug, group]) => {
    if (group.length < 2) return [];
    const files = new Intl.ListFormat("en").format(group.map(({ file }) => file));
    return group.map(({ file, frontMatter }) => ({
      code: "POST_SLUG_TAKEN" as const,
      file,
      ...frontMatter.positionOf("slug"),
      message: `${files} want the slug "${slug}".`,
    }));
  });
}

type PostsBuilt = Pick<PostsRead, "posts" | "problems" | "unrendered">;

/** `files` are all posts of the folder, of which those that are not rendered can't be linked to. */
async function buildPosts(
  due: readonly ParsedPost[],
  settings: ReadPostsSettings & { readonly files: readonly string[] },
): Promise<PostsBuilt> {
  const { root, publicDir = "public", base = "/", logger = SILENT_LOGGER, images, lift, render } = settings;
  if (due.length === 0) return { posts: [], problems: [], unrendered: [] };
  const rendered: RenderedPost[] = [];
  const problems: PostProblem[] = [];
  const place = { root, base, publicDir: resolve(root, publicDir), ...images };
  const cache = settings.remembers === true ? openPostCache({ projectRoot: root, logger }) : undefined;
  await captureShikiWarnings(logger, async () => {
    for (const post of due.filter((each) => !needsBuild(each, lift))) {
      const result = await renderPost(post, { ...place, render, lift, cache });
      if (result.kind === "rendered") rendered.push(result.rendered);
      else problems.push(...result.problems);
    }
  });
  const waiting = due.filter((each) => needsBuild(each, lift));
  const published = new Map([...rendered.map(({ parsed }) => parsed), ...waiting].map((post) => [post.file, post]));
  const held = new Set(settings.files.filter((file) => !published.has(file)));
  const links = { resolveLink: settings.resolveLink, published, held };
  const posts: SitePost[] = [];
  for (const post of rendered) posts.push(await composePost(post, links));
  cache?.save();
  const unrendered: UnrenderedPost[] = [];
  for (const post of waiting) {
    unrendered.push({ file: post.file, slug: post.slug, sourceHash: await hashUnrendered(post, place) });
  }
  return { posts, problems, unrendered };
}

function byDate(one: SitePost, other: SitePost): number {
  const time = ({ publishedAt }: SitePost): number => publishedAt?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return time(one) - time(other) || (one.file < other.file ? -1 : 1);
}

function byPlace(one: PostProblem, other: PostProblem): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return (one.line ?? 0) - (other.line ?? 0);
}
