import { ImprintError } from "../../base/error.ts";
import type { Page } from "../../client/api.ts";
import type { Dialect } from "../../contract/dialect.ts";
import type { ApplyContext } from "../apply.ts";
import { refusedSlug } from "../state.ts";
import type { Write } from "./pages.ts";

// A host may change a slug that it is sent, and then takes the page for that of the other slug, whose page it replaces.

/**
 * Whether the service silently stored a just sent page under another slug. If so, removes it, so that it is sent again
 * under a slug that the service preserves.
 */
export async function isKeptElsewhere(change: Write, context: ApplyContext): Promise<boolean> {
  const { api, store, seen, signal } = context;
  const { slug } = change.desired;
  if (!slug.includes("-") && slug.length < LEAST_CUT) return false;
  // The response may contain the slug as sent, since not every service reports how it changed it.
  const { items } = await api.pages.list({}, { signal });
  if (items.some((page) => page.slug === slug)) return false;
  const others = new Set(seen.otherPages);
  const isKept = ({ slug: kept }: Page) =>
    !others.has(kept) && store.page(kept) === undefined && ruleBetween(slug, kept) !== undefined;
  const kept = items.find(isKept);
  if (kept === undefined) return false;
  await revert(kept, change, context);
  return true;
}

/** Reverts the creation of a page that the service stored under another slug, and returns the error for it. */
export async function revertKeptElsewhere(record: Page, change: Write, context: ApplyContext): Promise<ImprintError> {
  const { slug } = change.desired;
  await revert(record, change, context);
  const message = `The service stored the page ${slug} under the slug "${record.slug}", so links to it don't work.`;
  const error = new ImprintError("NOT_LIVE", message);
  const isHopeless = ruleBetween(slug, record.slug) === undefined;
  if (isHopeless) context.store.refuse(refusedSlug(slug), error.message, "record");
  return error;
}

/** Deletes the page if this run created it; one that existed before was replaced, and the next run handles it. */
async function revert(
  { slug: kept, id }: Page,
  { kind, desired: { slug } }: Write,
  context: ApplyContext,
): Promise<void> {
  const { api, store, seen, signal, onOutcome } = context;
  api.learn(ruleBetween(slug, kept) ?? {});
  const isOurs = store.page(kept) !== undefined;
  const isOthers = !isOurs && seen.otherPages.includes(kept);
  for (const name of [slug, kept]) store.forgetPage(name);
  if (isOthers) {
    const which = id === undefined ? kept : `${kept} (${id})`;
    const message = `The service stored ${slug} as ${which} and replaced that page, which imprint has no record of.`;
    const hint = `Restore that page in the service's dashboard. With the \`slugs\` option, give yours a slug other than "${kept}".`;
    const error = new ImprintError("NOT_LIVE", message, { hint });
    onOutcome?.({
      resource: "page",
      kind: "update",
      name: kept,
      reason: `replaced by ${slug}`,
      status: "failed",
      error,
    });
  } else if (kind === "create" && !isOurs) {
    await api.pages.delete(kept, { signal });
  }
}

// A shorter prefix may well be a different page's slug.
const LEAST_CUT = 16;

/** Derives a service's rule for slugs from a sent slug and the one that it stored. */
function ruleBetween(sent: string, kept: string): Dialect | undefined {
  const single = sent.replace(/-{2,}/g, "-");
  if (kept === single) return { slugHyphens: "single" };
  if (kept === sent.replaceAll("-", "_")) return { slugSeparator: "_" };
  if (kept === single.replaceAll("-", "_")) return { slugHyphens: "single", slugSeparator: "_" };
  return kept.length >= LEAST_CUT && sent.startsWith(kept) ? { slugMaxLength: kept.length } : undefined;
}
