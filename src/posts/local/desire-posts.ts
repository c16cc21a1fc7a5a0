import { basename } from "node:path";
import { ImprintError } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import type { Options } from "../../options/schema.ts";
import type { BuiltSite, SiteWarning } from "../../site/model.ts";
import type { SitePost } from "../post.ts";
import { createBuiltImages } from "../render/built-images.ts";
import type { CollectedPosts } from "../read/collected.ts";
import { createLifter } from "../render/lift/lift-post.ts";
import type { ParsedFolder } from "../read/parse-folder.ts";
import type { ResolveLink } from "../render/post-links.ts";
import { renderPlace, type PostProblem } from "../read/problems.ts";
import { readPosts, type HeldPost, type ParsePostsSettings } from "./read-posts.ts";
import { renderPostPlaceholder } from "../../html/post-placeholders.ts";
import { ON_HOLD, type HeldFile } from "../plan/changes.ts";
import { createSiteRenderer, type RenderMarkdown } from "../render/render-markdown.ts";
import { normalizeRoute } from "../../contract/slug.ts";
import { findSettling } from "./settling.ts";
import type { PostPlaces } from "./post-places.ts";

/** A post that is not sent because of what its file says; the others go on. */
export interface InvalidPost {
  readonly file: string;
  readonly error: ImprintError;
}

export interface DesiredPosts {
  readonly posts: readonly SitePost[];
  readonly invalid: readonly InvalidPost[];
  /** Everything that is wrong with the files of posts, each with its place. */
  readonly problems: readonly PostProblem[];
  readonly held: readonly HeldFile[];
  readonly warnings: readonly SiteWarning[];
  /** Files that were skipped because a name in their path starts with an underscore. */
  readonly privateFiles: readonly string[];
}

export interface PostsContext {
  readonly projectRoot: string;
  readonly options: Options;
  readonly logger: Logger;
  readonly markdown: RenderMarkdown | undefined;
  /** The posts of a content collection, rendered by the build; without them the folder is read. */
  readonly collected?: CollectedPosts | undefined;
  /** Why images of posts can't be sent, by hash: found out when they were made ready. */
  readonly brokenImages?: ReadonlyMap<string, string> | undefined;
  /** Slug of every published page by route. */
  readonly slugs: ReadonlyMap<string, string>;
  /** The pages that show posts. */
  readonly places: PostPlaces;
  readonly pageHref: (slug: string) => string;
  /** The posts as far as their front matter, where they were read before. */
  readonly parsed?: ParsedFolder | undefined;
  /** `everything`: drafts and later posts too, to be looked at. Default: "due". */
  readonly reads?: "due" | "everything" | undefined;
}

const NO_POSTS: DesiredPosts = { posts: [], invalid: [], problems: [], held: [], warnings: [], privateFiles: [] };

/** Reads the markdown posts, if the site publishes any. */
export async function desirePosts(
  built: BuiltSite | Pick<BuiltSite, "base">,
  context: PostsContext,
): Promise<DesiredPosts> {
  const { projectRoot, options, logger, markdown, collected, brokenImages } = context;
  if (options.posts === false) return NO_POSTS;
  const now = new Date();
  const { posts, problems, drafts, scheduled, unclear, unrendered, privateFiles } = await readPosts({
    ...postsPlaceOf(options.posts, context),
    parsed: context.parsed,
    lift: "root" in built ? createLifter(built) : undefined,
    images: {
      broken: brokenImages,
      findBuilt: "root" in built ? createBuiltImages(built, collected?.imagesAside) : undefined,
    },
    base: built.base,
    now,
    reads: context.reads,
    logger,
    render: markdown ?? createSiteRenderer(projectRoot),
    remembers: true,
    resolveLink: linkResolver(built, context),
  });
  const { folder, settle: settleMs } = options.posts;
  const settings = { projectRoot, folder, settleMs, now };
  return {
    posts: await findSettling(posts, settings),
    invalid: groupProblems(problems),
    problems,
    held: [
      ...heldFiles({ problems, waiting: [...drafts, ...scheduled, ...unclear] }),
      ...unrendered.map((post) => ({ ...post, reason: "needs-build" as const })),
    ],
    warnings: [
      ...unclear.flatMap(warnOfDoubts),
      ...posts.flatMap((post) => post.warnings),
      ...warnOfGuesses(posts, context),
    ],
    privateFiles,
  };
}

