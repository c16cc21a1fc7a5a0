import { mapPool } from "../base/pool.ts";
import type { ImprintApi } from "../client/api.ts";
import { partsOutside } from "../html/blocked-parts.ts";
import { unframe } from "../html/framed-page.ts";
import { findMarker } from "../html/marker.ts";
import { knownRemoved, restoredDialect, type PagePart } from "../html/page-parts.ts";
import type { DesiredPage } from "./desired.ts";
import { findMissingParts } from "./find-missing-parts.ts";
import type { PlannedRun } from "./plan-run.ts";

// Some hosts remove parts of pages until somebody changes a plan or a setting. Pages that they stored before may lack
// the part for longer, so a few are opened, from the first to the last.
const MOST_OPENED = 4;
const READS_AT_ONCE = 8;

export interface RestoredContext {
  readonly api: ImprintApi;
  readonly planned: Pick<PlannedRun, "addresses" | "desired">;
}

/** Forgets that the service removes parts that its readers get now on all opened pages that have them; returns these. */
export async function learnRestored({
  api,
  planned: { addresses, desired },
}: RestoredContext): Promise<readonly PagePart[]> {
  const removed = knownRemoved(api.dialect);
  if (removed.length === 0) return [];
  const samples = new Map(
    removed.map((part) => [part, spread(desired.pages.filter(({ parts }) => parts.includes(part)))]),
  );
  const opened = [...new Set([...samples.values()].flat())];
  const missing = new Map<DesiredPage, readonly PagePart[]>();
  await mapPool(opened, READS_AT_ONCE, async (page) => {
    const address = addresses.reachable(page.slug);
    const visit = address === undefined ? undefined : await api.visit(address);
    const html = visit?.status === 200 ? unframe(new TextDecoder().decode(visit.bytes)) : "";
    if (visit === undefined || findMarker(html)?.hash !== page.hash) return;
    const { html: sent } = await page.render();
    // Only what is shown has the addresses of files, which a policy may block.
    missing.set(page, [...(await findMissingParts(sent, { html, visit }, api)), ...partsOutside(html, visit)]);
  });
  const isBack = (part: PagePart) => {
    const pages = samples.get(part) ?? [];
    return pages.length > 0 && pages.every((page) => missing.get(page)?.includes(part) === false);
  };
  const restored = removed.filter(isBack);
  if (restored.length > 0) api.learn(restoredDialect(restored, api.dialect));
  return restored;
}

function spread(pages: readonly DesiredPage[]): readonly DesiredPage[] {
  const step = Math.max((pages.length - 1) / (MOST_OPENED - 1), 1);
  const chosen = Array.from({ length: MOST_OPENED }, (_, number) => pages[Math.round(number * step)]);
  return chosen.filter((page) => page !== undefined);
}
