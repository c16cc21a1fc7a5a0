import type { FirstPage } from "./apply.ts";
import { withNested } from "./desired.ts";
import type { Known } from "./known.ts";
import { reachableFile } from "./desired/page-addresses.ts";
import { replan, type PlannedRun } from "./plan-run.ts";
import { proveFirstPage } from "./prove-first-page.ts";
import type { Run } from "./run.ts";

/** Looks at the first page of a host and plans the rest by what it showed. */
export async function prove(
  first: FirstPage,
  { planned, run }: { readonly planned: PlannedRun; readonly run: Run },
): Promise<PlannedRun> {
  const { api, request, target } = run;
  const { assets } = planned.desired;
  const needed = withNested(first.desired.assets, (hash) => assets.get(hash));
  const { dialect, tried } = await proveFirstPage(first, {
    api,
    told: request.options.pagesUrl ?? target.pagesUrl,
    assets: new Map([...assets].filter(([hash]) => needed.has(hash))),
    prepare: planned.prepare,
    reach: (address) => reachableFile(address, target),
    signal: request.signal,
  });
  api.learn(dialect);
  first.keeper.rememberIds({ dialect });
  return await replan(knownAfter(first, planned), {
    ...run,
    dialect,
    tried,
    brokenImages: planned.brokenImages,
  });
}

/** What is known of the service after the first page was sent. */
function knownAfter({ desired, record, addresses, keeper }: FirstPage, { known, desired: all }: PlannedRun): Known {
  const assets = new Map(known.assets);
  const refusedFiles = { ...known.refusedFiles, ...keeper.refused };
  for (const hash of addresses.keys()) {
    const stored = keeper.asset(hash);
    if (stored !== undefined) assets.set(hash, stored);
  }
  const { siteId } = keeper.ids;
  const site = known.site ?? (siteId === undefined ? undefined : { id: siteId, ...all.site });
  if (record === undefined) return { ...known, site, assets, refusedFiles };
  const { slug, hash } = desired;
  const sent = keeper.page(slug)?.sent ?? "";
  const page = { slug, origin: "ours", hash, edited: false, addressesCurrent: true, sent, record } as const;
  return { ...known, site, assets, refusedFiles, pages: new Map([...known.pages, [slug, page]]) };
}