function warnOfDoubts({ file, doubts = [] }: HeldPost): readonly SiteWarning[] {
  return doubts.map((doubt) => ({ code: ON_HOLD, file, ...doubt }));
}

/** Where the posts of a project are and how their front matter is read. */
export function postsPlaceOf(
  posts: Exclude<Options["posts"], false>,
  { projectRoot: root, collected }: Pick<PostsContext, "projectRoot" | "collected">,
): ParsePostsSettings {
  const { folder, timezone, fields, statuses, tags } = posts;
  return { root, folder, timeZone: timezone, fields, statuses, tagSeparator: tags, collected };
}

// A page that only ends like the post may be another one: then the post is shown nowhere, which its author has to hear.
function warnOfGuesses(posts: readonly SitePost[], { options, places }: PostsContext): readonly SiteWarning[] {
  if (options.posts === false || options.posts.target === "blog") return [];
  const parents = new Set([options.posts.blog.slug, basename(options.posts.folder)]);
  return posts.flatMap(({ file, slug }) => {
    const place = places.find(slug);
    const isGuess = place?.kind === "site" && !place.route.split("/").some((part) => parents.has(part));
    if (place === undefined || !isGuess) return [];
    const message = `The site's page ${place.route} is taken for the page of this post, since it ends with its slug. If it is another page, give the post another slug.`;
    return [{ code: "post-page", file, message }];
  });
}

// A file that can't be read is still there: its post is neither an orphan nor to be withdrawn.
function heldFiles({ problems, waiting }: { problems: readonly PostProblem[]; waiting: readonly HeldPost[] }) {
  const invalid = [...new Set(problems.map(({ file }) => file))];
  return [
    ...waiting.map(({ file, slug, reason, publishedAt, doubts }) => ({ file, slug, reason, publishedAt, doubts })),
    ...invalid.map((file) => ({ file, slug: undefined, reason: "invalid" as const })),
  ];
}

// Links between posts lead to the page of the post. Where it has none they lead to its place in the blog, which is not
// known before the post is there.
function linkResolver(built: Pick<BuiltSite, "base">, { slugs, places, pageHref }: PostsContext): ResolveLink {
  return ({ href, suffix, to }) => {
    if (to !== undefined) {
      const slug = places.find(to.slug)?.slug;
      return (slug === undefined ? renderPostPlaceholder(to.slug) : pageHref(slug)) + suffix;
    }
    const route = routeOf(href, built.base);
    const slug = route === undefined ? undefined : slugs.get(route);
    return slug === undefined ? undefined : pageHref(slug) + suffix;
  };
}

function routeOf(href: string, base: string): string | undefined {
  const path = href.replace(/[?#].*$/s, "");
  if (!path.startsWith("/")) return undefined;
  return normalizeRoute(path.startsWith(base) ? path.slice(base.length - 1) : path);
}

function groupProblems(problems: readonly PostProblem[]): readonly InvalidPost[] {
  const byFile = Map.groupBy(problems, (problem) => problem.file);
  return [...byFile].map(([file, found]) => ({ file, error: postError(file, found) }));
}

function postError(file: string, problems: readonly PostProblem[]): ImprintError {
  const lines = problems.map((problem) => `${renderPlace(problem)} ${problem.message}`);
  const [first] = problems;
  return new ImprintError(first?.code ?? "POST_INVALID", lines.join("\n"), {
    location: { file, line: first?.line, column: first?.column },
  });
}
