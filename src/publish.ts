import { ImprintError } from "./base/error.ts";
import { SILENT_LOGGER } from "./base/log.ts";
import type { Logger } from "./base/log.ts";
import type { Capabilities, ImprintApi } from "./client/api.ts";
import type { ConnectionOptions } from "./client/options.ts";
import { readPinnedLogos } from "./flow/brand-pins.ts";
import { connectTarget } from "./flow/connect-target.ts";
import { limitPages } from "./flow/page-limit.ts";
import { planDryRun, planRun } from "./flow/plan-run.ts";
import type { PlannedSite } from "./flow/plan-run.ts";
import { createPostsPort } from "./flow/posts-port.ts";
import { createRequestCounter } from "./flow/request-counter.ts";
import { openRunFiles, withLiveAssets } from "./flow/run-state.ts";
import type { OnStep } from "./flow/step.ts";
import type { Target } from "./flow/target.ts";
import type { Options } from "./options/schema.ts";
import type { BuildHints } from "./site/build-hints.ts";
import type { CollectedPosts } from "./site/posts/collection/collected.ts";
import type { RenderMarkdown } from "./site/posts/render-markdown.ts";
import { readBuiltSite } from "./site/read-site.ts";
import { applyWithJournal } from "./sync/apply-with-journal.ts";
import type { Outcome } from "./sync/apply.ts";
import { reportOutcomes, reportPlan } from "./sync/report/report.ts";
import type { Report, ReportInput } from "./sync/report/report.ts";
import type { Plan } from "./sync/changes.ts";
import { parsePreviewName } from "./sync/preview-name.ts";
import { takeRunLock } from "./sync/run-lock.ts";

export { parseOptions } from "./options/parse-options.ts";
export { describeStep } from "./flow/step.ts";
export type { Step } from "./flow/step.ts";
export { openTarget } from "./flow/target.ts";
export type { Environment, Target, TargetContext } from "./flow/target.ts";
export type { ImprintOptions, Options } from "./options/schema.ts";
export type { BuildHints } from "./site/build-hints.ts";
export type { Report, ReportEntry } from "./sync/report/report.ts";
export { ImprintError };

// The client decides how many requests are on the way; this only bounds what is held ready in memory.
const CHANGES_AT_ONCE = 128;

/** What one run works on. */
export interface PublishRequest {
  /** Absolute path of the project: `imprint.lock.json` and `.imprint/` stand there. */
  readonly projectRoot: string;
  /** Absolute path of the built site. */
  readonly dist: string;
  /** From `parseOptions`. */
  readonly options: Options;
  /** From `openTarget`; the caller closes it. */
  readonly target: Target;
  /**
   * Name of a preview, such as `pr-12` or a branch: the pages are published beside the live site, under slugs that name
   * it. Default: the live site.
   */
  readonly preview?: string | undefined;
  /** Only plan: no write is sent and no file is changed. Default: false. */
  readonly dryRun?: boolean;
  /** What Astro knows of the build beyond the files. */
  readonly hints?: BuildHints;
  /** The site's own markdown renderer. Default: Astro's with its default settings. */
  readonly markdown?: RenderMarkdown;
  /** The posts of a content collection as the build rendered them. Default: the markdown files of `posts.folder`. */
  readonly collected?: CollectedPosts | undefined;
  /** Ends the run between two requests: what is on the way is finished, then `ABORTED` is thrown. */
  readonly signal?: AbortSignal;
  /**
   * How the service is reached, for tests and unusual networks; `now` and `sleep` are also the time that posts go by.
   * Default: the client's defaults.
   */
  readonly connection?: Pick<ConnectionOptions, "timeoutMs" | "maxAttempts" | "maxThrottledMs" | "sleep" | "now">;
  readonly logger?: Logger;
  /** Called with what the run is at, before it sends anything. */
  readonly onStep?: OnStep;
  /** Called with what will be done, before it is. What it throws ends the run. */
  readonly onPlanned?: (planned: { readonly plan: Plan; readonly api: ImprintApi }) => void | Promise<void>;
  /** Called after every change. */
  readonly onOutcome?: (outcome: Outcome, total: number) => void;
}

