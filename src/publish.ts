import { randomUUID } from "node:crypto";
import { ImprintError } from "./base/error.ts";
import { SILENT_LOGGER, type Logger } from "./base/log.ts";
import type { ImprintApi } from "./client/api.ts";
import type { ConnectionOptions } from "./client/options.ts";
import { readPinnedLogos } from "./sync/brand/pinned-logos.ts";
import { limitPages } from "./sync/desired/page-limit.ts";
import { lockTarget, openRun, type OpenRun } from "./target/open-run.ts";
import { planDryRun, planRun, type PlanContext, type PlannedSite } from "./sync/plan-run.ts";
import { prove } from "./sync/prove.ts";
import { createPostsPort } from "./posts/apply/open-port.ts";
import { createRequestCounter } from "./target/request-counter.ts";
import { openRunFiles } from "./sync/run-state.ts";
import type { OnStep } from "./sync/step.ts";
import type { Target } from "./target/target.ts";
import type { OpenBrowser } from "./sync/verify/browser/open-browser.ts";
import type { VerifiedRun, VerifyContext } from "./sync/verify/verify-run.ts";
import type { Options } from "./options/schema.ts";
import type { BuildHints } from "./site/build-hints.ts";
import type { BuiltSite } from "./site/model.ts";
import type { StateFiles } from "./sync/state-files.ts";
import type { CollectedPosts } from "./posts/read/collection/collected.ts";
import type { RenderMarkdown } from "./posts/render/render-markdown.ts";
import { readBuiltSite } from "./site/read-site.ts";
import { applyWithJournal } from "./sync/apply-with-journal.ts";
import type { Outcome } from "./sync/apply.ts";
import { findAcceptable, reportOutcomes, reportPlan, type Report, type ReportInput } from "./sync/report/report.ts";
import type { Plan } from "./sync/changes.ts";
import { parsePreviewName } from "./sync/preview-name.ts";
import { takeRunLock } from "./sync/run-lock.ts";

export { parseOptions } from "./options/parse-options.ts";
export { describeStep } from "./sync/step.ts";
export type { Step } from "./sync/step.ts";
export { openTarget } from "./target/target.ts";
export type { Environment, Target, TargetContext } from "./target/target.ts";
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
  /**
   * Records in the lock file what the host can't do, such as files that its library refuses, so that it no longer fails
   * a run. Default: false.
   */
  readonly accept?: boolean;
  /** Only plan: no write is sent and no file is changed. Default: false. */
  readonly dryRun?: boolean;
  /**
   * Fetch the published pages and all that they load and link to at their public addresses, after publishing; what is
   * not live makes the exit code 1. `"browser"` also opens one page of each shape in a headless browser, for which the
   * project has to have `playwright-core`. A dry run verifies nothing. Default: false.
   */
  readonly verify?: boolean | "browser";
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
 * work (`RUN_LOCKED`), there is no browser to verify with (`BROWSER_MISSING`), or it was aborted. What was published until then stays, and running again continues from there.
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
  const openBrowser = await findBrowser(request);
  const files = openRunFiles({ projectRoot, identity, preview });
  onStep({ kind: "read" });
  const built = await readBuiltSite(dist, request.hints);
  const pinnedLogos = await readPinnedLogos(projectRoot, options);
  if (!dryRun) await files.check();
  const requests = createRequestCounter();
  const connection = { ...time, stop: signal, logger, onRequest: requests.observe };
  const opened = await openRun({ options, target, files, connection, projectRoot, identity, preview });
  const { api, state } = opened;
  try {
    const capabilities = limitPages(api.capabilities, options);
    const postsSources = { projectRoot, options, files, identity, capabilities, dryRun, signal, time };
    const context = {
      ...{ projectRoot, options, preview, markdown: request.markdown, collected: request.collected },
      ...opened,
      ...{ logger, capabilities, target, identity, signal, dryRun, onStep, pinnedLogos },
      dialect: { ...state.dialect, ...api.dialect },
      posts: createPostsPort(postsSources),
    };
    const reportInput = (planned: PlannedSite): ReportInput => ({
      ...describeSite(planned),
      ...{ preview, strict: options.strict, seeWith: target.seeWith },
      accepted: new Set(opened.locked?.accepted),
      target: { baseUrl: target.baseUrl, routeSet: capabilities.routeSet },
      requests: requests.counts(),
      elapsedMs: performance.now() - startedAt,
    });
    if (dryRun) {
      const planned = await planDryRun(built, context);
      await request.onPlanned?.({ plan: planned.plan, api });
      return reportPlan(reportInput(planned));
    }

    const { planned, outcomes, accepted, live } = await carryOut(request, { built, files, context, openBrowser });
    const input = { ...reportInput(planned), ...(accepted && { accepted: new Set(accepted) }) };
    return reportOutcomes(outcomes, withLive(input, live));
  } finally {
    await api.close();
  }
}

