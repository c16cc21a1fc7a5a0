import { SILENT_LOGGER } from "../../base/log.ts";
import { applyAssets } from "../../sync/apply/assets.ts";
import { applyDeletes } from "../../sync/apply/deletes.ts";
import { applyPages } from "../../sync/apply/pages.ts";
import type { ApplyContext, Outcome } from "../../sync/apply.ts";
import { applyBlogPosts, findUnpublishedPages, type PostsWork } from "../../sync/apply/blog.ts";
import type { ProbeResult } from "../../posts/apply/probe.ts";
import { openStateKeeper } from "../../sync/state-keeper.ts";
import { createPageAddresses } from "../../sync/desired/page-addresses.ts";
import { lockTarget } from "../../target/open-run.ts";
import { planPostsScene } from "./plan-posts-scene.ts";
import { rememberPostPages } from "../../posts/local/post-places.ts";
import { prepareAssets } from "../../sync/prepare.ts";
import type { PostsRun, PostsScene } from "./sync-posts.ts";

const REQUESTS_AT_ONCE = 8;

/** Plans the posts and does what the plan says. */
export async function applyPostsScene(scene: PostsScene): Promise<PostsRun> {
  return await carryOut(scene, await planPostsScene(scene));
}

/** Does what a plan says: images, pages made of posts, posts, deletes last. */
export async function carryOut(scene: PostsScene, run: PostsRun): Promise<PostsRun> {
  const { request, api, files, own, state, name } = scene;
  const { project } = run.known.owner;
  let probe: ProbeResult | undefined;
  const onProbed = request.probes === true ? (result: ProbeResult | undefined) => void (probe = result) : undefined;
  const { projectRoot, options, signal, target, logger = SILENT_LOGGER } = request;
  const { plan, capabilities } = run;
  await rememberPages(scene);
  const outcomes: Outcome[] = [];
  // Nothing is made ready beforehand: a broken image keeps back the posts that use it, and the others go on.
  const prepare = await prepareAssets([], { projectRoot, options, logger, signal });
  const journal = await files.openJournal(own);
  const keeper = openStateKeeper(own, journal, { state, project, dialect: api.dialect });
  const context: ApplyContext = {
    ...{
      api,
      prepare,
      posts: { ...workOf(scene, run), onProbed },
      seen: run.seen,
      concurrency: REQUESTS_AT_ONCE,
    },
    keeper,
    state,
    project,
    newKey: scene.port.store.newId,
    pageUrl: createPageAddresses({ options, target, capabilities }).shown,
    onOutcome(outcome) {
      outcomes.push(outcome);
      request.onOutcome?.(outcome);
    },
  };
  try {
    const { siteId } = state;
    const addresses = await applyAssets(plan.assets, context);
    await applyPages(plan.pages, { ...context, addresses, siteId });
    await applyBlogPosts(plan, { ...context, addresses, siteId, unpublishedPages: findUnpublishedPages(outcomes) });
    await applyDeletes(plan.pages, { ...context, hasFailures: outcomes.some(({ status }) => status === "failed") });
  } finally {
    await journal.close();
  }
  await lockTarget(files, name);
  return { ...run, outcomes, probe };
}

// Which pages are made of posts is known before they are sent, so that a run that is cut off can tell them from others.
async function rememberPages({ files, placed, lock }: PostsScene): Promise<void> {
  const made = placed.slugs;
  if (Object.keys(made).length === 0) return;
  const postPages = rememberPostPages(lock, { made, siteSlugs: new Map() });
  await files.writeLock({ ...(await files.readLock()), slugs: { ...lock.slugs, ...made }, postPages });
}

function workOf({ port, blog, placed, request }: PostsScene, { known, capabilities }: PostsRun): PostsWork {
  return {
    ...port,
    desired: { blog, posts: placed.posts },
    known: known.posts,
    owner: known.owner,
    rules: { capabilities, prune: request.options.prune === true },
  };
}