/**
 * Publishes a built site: read → rewrite → desire → know → plan → apply → report.
 *
 * @returns the report; single failures are entries of it
 * @throws ImprintError when the run could not go on: options, built site, service or key are wrong, another run is at
 * work (`RUN_LOCKED`), or it was aborted. What was published until then stays, and running again continues from there.
 */
export async function publish(request: PublishRequest): Promise<Report> {
  if (request.dryRun === true) return run(request);
  const lock = await takeRunLock(request.projectRoot);
  try {
    return await run(request);
  } finally {
    await lock.release();
  }
}

async function run(request: PublishRequest): Promise<Report> {
  const startedAt = performance.now();
  const { projectRoot, dist, options, target, signal } = request;
  const { logger = SILENT_LOGGER, dryRun = false, onStep = () => {}, connection: time } = request;
  const preview = request.preview === undefined ? undefined : parsePreviewName(request.preview);
  const { identity } = target;
  const files = openRunFiles({ projectRoot, identity, preview });
  onStep({ kind: "read" });
  const built = await readBuiltSite(dist, request.hints);
  const pinnedLogos = await readPinnedLogos(projectRoot, options);
  if (!dryRun) await files.check();
  const requests = createRequestCounter();
  const own = await files.readState();
  const state = await withLiveAssets(own, { projectRoot, identity, preview });
  const learned = { initialConcurrency: state.concurrency, ...time };
  const api = await connectTarget(target, { ...learned, stop: signal, logger, onRequest: requests.observe });
  try {
    const capabilities = limitPages(api.capabilities, options);
    const { pagesUrl, pageUrl } = addressesOf(request, capabilities);
    const postsSources = { projectRoot, options, files, identity, capabilities, dryRun, signal, time };
    const context = {
      ...{ projectRoot, options, preview, markdown: request.markdown, collected: request.collected },
      ...{ logger, capabilities, lock: await files.readLock() },
      ...{ pagesUrl, api, identity, state, signal, dryRun, onStep, pinnedLogos },
      posts: createPostsPort(postsSources),
    };
    const reportInput = (planned: PlannedSite): ReportInput => ({
      ...describeSite({ ...planned, pageUrl }),
      ...{ preview, strict: options.strict, seeWith: target.seeWith },
      target: { baseUrl: target.baseUrl, routeSet: capabilities.routeSet },
      requests: requests.counts(),
      elapsedMs: performance.now() - startedAt,
    });
    if (dryRun) {
      const planned = await planDryRun(built, context);
      await request.onPlanned?.({ plan: planned.plan, api });
      return reportPlan(reportInput(planned));
    }

    const planned = await planRun(built, context);
    await request.onPlanned?.({ plan: planned.plan, api });
    const { plan, changes, prepare, posts, slugs, postPages, seen } = planned;
    if (preview === undefined) await files.writeLock({ ...(await files.readLock()), slugs, postPages });
    const outcomes = await applyWithJournal(plan, {
      api,
      prepare,
      seen,
      concurrency: CHANGES_AT_ONCE,
      state: own,
      files,
      pageUrl,
      posts,
      total: changes.length,
      onOutcome: (outcome) => request.onOutcome?.(outcome, changes.length),
    });
    return reportOutcomes(outcomes, reportInput(planned));
  } finally {
    await api.close();
  }
}

/** The address of pages as it is written into them, and where each of them is shown. */
function addressesOf({ options, target }: PublishRequest, { account }: Capabilities) {
  const shownAt = options.pagesUrl ?? target.pagesUrl ?? account?.pagesUrl;
  return {
    pagesUrl: target.files?.written ?? shownAt,
    pageUrl: (slug: string) => (shownAt === undefined ? undefined : `${shownAt}/p/${slug}`),
  };
}

function describeSite({ desired, changes, invalidPosts, spareAssets, pageUrl }: PlannedSite) {
  const { homeSlug } = desired.site;
  const home = homeSlug === undefined ? undefined : pageUrl(homeSlug);
  return { changes, invalidPosts, spareAssets, warnings: desired.warnings, links: { home } };
}