interface Work {
  readonly built: BuiltSite;
  readonly files: StateFiles;
  readonly context: PlanContext & OpenRun;
  readonly openBrowser: OpenBrowser | undefined;
}

async function carryOut(request: PublishRequest, { built, files, context, openBrowser }: Work) {
  const { api, own, state, name, preview } = context;
  let planned = await planRun(built, context);
  await request.onPlanned?.({ plan: planned.plan, api });
  const { plan, changes, prepare, posts, slugs, postPages, project } = planned;
  if (preview === undefined) await files.writeLock({ ...(await files.readLock()), slugs, postPages });
  const isKnown = context.dialect.html !== undefined || preview !== undefined;
  const outcomes = await applyWithJournal(plan, {
    ...{ api, prepare, own, state, project, files, posts },
    seen: planned.known.seen,
    prove: isKnown ? undefined : async (first) => (planned = await prove(first, { built, planned, context })),
    pageUrl: (slug) => planned.addresses.shown(slug),
    concurrency: CHANGES_AT_ONCE,
    newKey: () => randomUUID(),
    total: changes.length,
    onOutcome: (outcome) => request.onOutcome?.(outcome, changes.length),
  });
  const accepted = request.accept === true ? findAcceptable(outcomes) : undefined;
  if (preview === undefined) await lockTarget(files, name, accepted);
  const live = await verifyLive(request, { planned, built, outcomes, openBrowser });
  return { planned, outcomes, accepted, live };
}

// Before anything is sent: without a browser the run can't do what it was asked for.
async function findBrowser({ projectRoot, verify, dryRun }: PublishRequest): Promise<OpenBrowser | undefined> {
  if (verify !== "browser" || dryRun === true) return undefined;
  const browser = await import("./sync/verify/browser/open-browser.ts");
  return browser.findBrowser(projectRoot);
}

type Applied = Pick<VerifyContext, "built" | "outcomes" | "openBrowser"> & { readonly planned: PlannedSite };

async function verifyLive(
  { verify = false, connection, signal, onStep = () => {} }: PublishRequest,
  { planned, ...applied }: Applied,
): Promise<VerifiedRun | undefined> {
  if (verify === false) return undefined;
  const { verifyRun } = await import("./sync/verify/verify-run.ts");
  return verifyRun(planned, { ...applied, connection, signal, onStep });
}

function withLive(input: ReportInput, live: VerifiedRun | undefined): ReportInput {
  if (live === undefined) return input;
  return { ...input, verified: live.verified, warnings: [...input.warnings, ...live.warnings] };
}

function describeSite({ desired, changes, heldPages, invalidPosts, spareAssets, addresses }: PlannedSite) {
  const { homeSlug } = desired.site;
  const home = homeSlug === undefined ? undefined : addresses.shown(homeSlug);
  return { changes, heldPages, invalidPosts, spareAssets, warnings: desired.warnings, links: { home } };
}
