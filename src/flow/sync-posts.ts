import { SILENT_LOGGER } from "../base/log.ts";
import type { Logger } from "../base/log.ts";
import { ImprintError } from "../base/error.ts";
import type { Capabilities, ImprintApi } from "../client/api.ts";
import type { Options } from "../options/schema.ts";
import type { RenderMarkdown } from "../site/posts/render-markdown.ts";
import type { Outcome } from "../sync/apply.ts";
import type { Plan } from "../sync/changes.ts";
import type { DesiredBlog } from "../sync/desired.ts";
import type { Seen } from "../sync/known.ts";
import type { KnownBlog } from "../sync/posts/know-blog.ts";
import type { ProbeResult } from "../sync/posts/probe.ts";
import type { PostsPort } from "../sync/posts/port.ts";
import { takeRunLock } from "../sync/run-lock.ts";
import { createStateFiles } from "../sync/state-files.ts";
import type { StateFiles } from "../sync/state-files.ts";
import type { Lock, State } from "../sync/state.ts";
import { applyPostsScene } from "./apply-posts-scene.ts";
import { connectTarget } from "./connect-target.ts";
import { desireBlog } from "./desire-blog.ts";
import { desirePosts } from "./desire-posts.ts";
import type { DesiredPosts } from "./desire-posts.ts";
import { placePosts } from "./place-posts.ts";
import type { PlacedPosts } from "./place-posts.ts";
import { planPostsScene } from "./plan-posts-scene.ts";
import { createPostPlaces } from "./post-places.ts";
import { createPostsPort } from "./posts-port.ts";
import type { Target } from "./target.ts";
import { findUnreadFiles } from "./unread-files.ts";

/** A run that works on posts only, without a built site. */
export interface PostsRequest {
  readonly projectRoot: string;
  readonly options: Options;
  readonly target: Target;
  /** Base path of the site, with slashes at both ends. Default: "/". */
  readonly base?: string;
  readonly markdown?: RenderMarkdown;
  /** Only plan. Default: false. */
  readonly dryRun?: boolean;
  /**
   * Whether one edited post is sent again to find out whether the service then changes it. A service that makes a second
   * post instead keeps that for good. Default: false.
   */
  readonly probes?: boolean;
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
  readonly onOutcome?: (outcome: Outcome) => void;
}

export interface PostsRun {
  readonly plan: Pick<Plan, "assets" | "pages" | "blog" | "posts">;
  readonly local: DesiredPosts;
  readonly known: KnownBlog;
  readonly seen: Seen;
  readonly capabilities: Capabilities;
  readonly outcomes: readonly Outcome[];
  /** What was found out by sending a post again; `undefined` when it was not tried. */
  readonly probe?: ProbeResult | undefined;
}

/**
 * Publishes the posts of a folder.
 *
 * @throws ImprintError as `publish` does, and `OPTIONS_INVALID` when the options name no posts
 */
export async function syncPosts(request: PostsRequest): Promise<PostsRun> {
  if (request.dryRun === true) return withPosts(request, planPostsScene);
  return withPosts(request, applyPostsScene);
}

/** What a posts command works with. */
export interface PostsScene {
  readonly request: PostsRequest;
  readonly api: ImprintApi;
  readonly files: StateFiles;
  readonly state: State;
  readonly port: PostsPort;
  readonly local: DesiredPosts;
  /** What of the posts goes where. */
  readonly placed: PlacedPosts;
  readonly lock: Lock;
  /** `undefined` when posts become pages only. */
  readonly blog: DesiredBlog | undefined;
}

/**
 * Reads the posts, connects, and frees everything afterwards. What is no dry run holds the run lock meanwhile, since it
 * may write what is remembered of the posts.
 */
export async function withPosts<Result>(
  request: PostsRequest,
  work: (scene: PostsScene) => Promise<Result>,
): Promise<Result> {
  if (request.dryRun === true) return await openScene(request, work);
  const lock = await takeRunLock(request.projectRoot);
  try {
    return await openScene(request, work);
  } finally {
    await lock.release();
  }
}

async function openScene<Result>(request: PostsRequest, work: (scene: PostsScene) => Promise<Result>): Promise<Result> {
  const { projectRoot, target, signal, logger = SILENT_LOGGER, dryRun = false } = request;
  const files = createStateFiles(projectRoot, target.identity);
  if (!dryRun) await files.check();
  const lock = await files.readLock();
  const { local, placed } = await readLocalPosts(request, { lock, reads: "due" });
  const api = await connectTarget(target, { stop: signal, logger });
  try {
    const { identity } = target;
    const { capabilities } = api;
    const port = createPostsPort({
      projectRoot,
      options: request.options,
      files,
      identity,
      capabilities,
      dryRun,
      signal,
    });
    const unread = findUnreadFiles(lock, { projectRoot, local });
    const blog = blogOf(request.options, { held: local.held, unread });
    return await work({ request, api, files, state: await files.readState(), port, local, placed, lock, blog });
  } finally {
    await api.close();
  }
}

export interface LocalPosts {
  readonly local: DesiredPosts;
  readonly placed: PlacedPosts;
}

/** Reads the posts of a folder without a service. */
export async function readPostsFolder(
  request: Omit<PostsRequest, "target">,
  reads: "due" | "everything" = "due",
): Promise<LocalPosts> {
  const lock = await createStateFiles(request.projectRoot, "").readLock();
  return await readLocalPosts(request, { lock, reads });
}

// The lock file tells the pages of the site, to which links lead.
async function readLocalPosts(
  { projectRoot, options, logger = SILENT_LOGGER, markdown, base = "/" }: Omit<PostsRequest, "target">,
  { lock, reads }: { readonly lock: Lock; readonly reads: "due" | "everything" },
): Promise<LocalPosts> {
  const made = new Set(lock.postPages);
  const locked = new Map(Object.entries(lock.slugs));
  const slugs = new Map([...locked].filter(([route]) => !made.has(route)));
  const places = createPostPlaces({ options, siteSlugs: slugs, locked });
  const local = await desirePosts({ base }, { projectRoot, options, logger, markdown, slugs, places, pageHref, reads });
  return { local, placed: placePosts(local.posts, { options, places, pageHref }) };
}

function pageHref(slug: string): string {
  return `/p/${slug}`;
}

function blogOf(options: Options, files: Pick<DesiredBlog, "held" | "unread">): DesiredBlog | undefined {
  if (options.posts === false) {
    throw new ImprintError("OPTIONS_INVALID", "The options name no posts.", {
      hint: "Set `posts: {}`, or `posts.folder` where they are not in src/content/blog.",
    });
  }
  return desireBlog(options, { siteName: options.site.name ?? "Blog", ...files });
}
