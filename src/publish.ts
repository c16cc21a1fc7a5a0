import type { ImprintApi } from "./client/api.ts";
import { warnOfExpiry } from "./sync/file-addresses.ts";
import { applyRun, rememberUnshown, type AppliedRun, type ApplyRequest } from "./sync/apply-run.ts";
import type { Outcome } from "./base/outcome.ts";
import { knownRemoved } from "./html/page-parts.ts";
import { PAGES_UNSEEN } from "./sync/check-shown.ts";
import { findLoss } from "./sync/find-loss.ts";
import { findLockedTarget } from "./sync/lock.ts";
import { planRun, planSite, type PlannedSite } from "./sync/plan-run.ts";
import {
  areAccepted,
  findAcceptable,
  reportOutcomes,
  reportPlan,
  type Report,
  type ReportInput,
} from "./sync/report/report.ts";
import type { Run } from "./sync/run.ts";
import type { OpenBrowser } from "./sync/verify/open-browser.ts";
import type { VerifiedRun, VerifyContext } from "./sync/verify/verify-run.ts";
import { withRun, type OpenRunRequest } from "./target/open-run.ts";
import type { Target } from "./target/target.ts";

export { ImprintError } from "./base/error.ts";
export { parseOptions } from "./options/parse-options.ts";
export type { ImprintOptions, Options } from "./options/schema.ts";
export type { BuildHints } from "./site/build-hints.ts";
export type { Report, ReportEntry } from "./sync/report/report.ts";
export { describeStep, type Step } from "./sync/run.ts";
export { openTarget, type Environment, type Target, type TargetContext } from "./target/target.ts";

/** The request of one run. */
export interface PublishRequest extends OpenRunRequest, Pick<ApplyRequest, "onOutcome" | "onProbed"> {
  /**
   * Record in the lock file what the host can't do, such as files that its library refuses, so that it no longer fails
   * a run. Default: false.
   */
  readonly accept?: boolean;
  /**
   * After publishing, fetch the published pages and everything that they load and link to at their public addresses;
   * the report's exit code is 1 if something isn't live. `"browser"` also opens one page of each shape in a headless browser,
   * for which the project needs `playwright-core`. A dry run verifies nothing. Default: false.
   */
  readonly verify?: boolean | "browser";
  /** Start of the report's elapsed time, as a value of `performance.now()`. Default: the time of the call. */
  readonly startedAt?: number;
  /** Called with the plan before it is applied. If it throws, the run ends. */
  readonly onPlanned?: (planned: PlannedSite & { readonly api: ImprintApi }) => void | Promise<void>;
}

/**
 * Publishes a built site, or only its posts: read → rewrite → desired → known → plan → apply → report.
 *
 * @returns the report; individual failures are entries of it
 * @throws ImprintError if the run can't continue: invalid options, built site, service or key, another run in progress
 * (`RUN_LOCKED`), no browser to verify with (`BROWSER_MISSING`), or an abort. What was published until then is kept,
 * and running again continues from there.
 */
export async function publish(request: PublishRequest): Promise<Report> {
  const { target, startedAt = performance.now() } = request;
  const openBrowser = await findBrowser(request);
  return await withRun(request, async (run) => {
    const { api } = run;
    if (run.request.dryRun) {
      const planned = await planSite(run);
      await request.onPlanned?.({ ...planned, api });
      return reportPlan(describeRun(planned, { run, target, startedAt }));
    }
    const planned = await planRun(run);
    await request.onPlanned?.({ ...planned, api });
    const applied = await applyRun(planned, run, request);
    const live = await verifyLive(request, { run, applied, openBrowser });
    await rememberUnshown(live?.unshown ?? [], run);
    // The verification saw what the run couldn't see yet.
    const isAllLive = live?.verified?.problems.length === 0;
    const outcomes = isAllLive ? applied.outcomes.filter((outcome) => !isUnseen(outcome)) : applied.outcomes;
    return reportOutcomes(outcomes, describeRun(applied.planned, { run, target, startedAt, applied, live }));
  });
}

function isUnseen({ resource, name }: Outcome): boolean {
  return resource === "host" && name === PAGES_UNSEEN;
}

// Before anything is sent, as the run can't verify without a browser.
async function findBrowser({ projectRoot, verify, dryRun }: PublishRequest): Promise<OpenBrowser | undefined> {
  if (verify !== "browser" || dryRun === true) return undefined;
  const browser = await import("./sync/verify/open-browser.ts");
  return browser.findBrowser(projectRoot);
}

interface Work {
  readonly run: Run;
  readonly applied: AppliedRun;
  readonly openBrowser: OpenBrowser | undefined;
}

async function verifyLive(
  { verify = false, connection }: PublishRequest,
  { run, applied, openBrowser }: Work,
): Promise<VerifiedRun | undefined> {
  const { api, built, request } = run;
  const { planned, outcomes, fileBytes } = applied;
  if (verify === false || built === undefined) return undefined;
  const { verifyRun } = await import("./sync/verify/verify-run.ts");
  const { signal, onStep } = request;
  const hasOwnTitles = knownRemoved(api.dialect).includes("titles");
  const context = { built, outcomes, fileBytes, hasOwnTitles, openBrowser, connection, signal, onStep };
  return verifyRun(planned, { ...context, findLoss: createLossFinder(run, applied) });
}

/**
 * Returns a function that finds what readers don't get of a page: not what somebody accepted, nor what this run already
 * reports for all pages.
 */
function createLossFinder(
  { api, memory }: Run,
  { accepted = memory.locked?.accepted ?? [], outcomes }: AppliedRun,
): VerifyContext["findLoss"] {
  const known = new Set([...accepted, ...findAcceptable(outcomes)]);
  return async (page, visit) => {
    const loss = await findLoss(page, visit, api);
    if (loss === undefined) return undefined;
    const { name = loss.slug, parts } = loss;
    if (areAccepted({ resource: "host", name, parts }, known)) return undefined;
    return { found: loss.reason, hint: loss.hint ?? "" };
  };
}

interface Facts {
  readonly run: Run;
  readonly target: Target;
  readonly startedAt: number;
  readonly applied?: AppliedRun;
  readonly live?: VerifiedRun | undefined;
}

function describeRun(planned: PlannedSite, { run, target, startedAt, applied, live }: Facts): ReportInput {
  const { desired, home, changes, heldPages, local, spareAssets, addresses, known } = planned;
  const { options, preview } = run.request;
  const expiring =
    applied?.warnings ??
    warnOfExpiry(
      Array.from(known.assets.values(), ({ url }) => url),
      run.api,
    );
  return {
    changes,
    heldPages,
    routeMapPages: desired.pages.filter(({ hasRouteMap }) => hasRouteMap).map(({ slug }) => slug),
    invalidPosts: local.invalid,
    spareAssets,
    warnings: [...desired.warnings, ...expiring, ...(live?.warnings ?? [])],
    verified: live?.verified,
    release: applied?.release,
    links: { home: home === undefined ? undefined : addresses.shown(home) },
    preview,
    strict: options.strict,
    seeWith: target.seeWith,
    // What is accepted for the live site is accepted for its previews.
    accepted: new Set(applied?.accepted ?? findLockedTarget(run.memory.lock, run.memory.name)?.accepted),
    target: {
      baseUrl: target.baseUrl,
      routeSet: run.capabilities.routeSet,
      ...(target.isEmbedded && { isEmbedded: true }),
    },
    requests: run.requests(),
    elapsedMs: performance.now() - startedAt,
  };
}
