import { setTimeout as wait } from "node:timers/promises";
import { ImprintError } from "../../base/error.ts";
import type { Page } from "../../client/api.ts";
import type { ApplyContext } from "../apply.ts";
import type { Outcome } from "../../base/outcome.ts";

/** Pages that were sent and answered in this run, by slug. */
export type WrittenPages = ReadonlyMap<string, Outcome>;

const FEW_PAGES = 100;
const SAMPLES = 3;
// What was just sent may take a moment until every part of a large service shows it.
const PAUSES_MS = [300, 1000, 3000];

/**
 * Looks whether the service shows what it answered to have taken: in its list, or where that would take many requests in
 * its own count or in samples. A page that it does not show is forgotten, so that the next run sends it again.
 */
export async function confirmPages(written: WrittenPages, context: ApplyContext): Promise<void> {
  if (written.size === 0) return;
  let missing = await findMissing(written, context);
  for (const pause of PAUSES_MS) {
    if (missing.length === 0) return;
    await wait(pause, undefined, { signal: context.signal });
    missing = await findMissing(written, context);
  }
  for (const slug of missing) {
    const outcome = written.get(slug);
    if (outcome === undefined) continue;
    context.store.forgetPage(slug);
    const message = `The service answered that it has the page ${slug}, and does not show it.`;
    context.onOutcome?.({ ...outcome, status: "failed", error: new ImprintError("NOT_LIVE", message) });
  }
}

async function findMissing(written: WrittenPages, context: ApplyContext): Promise<readonly string[]> {
  const { api, store } = context;
  const slugs = [...written.keys()];
  const usage = await api.readUsage();
  // Its answers hold the hash of what it stored, so that the number of pages says the rest.
  if (usage !== undefined && usage.pages >= slugs.length && slugs.every((slug) => store.page(slug) !== undefined)) {
    return [];
  }
  if (slugs.length > FEW_PAGES) return await findMissingSamples(slugs, context);
  const { items } = await api.pages.list();
  const listed = new Map(items.map((page) => [page.slug, page]));
  for (const slug of slugs) noteTime(listed.get(slug), context);
  return slugs.filter((slug) => !listed.has(slug));
}

async function findMissingSamples(slugs: readonly string[], { api }: ApplyContext): Promise<readonly string[]> {
  const step = Math.floor(slugs.length / SAMPLES);
  const samples = slugs.filter((_, index) => index % step === 0).slice(0, SAMPLES);
  const found = await Promise.all(samples.map(async (slug) => [slug, await api.pages.readHtml(slug)] as const));
  // A service that shows no HTML at all shows none of them.
  const hidden = found.filter(([, html]) => html === undefined).map(([slug]) => slug);
  return hidden.length === samples.length ? [] : hidden;
}

/** A later change is recognized by its time in the list. */
function noteTime(page: Page | undefined, { store }: ApplyContext): void {
  const known = page === undefined ? undefined : store.page(page.slug);
  if (page?.updatedAt === undefined || known === undefined) return;
  store.rememberPage(page.slug, { ...known, id: known.id ?? page.id, updatedAt: page.updatedAt.toISOString() });
}
