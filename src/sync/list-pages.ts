import { sha256 } from "../base/hash.ts";
import { isAreaRefusal } from "../base/outcome.ts";
import { mapPool } from "../base/pool.ts";
import type { ImprintApi, Page } from "../client/api.ts";
import { publishedAddress } from "../client/published-address.ts";
import { failureOf } from "../client/transport/outcome.ts";
import { HOME_SLUG } from "../contract/slug.ts";
import { findMarker } from "../html/marker.ts";
import { isSameHash, isSameRecord, type LockedTarget } from "./lock.ts";
import { hasFinished, ifAnswered, isThere, listChanged, mayBeCut, type ListContext } from "./seen.ts";
import type { State } from "./state.ts";

export interface ListPagesContext extends ListContext {
  readonly locked: LockedTarget | undefined;
  /** Slugs of the site's current pages. */
  readonly wanted: readonly string[];
}

export interface ListedPages {
  readonly pages: readonly Page[];
  /** Whether the service has the project's pages, and its list shows none of them yet. */
  readonly isLate: boolean;
}

/**
 * Lists the pages of a service. If it reports their number and the changes since the last run, and both match our
 * memory, this takes one request instead of the whole list. If anything doesn't match, everything is listed.
 */
export async function listPages(context: ListPagesContext): Promise<ListedPages> {
  const { api, state, early } = context;
  const { seenAt, pages, otherPages = [] } = state;
  const count = api.capabilities.account?.usage.pages;
  if (seenAt === undefined || count === undefined || !hasFinished(state)) return await listAllPages(context);
  const changed = await (early?.changed ?? listChanged(seenAt, api));
  const merged = new Map<string, Page>(otherPages.map((slug) => [slug, { slug }]));
  for (const [slug, { sent, version }] of Object.entries(pages)) merged.set(slug, { slug, contentHash: sent, version });
  for (const page of changed.items) merged.set(page.slug, page);
  return merged.size === count ? { pages: [...merged.values()], isLate: false } : await listAllPages(context);
}

/** Returns the remembered pages by slug; the cache takes precedence over the lock file. */
export function rememberedPages({ state, locked }: Pick<ListPagesContext, "state" | "locked">): RememberedPages {
  return { ...locked?.pages, ...state.pages };
}

type RememberedPages = LockedTarget["pages"] | State["pages"];

const READS_AT_ONCE = 8;

// Pages missing from a truncated list would be sent as new ones, perhaps over somebody else's.
async function listAllPages(context: ListPagesContext): Promise<ListedPages> {
  const { api, state, early, locked, wanted } = context;
  const { items, ...listing } = await (early?.pages ?? api.pages.list());
  const isCut = mayBeCut({ items, ...listing });
  // Our own service lists all pages immediately.
  if (!isCut && api.capabilities.account !== undefined) return { pages: items, isLate: false };
  const listed = new Set(items.map(({ slug }) => slug));
  const remembered = rememberedPages({ state, locked });
  const own = { ...state.sending, ...remembered };
  const lacksOwn = Object.keys(own).every((slug) => !listed.has(slug));
  if (!isCut && Object.keys(own).length > 0) {
    const missing = Object.fromEntries(Object.entries(own).filter(([slug]) => !listed.has(slug)));
    const found = await findUnlistedPages(missing, { api, project: state.project });
    return { pages: [...items, ...found], isLate: lacksOwn && found.length > 0 };
  }
  // A project that lost its memory may be here already.
  const mayBeLate = !isCut && wanted.includes(HOME_SLUG) && !listed.has(HOME_SLUG);
  const isLate = mayBeLate && (await ifAnswered(isThere(HOME_SLUG, api))) === true;
  if (!isCut && !isLate) return { pages: items, isLate };
  const slugs = new Set([...wanted, ...Object.keys(remembered)]);
  const unlisted = [...slugs].filter((slug) => !listed.has(slug));
  const found = await mapPool(unlisted, READS_AT_ONCE, async (slug) => {
    return (await isThere(slug, api)) ? [{ slug, id: remembered[slug]?.id }] : [];
  });
  return { pages: [...items, ...found.flat()], isLate };
}

// A list may lag behind the writes of earlier runs, where requests for single records don't. What a list lacks would be
// sent a second time.

type RememberedPage = Pick<State["pages"][string], "id" | "sent" | "shown" | "hiddenAs">;

interface UnlistedContext {
  readonly api: ImprintApi;
  readonly project: string | undefined;
}

const SAMPLES = 3;

/** Finds the remembered pages that a list lacks, and that the service shows under their slugs to this key. */
async function findUnlistedPages(
  missing: Readonly<Record<string, RememberedPage>>,
  context: UnlistedContext,
): Promise<readonly Page[]> {
  const find = async ([slug, memory]: readonly [string, RememberedPage]) => {
    const page = await findPage(slug, memory, context);
    return page === undefined ? [] : [page];
  };
  const all = Object.entries(missing);
  const ahead = (await mapPool(all.slice(0, SAMPLES), READS_AT_ONCE, find)).flat();
  // Somebody deleted them, or the key is another account's.
  if (ahead.length === 0) return [];
  return [...ahead, ...(await mapPool(all.slice(SAMPLES), READS_AT_ONCE, find)).flat()];
}

async function findPage(slug: string, memory: RememberedPage, context: UnlistedContext): Promise<Page | undefined> {
  const { api, project } = context;
  try {
    if (api.capabilities.operations.has("pages.get")) {
      const page = await api.pages.get(slug);
      if (page === undefined || !isSameRecord(memory, page)) return undefined;
      return { ...page, status: page.status ?? (await hiddenStatus(slug, memory, api)) };
    }
    // The page that readers see, which `pages.read` falls back to, shows nothing about this key's account.
    const { text } = await api.request("pages.raw", { parameters: [slug] });
    const isOurs = isSameHash(sha256(text), memory.shown ?? memory.sent) || findMarker(text)?.project === project;
    if (!isOurs || project === undefined) return undefined;
    return { slug, id: memory.id, status: await hiddenStatus(slug, memory, api) };
  } catch (error) {
    const status = failureOf(error)?.status;
    if (isAreaRefusal(error) || status === 404 || status === 410) return undefined;
    throw error;
  }
}

/** The status of a page that was hidden when it was sent, unless readers see it by now. */
async function hiddenStatus(slug: string, { hiddenAs }: RememberedPage, api: ImprintApi): Promise<string | undefined> {
  const { pagesAt } = api.capabilities;
  if (hiddenAs === undefined || pagesAt === undefined) return hiddenAs;
  return (await api.visit(publishedAddress(pagesAt, slug)))?.status === 200 ? undefined : hiddenAs;
}
