import { resolve } from "node:path";
import { SILENT_LOGGER, type Logger } from "../../base/log.ts";
import { listNames } from "../../base/list-names.ts";
import type { HeldFile } from "../plan/changes.ts";
import type { SitePost } from "../post.ts";
import type { ParsedFolder, ParsedPost } from "../read/parse-post.ts";
import { holdingOf, parsePosts, type PostsPlace } from "../read/parse-posts.ts";
import type { PostProblem } from "../read/problems.ts";
import { composePost, hashUnrendered, needsBuild, renderPost, type RenderedPost } from "../render/build-post.ts";
import type { LiftPost } from "../render/lift/lift-post.ts";
import { openPostCache } from "../render/post-cache.ts";
import type { ImagePlace } from "../render/post-images.ts";
import type { LinkTargets, ResolveLink } from "../render/post-links.ts";
import { captureShikiWarnings, type RenderMarkdown } from "../render/render-markdown.ts";

export interface ReadPostsSettings extends PostsPlace {
  /** The result of `parsePosts`; without it, the posts are parsed. */
  readonly parsed?: ParsedFolder | undefined;
  /**
   * Takes MDX posts from the pages that the site built from them. Without it, MDX outside a collection waits for a
   * build.
   */
  readonly lift?: LiftPost | undefined;
  /** Information about images beyond the project's files. */
  readonly images?: Pick<ImagePlace, "findBuilt" | "broken">;
  /**
   * Base path of the site, with slashes at both ends.
   *
   * @default "/"
   */
  readonly base?: string;
  readonly render: RenderMarkdown;
  /** Resolves links into the author's own site to their published addresses. */
  readonly resolveLink: ResolveLink;
  readonly isUnpublishedPage?: LinkTargets["isUnpublishedPage"];
  /** Posts with a later date wait. */
  readonly now: Date;
  /**
   * `everything`: also reads posts that aren't to be published now, for inspection.
   *
   * @default "due"
   */
  readonly reads?: "due" | "everything" | undefined;
  readonly logger?: Logger;
}

export interface PostsRead {
  /** Complete posts, oldest first; posts without a date come last. */
  readonly posts: readonly SitePost[];
  /** Everything that prevents a post from being sent, sorted by file and line. */
  readonly problems: readonly PostProblem[];
  /** Files of posts that aren't published now or that can't be read or rendered here. */
  readonly held: readonly HeldFile[];
  /** Files that were skipped because a name in their path starts with an underscore, sorted. */
  readonly privateFiles: readonly string[];
}

/**
 * Reads the Markdown posts of a folder. Problems of a post are returned as data, and the other posts continue. Throws
 * `OPTIONS_INVALID` only if the folder or the time zone doesn't exist.
 */
export async function readPosts(settings: ReadPostsSettings): Promise<PostsRead> {
  const { parsed, problems, privateFiles } = settings.parsed ?? (await parsePosts(settings));
  const held = settings.reads === "everything" ? [] : parsed.flatMap((post) => holdingOf(post, settings.now));
  const heldFiles = new Set(held.map(({ file }) => file));
  const hidden = new Set(held.flatMap(({ file, reason }) => (reason === "scheduled" ? [] : file)));
  const taken = findTakenSlugs(parsed.filter(({ file }) => !hidden.has(file)));
  const takenFiles = new Set(taken.map(({ file }) => file));
  const due = parsed.filter(({ file }) => !heldFiles.has(file) && !takenFiles.has(file));
  const invalidFiles = new Set([...problems, ...taken].map(({ file }) => file));
  const built = await buildPosts(due, { ...settings, all: parsed, invalid: invalidFiles });
  const wrong = [...problems, ...taken, ...built.problems].toSorted(byPlace);
  // An unreadable file still exists, so its post is neither orphaned nor withdrawn.
  const unrendered = new Set(built.unrendered.map(({ file }) => file));
  const invalid = [...new Set(wrong.map(({ file }) => file))].filter((file) => !unrendered.has(file));
  return {
    posts: built.posts.toSorted(byDate),
    problems: wrong,
    held: [
      ...held,
      ...invalid.map((file) => ({ file, slug: undefined, reason: "invalid" as const })),
      ...built.unrendered,
    ],
    privateFiles,
  };
}

/** If two posts share a slug, neither is sent: the author has to decide which keeps it. */
function findTakenSlugs(posts: readonly ParsedPost[]): PostProblem[] {
  const groups = Map.groupBy(posts, ({ slug }) => slug);
  return [...groups].flatMap(([slug, group]) => {
    if (group.length < 2) return [];
    const files = listNames(group.map(({ file }) => file));
    return group.map(({ file, frontMatter }) => ({
      code: "POST_SLUG_TAKEN" as const,
      file,
      ...frontMatter.positionOf("slug"),
      message: `${files} have the same slug, "${slug}".`,
    }));
  });
}

/** `all` are the posts of the folder; those that aren't due can't be linked to, nor those with a problem. */
async function buildPosts(
  due: readonly ParsedPost[],
  settings: ReadPostsSettings & { readonly all: readonly ParsedPost[]; readonly invalid: ReadonlySet<string> },
): Promise<Pick<PostsRead, "posts" | "problems"> & { readonly unrendered: readonly HeldFile[] }> {
  const { root, base = "/", logger = SILENT_LOGGER, images, lift, render } = settings;
  if (due.length === 0) return { posts: [], problems: [], unrendered: [] };
  const rendered: RenderedPost[] = [];
  const problems: PostProblem[] = [];
  const unextracted: ParsedPost[] = [];
  const place = { root, base, publicDir: resolve(root, "public"), ...images };
  const cache = openPostCache({ projectRoot: root, logger });
  await captureShikiWarnings(logger, async () => {
    for (const post of due.filter((each) => !needsBuild(each, lift))) {
      const result = await renderPost(post, { ...place, render, lift, cache });
      if (result.kind === "rendered") rendered.push(result.rendered);
      else problems.push(...result.problems);
      if (result.kind === "refused" && result.isUnextracted === true) unextracted.push(post);
    }
  });
  const waiting = due.filter((each) => needsBuild(each, lift));
  const linkable = new Map(due.map((post) => [post.file, post]));
  const others = settings.all.filter(({ file }) => !linkable.has(file));
  const held = { files: new Set(others.map(({ file }) => file)), slugs: new Set(others.map(({ slug }) => slug)) };
  const { resolveLink, isUnpublishedPage, invalid } = settings;
  const links = { resolveLink, isUnpublishedPage, linkable, held, invalid };
  const posts: SitePost[] = [];
  for (const post of rendered) posts.push(await composePost(post, links));
  cache.save();
  const unrendered: HeldFile[] = [];
  for (const post of [...waiting, ...unextracted]) {
    const { file, slug } = post;
    const held: HeldFile = { file, slug, reason: "needs-build", sourceHash: await hashUnrendered(post, place) };
    unrendered.push(unextracted.includes(post) ? { ...held, isUnextracted: true } : held);
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
