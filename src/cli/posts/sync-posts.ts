import { SILENT_LOGGER, type Logger } from "../../base/log.ts";
import { ImprintError } from "../../base/error.ts";
import type { Capabilities } from "../../client/api.ts";
import type { Options } from "../../options/schema.ts";
import type { RenderMarkdown } from "../../posts/render/render-markdown.ts";
import type { Outcome } from "../../sync/apply.ts";
import type { Plan } from "../../sync/changes.ts";
import type { DesiredBlog } from "../../sync/desired.ts";
import type { Seen } from "../../sync/known.ts";
import type { KnownBlog } from "../../sync/known-blog.ts";
import type { ProbeResult } from "../../posts/apply/probe.ts";
import type { PostsPort } from "../../posts/apply/port.ts";
import { takeRunLock } from "../../sync/run-lock.ts";
import { createStateFiles, type StateFiles } from "../../sync/state-files.ts";
import { recallDialect, type Lock } from "../../sync/lock.ts";
import { ownerWithoutPages, type Owner } from "../../sync/project.ts";
import { applyPostsScene } from "./apply-posts-scene.ts";
import { desireBlog } from "../../posts/local/desire-blog.ts";
import { desirePosts, type DesiredPosts } from "../../posts/local/desire-posts.ts";
import { placePosts, type PlacedPosts } from "../../posts/local/place-posts.ts";
import { planPostsScene } from "./plan-posts-scene.ts";
import { createPostPlaces } from "../../posts/local/post-places.ts";
import { openRun, type OpenRun } from "../../target/open-run.ts";
import { createPageAddresses } from "../../sync/desired/page-addresses.ts";
import { createPostsPort } from "../../posts/apply/open-port.ts";
import { findRenamedFiles } from "../../posts/local/renamed-files.ts";
import { lockedServiceOf } from "../../sync/run-state.ts";
import type { Target } from "../../target/target.ts";
import { findUnreadFiles } from "../../posts/local/unread-files.ts";

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
  readonly known: KnownBlog & { readonly owner: Owner };
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
export interface PostsScene extends OpenRun {
  readonly request: PostsRequest;
  readonly files: StateFiles;
  readonly port: PostsPort;
  readonly local: DesiredPosts;
  /** What of the posts goes where. */
  readonly placed: PlacedPosts;
  /** Which project this is, as far as nothing has to be read for it. */
  readonly owner: Owner;
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
  const { identity } = target;
  const place = { projectRoot, identity, preview: undefined };
  const opened = await openRun({
    ...place,
    options: request.options,
    target,
    files,
    connection: { stop: signal, logger },
  });
  const { api, state, freshProject } = opened;
  try {
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
    const blog = await blogOf(request, { lock, local, unread });
    const owner = ownerWithoutPages(state, freshProject);
    return await work({ ...opened, request, files, port, local, placed, owner, blog });
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
  request: Omit<PostsRequest, "target"> & { readonly target?: Target },
  { lock, reads }: { readonly lock: Lock; readonly reads: "due" | "everything" },
): Promise<LocalPosts> {
  const { projectRoot, options, logger = SILENT_LOGGER, markdown, base = "/", target } = request;
  const pageHref = hrefOf(lock, { options, target });
  const made = new Set(lock.postPages);
  const locked = new Map(Object.entries(lock.slugs));
  const slugs = new Map([...locked].filter(([route]) => !made.has(route)));
  const places = createPostPlaces({ options, siteSlugs: slugs, locked });
  const local = await desirePosts({ base }, { projectRoot, options, logger, markdown, slugs, places, pageHref, reads });
  return { local, placed: placePosts(local.posts, { options, places, pageHref }) };
}

// Posts are read before the service is asked anything: where it shows pages is what earlier runs found.
function hrefOf(lock: Lock, { options, target }: { readonly options: Options; readonly target: Target | undefined }) {
  const dialect = target === undefined ? undefined : recallDialect(lock, lockedServiceOf(target));
  const { pagesUrl, files } = target ?? {};
  const capabilities = { pagesAt: dialect?.pagesAt };
  return createPageAddresses({ options, target: { pagesUrl, ...(files && { files }) }, capabilities }).href;
}

async function blogOf(
  { options, projectRoot }: PostsRequest,
  { lock, local, unread }: { readonly lock: Lock; readonly local: DesiredPosts } & Pick<DesiredBlog, "unread">,
): Promise<DesiredBlog | undefined> {
  if (options.posts === false) {
    throw new ImprintError("OPTIONS_INVALID", "The options name no posts.", {
      hint: "Set `posts: {}`, or `posts.folder` where they are not in src/content/blog.",
    });
  }
  const renamedFrom = await findRenamedFiles(lock, { projectRoot, folder: options.posts.folder, local });
  return desireBlog(options, { siteName: options.site.name ?? "Blog", held: local.held, unread, renamedFrom });
}
