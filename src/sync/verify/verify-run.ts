import { setTimeout as wait } from "node:timers/promises";
import { ImprintError } from "../../base/error.ts";
import type { BuiltSite, SiteWarning } from "../../site/model.ts";
import type { Verified } from "../report/words.ts";
import type { PlannedSite } from "../plan-run.ts";
import type { OnStep } from "../step.ts";
import type { OpenBrowser } from "./browser/open-browser.ts";
import { createPublicFetch } from "./fetch-public.ts";
import { verifyAddresses, type LivePage, type LivePost } from "./verify-addresses.ts";
import type { Outcome } from "../../base/outcome.ts";

export interface VerifyContext {
  readonly built: BuiltSite;
  readonly outcomes: readonly Outcome[];
  /** Opens pages in a browser too; `undefined`: it doesn't. */
  readonly openBrowser: OpenBrowser | undefined;
  readonly connection:
    | { readonly timeoutMs?: number; readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void> }
    | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onStep: OnStep;
}

export interface VerifiedRun {
  /** `undefined`: nothing could be verified, as a warning says. */
  readonly verified: Verified | undefined;
  readonly warnings: readonly SiteWarning[];
}

const TIMEOUT_MS = 30_000;

/**
 * Looks at what a run published as its readers do: without the key, at the public addresses.
 *
 * @throws ImprintError `ABORTED` when the run was interrupted
 */
export async function verifyRun(planned: PlannedSite, context: VerifyContext): Promise<VerifiedRun> {
  const pages = findLivePages(planned, context.outcomes);
  if (pages === undefined) return { verified: undefined, warnings: [UNKNOWN_ADDRESS] };
  const posts = findLivePosts(planned, context.outcomes);
  const { signal, onStep, connection, built, openBrowser } = context;
  const own = new Set([...pages, ...posts].map(({ address }) => hostOf(address)));
  const library = new Set(context.outcomes.filter(isAsset).map(({ url }) => hostOf(url)));
  const mayVisit = (address: string) => own.has(hostOf(address)) || library.has(hostOf(address));
  const fetching = createPublicFetch({ mayVisit, signal, timeoutMs: connection?.timeoutMs ?? TIMEOUT_MS });
  const { sleep = pause } = connection ?? {};
  try {
    const { shapes, ...verified } = await verifyAddresses({
      pages,
      posts,
      mayVisit,
      fetching,
      signal,
      onStep,
      isOwnHost: (address) => own.has(hostOf(address)),
      sleep: (ms) => sleep(ms, signal),
    });
    if (openBrowser === undefined) return { verified, warnings: [] };
    const { verifyInBrowser } = await import("./browser/verify-in-browser.ts");
    const seen = await verifyInBrowser(pages, { built, shapes, openBrowser, onStep, signal, isOwnHost: mayVisit });
    const known = new Set(verified.problems.map(({ address }) => address));
    const requests = seen.requests.filter(({ address }) => !known.has(address));
    const problems = [...verified.problems, ...requests, ...seen.errors];
    return { verified: { ...verified, problems, browser: seen.browser }, warnings: [] };
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    throw new ImprintError("ABORTED", "The verification was interrupted. What was published stays.", {
      cause: error,
    });
  } finally {
    await fetching.close();
  }
}

const UNKNOWN_ADDRESS: SiteWarning = {
  code: "not-verified",
  file: "pagesUrl",
  message:
    'Nothing could be verified: it is not known where the service shows pages. Set `pagesUrl`, such as "https://x.example/{slug}".',
};

// What was not published is in the report already.
function findLivePages({ desired, addresses }: PlannedSite, outcomes: readonly Outcome[]): LivePage[] | undefined {
  const live = new Set(outcomes.filter((outcome) => isLive(outcome, "page")).map(({ name }) => name));
  const pages: LivePage[] = [];
  for (const page of desired.pages) {
    const address = addresses.reachable(page.slug);
    if (address === undefined) return undefined;
    if (live.has(page.slug)) pages.push({ desired: page, address });
  }
  return pages;
}

function findLivePosts({ desired, plan }: PlannedSite, outcomes: readonly Outcome[]): readonly LivePost[] {
  const shown = new Set(desired.posts.filter(({ status }) => status === "published").map(({ slug }) => slug));
  for (const change of plan.posts)
    if (change.kind === "update" && change.state === "withdrawn") shown.delete(change.name);
  return outcomes.flatMap((outcome) => {
    const { name, url } = outcome;
    if (!isLive(outcome, "post") || !shown.has(name) || url === undefined || !URL.canParse(url)) return [];
    return [{ slug: name, address: url }];
  });
}

function isLive({ resource, kind, status }: Outcome, wanted: Outcome["resource"]): boolean {
  return resource === wanted && status === "done" && (kind === "create" || kind === "update" || kind === "keep");
}

function isAsset(outcome: Outcome): outcome is Outcome & { readonly url: string } {
  return isLive(outcome, "asset") && outcome.url !== undefined && URL.canParse(outcome.url);
}

function hostOf(address: string): string {
  return new URL(address).host;
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal });
}
