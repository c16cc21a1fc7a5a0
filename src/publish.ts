import { ImprintError } from "./base/error.ts";
import { SILENT_LOGGER } from "./base/log.ts";
import type { Logger } from "./base/log.ts";
import { connect } from "./client/connect.ts";
import { desireSite } from "./flow/desire.ts";
import { prepareAssets } from "./flow/prepare.ts";
import { createRequestCounter } from "./flow/request-counter.ts";
import type { Target } from "./flow/target.ts";
import type { Options } from "./options/schema.ts";
import type { BuildHints } from "./site/build-hints.ts";
import type { RenderMarkdown } from "./site/posts/render-markdown.ts";
import { readBuiltSite } from "./site/read-site.ts";
import { applyPlan } from "./sync/apply.ts";
import type { Outcome } from "./sync/apply.ts";
import { summarizePlan } from "./sync/changes.ts";
import { know } from "./sync/known.ts";
import { planChanges } from "./sync/plan.ts";
import { planPosts } from "./sync/plan/posts.ts";
import { reportOutcomes, reportPlan } from "./sync/report/report.ts";
import type { Report } from "./sync/report/report.ts";
import { createStateFiles } from "./sync/state-files.ts";
import { createStateKeeper } from "./sync/state-keeper.ts";

export { parseOptions } from "./options/parse-options.ts";
export { openTarget } from "./flow/target.ts";
export type { Environment, Target, TargetContext } from "./flow/target.ts";
export type { ImprintOptions, Options } from "./options/schema.ts";
export type { BuildHints } from "./site/build-hints.ts";
export type { Report, ReportEntry } from "./sync/report/report.ts";
export { ImprintError };

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
  /** Only plan: no write is sent and no file is changed. Default: false. */
  readonly dryRun?: boolean;
  /** What Astro knows of the build beyond the files. */
  readonly hints?: BuildHints;
  /** The site's own markdown renderer. Default: Astro's with its default settings. */
  readonly markdown?: RenderMarkdown;
  /** Ends the run between two requests. */
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
  /** Called after every change. */
  readonly onOutcome?: (outcome: Outcome, total: number) => void;
}

/**
 * Publishes a built site: read → rewrite → desire → know → plan → apply → report.
 *
 * @returns the report; single failures are entries of it
 * @throws ImprintError when the run could not go on: options, built site, service or key are wrong, or it was aborted.
 * What was published until then stays, and running again continues from there.
 */
export async function publish(request: PublishRequest): Promise<Report> {
  const startedAt = performance.now();
  const { projectRoot, dist, options, target, markdown, signal, logger = SILENT_LOGGER, dryRun = false } = request;
  const files = createStateFiles(projectRoot, target.identity);
  const built = await readBuiltSite(dist, request.hints);
  if (!dryRun) await files.check();
  const requests = createRequestCounter();
  const api = await connect({ ...target, signal, logger, onRequest: requests.observe });
  try {
    const lock = await files.readLock();
    const { state } = await files.readState();
    const { capabilities } = api;
    const pagesUrl = options.pagesUrl ?? target.pagesUrl ?? capabilities.account?.pagesUrl;
    const context = { projectRoot, options, markdown, logger, capabilities, lock, pagesUrl };
    const { desired, slugs, pageUrl, invalidPosts } = await desireSite(built, context);
    const known = await know(desired, { api, state, signal });
    const planInput = { desired, known, state, capabilities, rules: options };
    const plan = planChanges(planInput);
    const changes = summarizePlan(plan);
    const reportInput = () => ({
      invalidPosts,
      target: { baseUrl: target.baseUrl, routeSet: capabilities.routeSet },
      warnings: desired.warnings,
      links: { home: desired.site.homeSlug === undefined ? undefined : pageUrl(desired.site.homeSlug) },
      requests: requests.counts(),
      elapsedMs: performance.now() - startedAt,
      strict: options.strict,
    });
    if (dryRun) return reportPlan(changes, reportInput());

    const prepare = await prepareAssets(plan.assets, { projectRoot, options, logger });
    await files.writeLock({ version: 1, slugs });
    const outcomes = await applyPlan(plan, {
      api,
      prepare,
      signal,
      concurrency: 16,
      keeper: createStateKeeper(state, files.writeState),
      pageUrl,
      replanPosts: (posts) => planPosts({ ...planInput, known: { ...known, posts } }),
      onOutcome: (outcome) => request.onOutcome?.(outcome, changes.length),
    });
    return reportOutcomes(outcomes, reportInput());
  } finally {
    await api.close();
  }
}
