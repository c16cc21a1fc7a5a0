import type { ImprintApi } from "./client/api.ts";
import { warnOfExpiry } from "./sync/file-addresses.ts";
import { applyRun, type AppliedRun, type ApplyRequest } from "./sync/apply-run.ts";
import { planDryRun, planRun, type PlannedSite } from "./sync/plan-run.ts";
import { reportOutcomes, reportPlan, type Report, type ReportInput } from "./sync/report/report.ts";
import type { Run } from "./sync/run.ts";
import type { OpenBrowser } from "./sync/verify/open-browser.ts";
import type { VerifiedRun } from "./sync/verify/verify-run.ts";
import { withRun, type OpenRunRequest } from "./target/open-run.ts";
import type { Target } from "./target/target.ts";

export { ImprintError } from "./base/error.ts";
export { parseOptions } from "./options/parse-options.ts";
export type { ImprintOptions, Options } from "./options/schema.ts";
export type { BuildHints } from "./site/build-hints.ts";
export type { Report, ReportEntry } from "./sync/report/report.ts";
export { describeStep, type Step } from "./sync/run.ts";
export { openTarget, type Environment, type Target, type TargetContext } from "./target/target.ts";

/** What one run works on. */
export interface PublishRequest extends OpenRunRequest, Pick<ApplyRequest, "onOutcome" | "onProbed"> {
  /**
   * Records in the lock file what the host can't do, such as files that its library refuses, so that it no longer fails
   * a run. Default: false.
   */
  readonly accept?: boolean;
  /**
   * Fetch the published pages and all that they load and link to at their public addresses, after publishing; what is
   * not live makes the exit code 1. `"browser"` also opens one page of each shape in a headless browser, for which the
   * project has to have `playwright-core`. A dry run verifies nothing. Default: false.
   */
  readonly verify?: boolean | "browser";
  /** When what the report's time is counted from began, as `performance.now()` says it. Default: with the call. */
  readonly startedAt?: number;
  /** Called with what will be done, before it is. What it throws ends the run. */
  readonly onPlanned?: (planned: PlannedSite & { readonly api: ImprintApi }) => void | Promise<void>;
}

/**
 * Publishes a built site, or only its posts: read → rewrite → desire → know → plan → apply → report.
 *
 * @returns the report; single failures are entries of it
 * @throws ImprintError when the run could not go on: options, built site, service or key are wrong, another run is at
 * work (`RUN_LOCKED`), there is no browser to verify with (`BROWSER_MISSING`), or it was aborted. What was published until then stays, and running again continues from there.
 */
export async function publish(request: PublishRequest): Promise<Report> {
  const { target, startedAt = performance.now() } = request;
  const openBrowser = await findBrowser(request);
  return await withRun(request, async (run) => {
    const { api } = run;
    if (run.request.dryRun) {
      const planned = await planDryRun(run);
      await request.onPlanned?.({ ...planned, api });
      return reportPlan(describeRun(planned, { run, target, startedAt }));
    }
    const planned = await planRun(run);
    await request.onPlanned?.({ ...planned, api });
    const applied = await applyRun(planned, run, request);
    const live = await verifyLive(request, { run, applied, openBrowser });
    return reportOutcomes(applied.outcomes, describeRun(applied.planned, { run, target, startedAt, applied, live }));
  });
}

// Before anything is sent: without a browser the run can't do what it was asked for.
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
  { run: { built, request }, applied: { planned, outcomes }, openBrowser }: Work,
): Promise<VerifiedRun | undefined> {
  if (verify === false || built === undefined) return undefined;
  const { verifyRun } = await import("./sync/verify/verify-run.ts");
  const { signal, onStep } = request;
  return verifyRun(planned, { built, outcomes, openBrowser, connection, signal, onStep });
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
    accepted: new Set(applied?.accepted ?? run.memory.locked?.accepted),
    target: {
      baseUrl: target.baseUrl,
      routeSet: run.capabilities.routeSet,
      ...(target.isEmbedded && { isEmbedded: true }),
    },
    requests: run.requests(),
    elapsedMs: performance.now() - startedAt,
  };
}
