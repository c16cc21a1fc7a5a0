import type { ImprintApi, Page, Asset } from "../client/api.ts";
import type { State } from "./state.ts";

/**
 * The pages of a service. Where it says how many there are and which changed since a run looked last, and both fit what
 * we remember, that takes one request instead of the whole list. When anything does not add up, everything is listed.
 */
export async function listPages({
  api,
  state,
}: {
  readonly api: ImprintApi;
  readonly state: State;
}): Promise<readonly Page[]> {
  const { seenAt, pages, otherPages = [], sending } = state;
  const count = api.capabilities.account?.usage.pages;
  if (seenAt === undefined || count === undefined || Object.keys(sending).length > 0) {
    return (await api.pages.list()).items;
  }
  const changed = await api.pages.list({ updatedSince: new Date(seenAt) });
  const merged = new Map<string, Page>(otherPages.map((slug) => [slug, { slug }]));
  for (const [slug, { sent, version }] of Object.entries(pages)) merged.set(slug, { slug, contentHash: sent, version });
  for (const page of changed.items) merged.set(page.slug, page);
  return merged.size === count ? [...merged.values()] : (await api.pages.list()).items;
}

/**
 * Until when a run has seen every change at the service: the last change in the list that it was planned from. What the
 * run itself writes is later, so that a change of somebody else meanwhile is never missed.
 */
export function lastSeen(pages: readonly Page[], before: string | undefined): string | undefined {
  let latest = before === undefined ? undefined : new Date(before);
  for (const { updatedAt: at } of pages) if (at !== undefined && (latest === undefined || at > latest)) latest = at;
  return latest?.toISOString();
}

const FEW_WRITES = 100;

/**
 * The same after a run, which may have written so much that it would fill many lists of the next one. Then only what
 * comes after its own last write is asked for. Of what somebody else changed meanwhile nothing is overwritten all the
 * same: every page is replaced in the version that we know of.
 */
export function seenAfter(written: readonly Page[], before: string | undefined): string | undefined {
  return written.length <= FEW_WRITES ? before : lastSeen(written, before);
}

/** How a library looked when all of it was known: nothing was added or deleted while both are the same. */
export type LibrarySeen = NonNullable<State["library"]>;

export interface ListedAssets {
  readonly items: readonly Asset[];
  /** `undefined` where the service does not say how many files it holds. */
  readonly library: LibrarySeen | undefined;
  /** Hashes of assets that we remember and that are not there any more. */
  readonly goneAssets: readonly string[];
}

export interface ListContext {
  readonly api: ImprintApi;
  readonly state: State;
}

/**
 * The files of the library, as far as `wanted` needs them. Where the service counts them, and neither that
 * nor the newest file has changed since a run knew all of them, one request shows that; else everything is listed.
 */
export async function listAssets(wanted: Iterable<string>, { api, state }: ListContext): Promise<ListedAssets> {
  const count = api.capabilities.account?.usage.assets;
  const { library } = state;
  const remembered = rememberedAssets(wanted, state);
  if (library !== undefined && library.count === count && remembered !== undefined) {
    const newest = await api.assets.newest();
    if (newest?.id === library.newest) return { items: remembered, library, goneAssets: [] };
  }
  const { items } = await api.assets.list();
  const ids = new Set(items.map(({ id }) => id));
  const goneAssets = Object.entries(state.assets).flatMap(([hash, { id }]) => (ids.has(id) ? [] : [hash]));
  const seen = count === undefined ? undefined : { count: items.length, newest: items[0]?.id };
  return { items, goneAssets, library: seen };
}

/**
 * Looks at the library after something was added to it. `undefined` when it holds less than it should, because somebody
 * deleted files meanwhile: the next run then lists what is left. More is no harm; the first run of all adds probes too.
 */
export async function lookAtLibrary(
  api: ImprintApi,
  { before, added }: { readonly before: LibrarySeen | undefined; readonly added: number },
): Promise<LibrarySeen | undefined> {
  if (before === undefined) return undefined;
  const [usage, newest] = await Promise.all([api.readUsage(), api.assets.newest()]);
  if (usage === undefined || usage.assets < before.count + added) return undefined;
  return { count: usage.assets, newest: newest?.id };
}

function rememberedAssets(wanted: Iterable<string>, { assets }: State): readonly Asset[] | undefined {
  const found: Asset[] = [];
  for (const hash of wanted) {
    const asset = assets[hash];
    if (asset === undefined) return undefined;
    found.push(asset);
  }
  return found;
}
