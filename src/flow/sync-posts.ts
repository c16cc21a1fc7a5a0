import { SILENT_LOGGER } from "../base/log.ts";
import type { Logger } from "../base/log.ts";
import { ImprintError } from "../base/error.ts";
import { connect } from "../client/connect.ts";
import type { Capabilities, ImprintApi } from "../client/api.ts";
import type { Options } from "../options/schema.ts";
import type { RenderMarkdown } from "../site/posts/render-markdown.ts";
import { applyAssets } from "../sync/apply/assets.ts";
import type { ApplyContext, Outcome } from "../sync/apply.ts";
import type { Plan } from "../sync/changes.ts";
import { collectAssets } from "../sync/desired.ts";
import type { DesiredBlog } from "../sync/desired.ts";
import { knowAssets } from "../sync/known.ts";
import type { Seen } from "../sync/known.ts";
import { listAssets } from "../sync/list-assets.ts";
import type { ListedAssets } from "../sync/list-assets.ts";
import { planAssets } from "../sync/plan/assets.ts";
import { applyBlogPosts } from "../sync/posts/apply-blog.ts";
import type { PostsWork } from "../sync/posts/apply-blog.ts";
import { knowBlog } from "../sync/posts/know-blog.ts";
import type { KnownBlog } from "../sync/posts/know-blog.ts";
import { planBlog, planBlogPosts } from "../sync/posts/plan-blog.ts";
import type { PostsPort } from "../sync/posts/port.ts";
import { takeRunLock } from "../sync/run-lock.ts";
import { createStateFiles } from "../sync/state-files.ts";
import type { StateFiles } from "../sync/state-files.ts";
import { createStateKeeper } from "../sync/state-keeper.ts";
import type { State } from "../sync/state.ts";
import { desirePosts } from "./desire-posts.ts";
import type { DesiredPosts } from "./desire-posts.ts";
import { createPostsPort } from "./posts-port.ts";
import { prepareAssets } from "./prepare.ts";
import type { Target } from "./target.ts";

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
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
  readonly onOutcome?: (outcome: Outcome) => void;
}

export interface PostsRun {
  readonly plan: Pick<Plan, "assets" | "blog" | "posts">;
  readonly local: DesiredPosts;
  readonly known: KnownBlog;
  readonly seen: Seen;
  readonly capabilities: Capabilities;
  readonly outcomes: readonly Outcome[];
}

/**
 * Publishes the posts of a folder.
 *
 * @throws ImprintError as `publish` does, and `OPTIONS_INVALID` when the options name no posts
 */
export async function syncPosts(request: PostsRequest): Promise<PostsRun> {
  if (request.dryRun === true) return withPosts(request, planOnly);
  const lock = await takeRunLock(request.projectRoot);
  try {
    return await withPosts(request, carryOut);
  } finally {
    await lock.release();
  }
}

/** What a posts command works with. */
export interface PostsScene {
  readonly request: PostsRequest;
  readonly api: ImprintApi;
  readonly files: StateFiles;
  readonly state: State;
  readonly port: PostsPort;
  readonly local: DesiredPosts;
  readonly blog: DesiredBlog;
}

/** Reads the posts, connects, and frees everything afterwards. */
export async function withPosts<Result>(
  request: PostsRequest,
  work: (scene: PostsScene) => Promise<Result>,
): Promise<Result> {
  const { projectRoot, target, signal, logger = SILENT_LOGGER, dryRun = false } = request;
  const files = createStateFiles(projectRoot, target.identity);
  if (!dryRun) await files.check();
  const local = await readLocalPosts(request, Object.entries((await files.readLock()).slugs));
  const api = await connect({ ...target, stop: signal, logger });
  try {
    const { identity } = target;
    const { capabilities } = api;
    const port = createPostsPort({ projectRoot, files, identity, capabilities, dryRun, signal });
    const blog = blogOf(request.options, local);
    return await work({ request, api, files, state: await files.readState(), port, local, blog });
  } finally {
    await api.close();
  }
}

/** Reads the posts of a folder. `slugs` are those of the published pages, by route: links lead to them. */
export async function readLocalPosts(
  { projectRoot, options, logger = SILENT_LOGGER, markdown, base = "/" }: Omit<PostsRequest, "target">,
  slugs: readonly (readonly [string, string])[],
): Promise<DesiredPosts> {
  const context = { projectRoot, options, logger, markdown, slugs: new Map(slugs) };
  return await desirePosts({ base }, { ...context, pageHref: (slug) => `/p/${slug}` });
}

function blogOf({ posts, site }: Options, { held }: DesiredPosts): DesiredBlog {
  if (posts === false) {
    throw new ImprintError("OPTIONS_INVALID", "The options name no posts.", {
      hint: "Set `posts: {}`, or `posts.folder` where they are not in src/content/blog.",
    });
  }
  const { id, name = site.name ?? "Blog", slug, create } = posts.blog;
  return { id, name, slug, create, held, collection: posts.folder };
}

async function planOnly(scene: PostsScene): Promise<PostsRun> {
  const { api, state, port, local, blog, request } = scene;
  const { capabilities } = api;
  const desired = { blog, posts: local.posts, assets: collectAssets(local.posts.map(({ assets }) => assets)) };
  const known = await knowBlog(desired, { api, blogId: state.blogId, port });
  const unasked: ListedAssets = { items: [], library: state.library, goneAssets: [] };
  const library = desired.assets.size === 0 ? unasked : await listAssets(desired.assets.keys(), { api, state });
  const assets = knowAssets(desired, { listed: library.items, state });
  const rules = { prune: request.options.prune };
  const input = { desired, known, capabilities, rules };
  return {
    plan: {
      assets: planAssets({ desired, known: { assets }, capabilities }),
      blog: planBlog(input),
      posts: planBlogPosts(input),
    },
    ...{ local, known, capabilities },
    seen: { ...library, otherPages: state.otherPages ?? [], seenAt: state.seenAt },
    outcomes: [],
  };
}

async function carryOut(scene: PostsScene): Promise<PostsRun> {
  const { request, api, files, state, port, local, blog } = scene;
  const { projectRoot, options, signal, logger = SILENT_LOGGER } = request;
  const run = await planOnly(scene);
  const { plan, known, capabilities } = run;
  const outcomes: Outcome[] = [];
  // Nothing is made ready beforehand: a broken image keeps back the posts that use it, and the others go on.
  const prepare = await prepareAssets([], { projectRoot, options, logger, signal });
  const journal = await files.openJournal(state);
  const posts: PostsWork = {
    ...port,
    desired: { blog, posts: local.posts },
    known: known.posts,
    rules: { capabilities, prune: options.prune === true },
  };
  const context: ApplyContext = {
    ...{ api, prepare, posts, seen: run.seen, concurrency: UPLOADS_AT_ONCE },
    keeper: createStateKeeper(state, journal),
    pageUrl: () => undefined,
    onOutcome(outcome) {
      outcomes.push(outcome);
      request.onOutcome?.(outcome);
    },
  };
  try {
    const addresses = await applyAssets(plan.assets, context);
    await applyBlogPosts(plan, { ...context, addresses });
  } finally {
    await journal.close();
  }
  return { ...run, outcomes };
}

const UPLOADS_AT_ONCE = 8;
