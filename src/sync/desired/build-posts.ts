import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { DesiredPosts, PostsContext } from "../../posts/local/desire-posts.ts";
import type { PlacedPosts } from "../../posts/local/place-posts.ts";
import { createPostPlaces } from "../../posts/local/post-places.ts";
import type { Lock } from "../lock.ts";
import type { Run } from "../run.ts";
import type { PageAddresses } from "./page-addresses.ts";

/** The posts of a project, and where each is published. */
export interface BuiltPosts {
  readonly posts: DesiredPosts;
  readonly placed: PlacedPosts;
}

export interface BuildPostsContext extends Pick<PostsContext, "parsed" | "reads" | "brokenImages"> {
  readonly addresses: Pick<PageAddresses, "href">;
  /** Slug of every page of the site itself, by route. Default: those of earlier runs. */
  readonly siteSlugs?: ReadonlyMap<string, string> | undefined;
}

/** The part of a run that posts need, as they are also read without a service. */
export interface PostsProject extends Pick<Run, "request" | "built"> {
  readonly memory: { readonly lock: Lock };
}

const NO_POSTS: DesiredPosts = { posts: [], invalid: [], problems: [], held: [], warnings: [], privateFiles: [] };
const NONE_PLACED: PlacedPosts = { posts: [], pages: [], assets: [], slugs: {} };

/** Reads the posts. A site without posts doesn't load the code that reads them. */
export async function buildPosts(
  { request, built, memory: { lock } }: PostsProject,
  { addresses, siteSlugs: slugs = lockedSiteSlugs(lock), parsed, reads, brokenImages }: BuildPostsContext,
): Promise<BuiltPosts> {
  const { projectRoot, options, logger, markdown, collected, hints } = request;
  if (options.posts === false || lacksPosts(request, options.posts.folder)) {
    return { posts: NO_POSTS, placed: NONE_PLACED };
  }
  request.onStep({ kind: "posts" });
  const places = createPostPlaces({ options, siteSlugs: slugs, locked: new Map(Object.entries(lock.slugs)) });
  const pageHref = addresses.href;
  const { desirePosts } = await import("../../posts/local/desire-posts.ts");
  const { placePosts } = await import("../../posts/local/place-posts.ts");
  const posts = await desirePosts(built ?? { base: hints?.base ?? "/" }, {
    projectRoot,
    options,
    logger,
    markdown,
    collected,
    brokenImages,
    slugs,
    places,
    pageHref,
    parsed,
    reads,
  });
  return { posts, placed: placePosts(posts.posts, { options, places, pageHref }) };
}

function lacksPosts({ projectRoot, mayLackPosts }: PostsProject["request"], folder: string): boolean {
  return mayLackPosts === true && !existsSync(resolve(projectRoot, folder));
}

// The pages of the site itself, with the slugs of earlier runs.
function lockedSiteSlugs({ slugs, postPages }: Lock): ReadonlyMap<string, string> {
  const made = new Set(postPages);
  return new Map(Object.entries(slugs).filter(([route]) => !made.has(route)));
}
