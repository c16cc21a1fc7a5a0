import { ImprintError } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import { pollUntil } from "../../base/poll-until.ts";
import type { Outcome } from "../../base/outcome.ts";
import { mapPool } from "../../base/pool.ts";
import type { Page } from "../../client/api.ts";
import { isHiddenStatus, isPassingStatus } from "../../contract/dialect.ts";
import { findMarker } from "../../html/marker.ts";
import { hashOfWords } from "../../html/words.ts";
import type { ApplyContext } from "../apply.ts";
import type { PageChange } from "../changes.ts";
import type { DesiredPage } from "../desired.ts";
import { isSameHash } from "../lock.ts";
import { pausesAt } from "../lateness.ts";
import { isThere, readHtml } from "../seen.ts";
import { forgetUnstored } from "../unstored.ts";
import { notShown } from "./pages.ts";

/** Pages that were sent and acknowledged in this run, by slug. */
export type WrittenPages = ReadonlyMap<string, Outcome>;

const FEW_PAGES = 100;
const SAMPLES = 3;

interface ConfirmContext extends ApplyContext {
  /** The changes of the plan, with what the service had before. */
  readonly changes: readonly PageChange[];
}

/**
 * Checks whether the service shows the pages that it acknowledged, by its own count or in its list. A page that it
 * doesn't show, or still has in the version before, is forgotten, so that the next run sends it again.
 */
export async function confirmPages(written: WrittenPages, context: ConfirmContext): Promise<void> {
  if (written.size === 0) return;
  const { missing, unmoved } = await pollUntil(() => findMissing(written, context), {
    isEnough: (found) =>
      found.missing.length === 0 &&
      ![...written.keys()].some((slug) => isPassingStatus(context.store.page(slug)?.hiddenAs)),
    pausesMs: pausesAt(context.api.dialect),
    sleep: (ms) => context.clock.sleep(ms, context.signal),
  });
  for (const slug of missing) {
    const outcome = written.get(slug);
    if (outcome === undefined) continue;
    context.store.forgetPage(slug);
    const message = `The service confirmed the page ${slug}, but doesn't show it.`;
    context.onOutcome?.({ ...outcome, status: "failed", error: new ImprintError("NOT_LIVE", message) });
  }
  const unstored = await forgetUnstored(unmoved.slice(0, FEW_PAGES), {
    ...context,
    pausesMs: pausesAt(context.api.dialect),
  });
  for (const [slug, error] of unstored) {
    const outcome = written.get(slug);
    if (outcome !== undefined) context.onOutcome?.({ ...outcome, status: "failed", error });
  }
  for (const [slug, outcome] of written) {
    const hiddenAs = context.store.page(slug)?.hiddenAs;
    if (hiddenAs !== undefined) context.onOutcome?.({ ...outcome, status: "failed", error: notShown(slug, hiddenAs) });
  }
  await recordShown([...written.keys()], context);
}

// On a host that changes pages and reports neither hash nor version, only their HTML reveals an edit: its times also
// change with settings.
export async function recordShown(
  slugs: readonly string[],
  { api, store, state, concurrency }: Pick<ApplyContext, "api" | "concurrency" | "state" | "store">,
): Promise<void> {
  if (api.dialect.html !== "changed") return;
  await mapPool(slugs, concurrency, async (slug) => {
    const page = store.page(slug);
    if (page === undefined || (page.shown ?? page.version) !== undefined) return;
    const html = await readHtml(slug, api);
    if (html === undefined) return;
    // The host may still show the previous version.
    const shown = sha256(html);
    const isOld = (findMarker(html)?.hash ?? page.hash) !== page.hash || isSameHash(shown, state.pages[slug]?.shown);
    if (!isOld) store.rememberPage(slug, { ...page, shown, words: hashOfWords(html) });
  });
}

interface Listed {
  /** Pages that the service doesn't show. */
  readonly missing: readonly string[];
  /** Pages that were changed, and that the list shows with the time of the change before. */
  readonly unmoved: readonly DesiredPage[];
}

async function findMissing(written: WrittenPages, context: ConfirmContext): Promise<Listed> {
  const { api, store, changes } = context;
  const slugs = [...written.keys()];
  const usage = await api.readUsage();
  // Its responses contain the hash of what it stored, so the number of pages is enough.
  if (usage !== undefined && usage.pages >= slugs.length && slugs.every((slug) => store.page(slug) !== undefined)) {
    return { missing: [], unmoved: [] };
  }
  const { items } = await api.pages.list();
  const listed = new Map(items.map((page) => [page.slug, page]));
  const unmoved = changes.flatMap((change) => {
    if (change.kind !== "update" || !written.has(change.name)) return [];
    const before = change.known.record.updatedAt?.getTime();
    return before !== undefined && before === listed.get(change.name)?.updatedAt?.getTime() ? [change.desired] : [];
  });
  for (const slug of slugs) recordListed(listed.get(slug), context);
  const missing = slugs.filter((slug) => !listed.has(slug));
  // A list that lacks so many may be truncated.
  if (missing.length > FEW_PAGES) return { missing: await findMissingSamples(missing, context), unmoved };
  const unseen = await mapPool(missing, context.concurrency, async (slug) =>
    (await isThere(slug, api)) ? [] : [slug],
  );
  return { missing: unseen.flat(), unmoved };
}

async function findMissingSamples(slugs: readonly string[], { api }: ApplyContext): Promise<readonly string[]> {
  const step = Math.floor(slugs.length / SAMPLES);
  const samples = slugs.filter((_, index) => index % step === 0).slice(0, SAMPLES);
  const found = await Promise.all(samples.map(async (slug) => [slug, await api.pages.readHtml(slug)] as const));
  // If all samples lack HTML, the service doesn't return HTML at all.
  const hidden = found.filter(([, html]) => html === undefined).map(([slug]) => slug);
  return hidden.length === samples.length ? [] : hidden;
}

/**
 * Later changes are recognized by the title and time in the list, which may also report that readers don't see the
 * page. The list may still show the previous title.
 */
function recordListed(page: Page | undefined, { store }: ApplyContext): void {
  const known = page === undefined ? undefined : store.page(page.slug);
  if (page === undefined || known === undefined) return;
  const hiddenAs = isHiddenStatus(page.status) ? page.status : undefined;
  const isLate = page.title !== undefined && page.title === known.formerTitle;
  const title = isLate ? known.title : page.title;
  if ((page.updatedAt ?? hiddenAs ?? title) === undefined) return;
  const updatedAt = page.updatedAt?.toISOString() ?? known.updatedAt;
  store.rememberPage(page.slug, {
    ...known,
    id: known.id ?? page.id,
    updatedAt,
    hiddenAs,
    title,
    formerTitle: isLate ? page.title : undefined,
  });
}
