import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { ImprintError } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import type { Options } from "../../options/schema.ts";
import type { BuiltSite, SiteWarning } from "../../site/model.ts";
import type { SitePost } from "../post.ts";
import { createBuiltImages } from "../render/built-images.ts";
import type { CollectedPosts } from "../read/collected.ts";
import { createLifter } from "../render/lift/lift-post.ts";
import type { ParsedFolder, ParsedPost } from "../read/parse-post.ts";
import type { ResolveLink } from "../render/post-links.ts";
import { renderPlace, type PostProblem } from "../read/problems.ts";
import { readPosts, type PostsRead } from "./read-posts.ts";
import { renderPostPlaceholder } from "../../html/post-placeholders.ts";
import { ON_HOLD } from "../plan/changes.ts";
import { createSiteRenderer, type RenderMarkdown } from "../render/render-markdown.ts";
import { normalizeRoute } from "../../contract/slug.ts";
import { findSettling } from "./settling.ts";
import { isCalledLike } from "./held-texts.ts";
import type { PostPlace, PostPlaces } from "./post-places.ts";

/** A post that isn't sent because of a problem in its file. The others are still sent. */
export interface InvalidPost {
  readonly file: string;
  readonly error: ImprintError;
}

export interface DesiredPosts extends PostsRead {
  readonly invalid: readonly InvalidPost[];
  readonly warnings: readonly SiteWarning[];
}

export interface PostsContext {
  readonly projectRoot: string;
  readonly options: Options;
  readonly logger: Logger;
  readonly markdown: RenderMarkdown | undefined;
  /** The posts of a content collection as rendered by the build; without them, the folder is read. */
  readonly collected?: CollectedPosts | undefined;
  /** Why images of posts can't be sent, by hash: detected while preparing them. */
  readonly brokenImages?: ReadonlyMap<string, string> | undefined;
  /** Slug of every published page by route. */
  readonly slugs: ReadonlyMap<string, string>;
  /** The pages that show posts. */
  readonly places: PostPlaces;
  readonly pageHref: (slug: string) => string;
  /** The posts parsed up to their front matter, if that already happened. */
  readonly parsed?: ParsedFolder | undefined;
  /** `everything`: includes drafts and later posts, for inspection. Default: "due". */
  readonly reads?: "due" | "everything" | undefined;
}

const NO_POSTS: DesiredPosts = { posts: [], invalid: [], problems: [], held: [], warnings: [], privateFiles: [] };

/** Reads the Markdown posts if the site publishes any. */
export async function desirePosts(
  built: BuiltSite | Pick<BuiltSite, "base">,
  context: PostsContext,
): Promise<DesiredPosts> {
  const { projectRoot, options, logger, markdown, collected, brokenImages } = context;
  if (options.posts === false) return NO_POSTS;
  const now = new Date();
  const read = await readPosts({
    ...options.posts,
    root: projectRoot,
    collected,
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
    resolveLink: linkResolver(built, context),
    isUnpublishedPage: "root" in built ? undefined : (path) => hasPage(routeOf(path, built.base) ?? path, projectRoot),
  });
  const { folder, settle: settleMs } = options.posts;
  return {
    ...read,
    posts: await findSettling(read.posts, { projectRoot, folder, settleMs, now }),
    invalid: groupProblems(read.problems),
    warnings: [
      ...read.held.flatMap(({ file, doubts = [] }) => doubts.map((doubt) => ({ code: ON_HOLD, file, ...doubt }))),
      ...read.posts.flatMap((post) => post.warnings),
      ...warnOfGuesses(read.posts, context),
    ],
  };
}

// A page whose route merely ends with the slug may be another one. The post is then shown nowhere, so its author gets a
// warning.
function warnOfGuesses(posts: readonly SitePost[], { options, places }: PostsContext): readonly SiteWarning[] {
  if (options.posts === false || options.posts.target === "blog") return [];
  return posts.flatMap(({ file, slug }) => {
    const place = places.find(slug);
    if (place === undefined || !isGuess(place, options)) return [];
    const message = `imprint uses the site's page ${place.route} as the page of this post, because the route ends with the post's slug. If it is a different page, give the post another slug.`;
    return [{ code: "post-page", file, message }];
  });
}

function isGuess({ kind, route }: PostPlace, { posts }: Options): boolean {
  if (posts === false || kind !== "site") return false;
  const parents = new Set([posts.blog.slug, basename(posts.folder)]);
  return !route.split("/").some((part) => parents.has(part));
}

// Links between posts lead to the post's page. Without one, or if that may be another page, they lead to its address in
// the blog, which isn't known until the post exists.
function linkResolver(
  built: BuiltSite | Pick<BuiltSite, "base">,
  { slugs, places, pageHref, options }: PostsContext,
): ResolveLink {
  const isInBlog = options.posts !== false && options.posts.target === "blog";
  const mayBeOther = (post: ParsedPost, place: PostPlace): boolean => {
    if (!isInBlog || !isGuess(place, options)) return false;
    const page = "root" in built ? built.pages.find(({ route }) => route === place.route) : undefined;
    return page === undefined || !("root" in built) || !isCalledLike(post, page, built);
  };
  return ({ href, suffix, from, to }) => {
    if (to !== undefined) {
      const place = places.find(to.slug);
      const slug = place === undefined || mayBeOther(to, place) ? undefined : place.slug;
      return (slug === undefined ? renderPostPlaceholder(to.slug) : pageHref(slug)) + suffix;
    }
    const route = routeOf(href, built.base) ?? routeFrom(href, places.find(from.slug));
    const slug = route === undefined ? undefined : slugs.get(route);
    return slug === undefined ? undefined : pageHref(slug) + suffix;
  };
}

const PAGE_FILES = [
  ...["dist/*/index.html", "dist/*.html"],
  ...["astro", "md", "mdx", "html"].flatMap((ending) => [`src/pages/*.${ending}`, `src/pages/*/index.${ending}`]),
];

/** Whether the site has a page of this route, as far as its files show: a route with parameters is seen once built. */
function hasPage(route: string, projectRoot: string): boolean {
  const path = route.replaceAll(/^\/+|\/+$/g, "");
  const isThere = (file: string) =>
    existsSync(
      join(
        projectRoot,
        file.replace("*", () => path),
      ),
    );
  return PAGE_FILES.some(isThere);
}

function routeOf(href: string, base: string): string | undefined {
  const path = href.replace(/[?#].*$/s, "");
  if (!path.startsWith("/")) return undefined;
  return normalizeRoute(path.startsWith(base) ? path.slice(base.length - 1) : path);
}

// On the site, a relative link leads on from the post's page.
function routeFrom(href: string, place: PostPlace | undefined): string | undefined {
  if (place === undefined) return undefined;
  const url = URL.parse(href, `http://site.invalid${place.route}`);
  return url === null ? undefined : normalizeRoute(url.pathname);
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
