import { ImprintError } from "../base/error.ts";
import type { ImprintApi } from "../client/api.ts";
import { isPassingStatus } from "../contract/dialect.ts";
import type { FirstPage } from "./apply.ts";
import type { Addresses } from "./apply/assets.ts";
import { withNested } from "./desired.ts";
import { reachableFile } from "./desired/page-addresses.ts";
import type { Known } from "./known.ts";
import type { Waiting } from "./lateness.ts";
import { isUnserved } from "./plan/assets.ts";
import type { PlannedRun } from "./plan-run.ts";
import { probeFirstPage, readFiles } from "./probe-first-page.ts";
import type { Run } from "./run.ts";
import type { StateStore } from "./state-store.ts";
import { forgetVersion } from "./unstored.ts";

// Plans the rest of a run by what the host made of the first page and its files.

interface ProbeContext {
  readonly planned: PlannedRun;
  readonly run: Run;
  /** Whether the run has already waited in vain for an earlier page. */
  readonly isAwaited?: boolean;
}

/** Checks the first page on a host and plans the rest according to the findings. */
export async function prove(first: FirstPage, { planned, run, isAwaited = false }: ProbeContext): Promise<PlannedRun> {
  const { api } = run;
  const { assets } = planned.desired;
  const needed = withNested(first.desired.assets, (hash) => assets.get(hash));
  const { dialect, tried } = await probeFirstPage(first, {
    ...proofContext(planned, run),
    assets: new Map([...assets].filter(([hash]) => needed.has(hash))),
    waits: isAwaited ? "nowhere" : planned.known.owner.isFirst ? "anywhere" : "known address",
  }).catch((error: unknown) => {
    // The next run reads the page that is there now.
    if (error instanceof ImprintError && error.code === "SLUG_HELD")
      forgetVersion(first.desired, { store: first.store, state: run.memory.state });
    throw error;
  });
  api.learn(dialect);
  first.store.rememberIds({ dialect });
  return await planned.replan(knownAfter(first, planned, api), { dialect, tried });
}

function proofContext({ prepare }: PlannedRun, run: Run) {
  const { api, request, target } = run;
  const given = request.options.pagesUrl ?? target.pagesUrl;
  return { ...waiting(run), api, given, prepare, reach: (address: string) => reachableFile(address, target) };
}

export function waiting({ posts, request: { signal, onStep } }: Run): Waiting {
  return { clock: posts.clock, signal, onStep };
}

/** Checks the first page again if it wasn't shown before the others were sent. */
export async function probeLate(
  first: FirstPage,
  { planned, run }: { readonly planned: PlannedRun; readonly run: Run },
): Promise<void> {
  if (run.api.dialect.html !== undefined) return;
  const { dialect } = await probeFirstPage(first, {
    ...proofContext(planned, run),
    assets: new Map(),
    waits: "nowhere",
  });
  run.api.learn(dialect);
}

/** Updates what is known of the service after the first page was sent. */
function knownAfter(
  { desired, record, addresses, store }: FirstPage,
  { known, desired: all }: PlannedRun,
  api: ImprintApi,
): Known {
  const assets = new Map(known.assets);
  const refusedFiles = { ...known.refusedFiles, ...store.refused };
  for (const hash of addresses.keys()) {
    const stored = store.asset(hash);
    if (stored !== undefined) assets.set(hash, stored);
  }
  const { siteId } = store.ids;
  const site = known.site ?? (siteId === undefined ? undefined : { id: siteId, ...all.site });
  if (record === undefined) return { ...known, site, assets, refusedFiles };
  const { slug, hash } = desired;
  const sent = store.page(slug)?.sent ?? "";
  // The page was sent with the address of an image that readers can't load.
  const addressesCurrent = !desired.assets.some((each) => isUnserved(all.assets.get(each), api.dialect));
  // A status that may pass is looked at again once all pages were sent.
  const shown = isPassingStatus(record.status) ? { ...record, status: undefined } : record;
  const page = { slug, origin: "ours", hash, edited: false, addressesCurrent, sent, record: shown } as const;
  return { ...known, site, assets, refusedFiles, pages: new Map([...known.pages, [slug, page]]) };
}

/** Plans the rest after a first page that proved only which slugs the host accepts. */
export async function replanAfter(
  first: FirstPage,
  { planned, run }: { readonly planned: PlannedRun; readonly run: Run },
): Promise<PlannedRun> {
  return await planned.replan(knownAfter(first, planned, run.api), { dialect: run.api.dialect });
}

/**
 * Checks how the library serves the files of a release before readers see its pages, and returns a new plan if browsers
 * wouldn't load them, else `undefined`. The content of a release is verified by hash, so its pages don't need this.
 */
export async function probeFiles(
  addresses: Addresses,
  { planned, run, store }: { readonly planned: PlannedRun; readonly run: Run; readonly store: StateStore },
): Promise<PlannedRun | undefined> {
  const { api, request, target } = run;
  const files = await readFiles(addresses, {
    assets: planned.desired.assets,
    prepare: planned.prepare,
    reach: (address) => reachableFile(address, target),
    signal: request.signal,
  });
  const dialect = { ...api.dialect, html: "kept", ...files } as const;
  api.learn(dialect);
  store.rememberIds({ dialect });
  return files.unserved === undefined ? undefined : await planned.replan(planned.known, { dialect });
}
