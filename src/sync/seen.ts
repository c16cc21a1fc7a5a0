import { ImprintError } from "../base/error.ts";
import { isAreaRefusal } from "../base/outcome.ts";
import { lookUntil } from "../base/look-until.ts";
import { mapPool } from "../base/pool.ts";
import type { AssetListing, ImprintApi, Listing, Page, PageVersion, Asset, BrandKit, Site } from "../client/api.ts";
import { USUAL_PAGE_SIZES } from "../contract/limits.ts";
import type { PostsPort } from "../posts/apply/port.ts";
import { parseAssetName } from "./asset-name.ts";
import type { FileAddresses } from "./file-addresses.ts";
import type { LockedTarget } from "./lock.ts";
import type { StateStore } from "./state-store.ts";
import type { State } from "./state.ts";

export interface ListContext {
  readonly api: ImprintApi;
  readonly state: State;
  readonly early?: EarlyLists | undefined;
}

/** Lists that were asked for while the site was read. Who plans again after something was sent asks again. */
export interface EarlyLists {
  /** The pages that changed since an earlier run. */
  readonly changed?: Promise<Listing<Page>>;
  readonly pages?: Promise<Listing<Page>>;
  readonly newestAsset?: Promise<Asset | undefined>;
  readonly assets?: Promise<AssetListing>;
  readonly sites?: Promise<Listing<Site>>;
  readonly brandKits?: Promise<Listing<BrandKit>>;
}

/**
 * Asks for the lists that a run will need. Where a service publishes releases, the live one has to be known before all
 * pages are listed: there, only what changed since an earlier run is asked for.
 */
export function askEarly({ api, state }: ListContext, kinds: { readonly brandKits: boolean }): EarlyLists {
  const lists = api.capabilities.account === undefined ? askForAll(api, kinds) : askForChanges({ api, state });
  // Whoever needs a list meets its error.
  for (const list of Object.values(lists)) list?.catch(() => {});
  return lists;
}

function askForAll(api: ImprintApi, kinds: { readonly brandKits: boolean }): EarlyLists {
  const { operations } = api.capabilities;
  return {
    pages: api.pages.list(),
    ...(operations.has("assets.list") && { assets: api.assets.list() }),
    ...(operations.has("sites.list") && { sites: api.sites.list() }),
    ...(kinds.brandKits && operations.has("brandKits.list") && { brandKits: api.brandKits.list() }),
  };
}

function askForChanges({ api, state }: ListContext): EarlyLists {
  const { seenAt } = state;
  return {
    ...(seenAt !== undefined && mayAskChanges({ api, state }) && { changed: listChanged(seenAt, api) }),
    ...(mayBeAsSeen({ api, state }) && { newestAsset: api.assets.newest() }),
  };
}

function listChanged(seenAt: string, { pages }: ImprintApi): Promise<Listing<Page>> {
  return pages.list({ updatedSince: new Date(seenAt) });
}

function mayAskChanges({ api, state: { sending } }: ListContext): boolean {
  return api.capabilities.account !== undefined && Object.keys(sending).length === 0;
}

function mayBeAsSeen({ api, state: { library } }: ListContext): boolean {
  return library !== undefined && library.count === api.capabilities.account?.usage.assets;
}

export interface ListPagesContext extends ListContext {
  readonly locked: LockedTarget | undefined;
  /** Slugs of the pages that the site has now. */
  readonly wanted: readonly string[];
}

/**
 * The pages of a service. Where it says how many there are and which changed since a run looked last, and both fit what
 * we remember, that takes one request instead of the whole list. When anything does not add up, everything is listed.
 */
export async function listPages(context: ListPagesContext): Promise<readonly Page[]> {
  const { api, state, early } = context;
  const { seenAt, pages, otherPages = [] } = state;
  const count = api.capabilities.account?.usage.pages;
  if (seenAt === undefined || !mayAskChanges(context)) return await listAllPages(context);
  const changed = await (early?.changed ?? listChanged(seenAt, api));
  const merged = new Map<string, Page>(otherPages.map((slug) => [slug, { slug }]));
  for (const [slug, { sent, version }] of Object.entries(pages)) merged.set(slug, { slug, contentHash: sent, version });
  for (const page of changed.items) merged.set(page.slug, page);
  return merged.size === count ? [...merged.values()] : await listAllPages(context);
}

/** What is remembered of pages, by slug: of one that both know, what the cache says. */
export function rememberedPages({ state, locked }: Pick<ListPagesContext, "state" | "locked">): RememberedPages {
  return { ...locked?.pages, ...state.pages };
}

type RememberedPages = LockedTarget["pages"] | State["pages"];

const READS_AT_ONCE = 8;

// A list that may be cut lacks pages that are there: they would be sent as new ones, over those of somebody else.
async function listAllPages({ api, state, early, locked, wanted }: ListPagesContext): Promise<readonly Page[]> {
  const listing = await (early?.pages ?? api.pages.list());
  if (!mayBeCut(listing)) return listing.items;
  const listed = new Set(listing.items.map(({ slug }) => slug));
  const remembered = rememberedPages({ state, locked });
  const slugs = new Set([...wanted, ...Object.keys(remembered)]);
  const unlisted = [...slugs].filter((slug) => !listed.has(slug));
  const found = await mapPool(unlisted, READS_AT_ONCE, async (slug) => {
    return (await isThere(slug, api)) ? [{ slug, id: remembered[slug]?.id }] : [];
  });
  return [...listing.items, ...found.flat()];
}

function mayBeCut({ items, end }: Listing<unknown>): boolean {
  return end === "assumed" && USUAL_PAGE_SIZES.has(items.length);
}

/** The HTML of a page; `undefined` where the service does not show it, or not to this key. */
export async function readHtml(slug: string, api: ImprintApi): Promise<string | undefined> {
  return (await readVersion(slug, api))?.html;
}

/** The same with the tag of that version; `undefined` where the service has no such page. */
export async function readVersion(slug: string, api: ImprintApi): Promise<PageVersion | undefined> {
  try {
    return await api.pages.read(slug);
  } catch (error) {
    if (isAreaRefusal(error)) return { html: undefined };
    throw error;
  }
}

/** Whether a page is at the service, whatever its list shows. */
export async function isThere(slug: string, api: ImprintApi): Promise<boolean> {
  if (api.capabilities.operations.has("pages.get")) return (await api.pages.get(slug)) !== undefined;
  return (await readHtml(slug, api)) !== undefined;
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

interface WrittenContext {
  readonly store: Pick<StateStore, "ids">;
  readonly seen: { readonly hasEdits: boolean };
}

/**
 * The same after a run, which may have written so much that it would fill many lists of the next one. Then only what
 * comes after its own last write is asked for. Of what somebody else changed meanwhile nothing is overwritten all the
 * same: every page is replaced in the version that we know of.
 */
export function seenAfter(written: readonly Page[], { store, seen }: WrittenContext): string | undefined {
  const { seenAt } = store.ids;
  return written.length <= FEW_WRITES || seen.hasEdits ? seenAt : lastSeen(written, seenAt);
}

/** How a library looked when all of it was known: nothing was added or deleted while both are the same. */
export type LibrarySeen = NonNullable<State["library"]>;

export interface ListedAssets {
  readonly items: readonly Asset[];
  /** `undefined` where the service does not say how many files it holds. */
  readonly library: LibrarySeen | undefined;
  /** Hashes of assets that we remember and that are not there any more. */
  readonly goneAssets: readonly string[];
  /** Whether the service may have more files than it listed. */
  readonly isCut?: boolean;
}

export interface ListAssetsContext extends ListContext {
  /** Id of the project, where the state has none. */
  readonly freshProject: string;
  readonly fileAddresses: FileAddresses;
  readonly port: Pick<PostsPort, "clock" | "signal" | "waits">;
}

/**
 * The files of the library, as far as `wanted` needs them. Where the service counts them, and neither that
 * nor the newest file has changed since a run knew all of them, one request shows that; else everything is listed.
 */
export async function listAssets(wanted: readonly string[], context: ListAssetsContext): Promise<ListedAssets> {
  const { api, state, early } = context;
  const count = api.capabilities.account?.usage.assets;
  const { library } = state;
  const remembered = rememberedAssets(wanted, state);
  if (library !== undefined && remembered !== undefined && mayBeAsSeen(context)) {
    const newest = await (early?.newestAsset ?? api.assets.newest());
    if (newest?.id === library.newest) return { items: remembered, library, goneAssets: [] };
  }
  const { items: listed, isCut } = await listUploaded(wanted, context);
  const items = await context.fileAddresses.keep(listed, state.assets);
  const ids = new Set(items.map(({ id }) => id));
  const goneAssets = Object.entries(state.assets).flatMap(([hash, { id }]) => (ids.has(id) ? [] : [hash]));
  const seen = count === undefined ? undefined : { count: items.length, newest: items[0]?.id };
  return { items, goneAssets, library: seen, isCut };
}

// An upload without an answer may still arrive for a while; one that was answered is listed within seconds.
const ARRIVES_WITHIN_MS = 300_000;
const LISTED_WITHIN_MS = 10_000;
const PAUSES_MS = [500, 1000, 2000, 4000];

/**
 * All files, of which a list may show those late that were uploaded a moment ago. What a run that was killed began to
 * upload may have arrived without an answer, so that a list is asked again before such a file counts as missing.
 */
async function listUploaded(
  wanted: readonly string[],
  { api, state, early, freshProject, port: { clock, signal, waits } }: ListAssetsContext,
): Promise<FoundAssets> {
  const { uploading, assets, uploadedAt, project = freshProject } = state;
  const first = listAllAssets({ api, state, early });
  // A service that counts its files lists all of them at once.
  if (!waits || uploadedAt === undefined || api.capabilities.account !== undefined) return await first;
  const isWithin = (ms: number) => clock.now().getTime() - Date.parse(uploadedAt) < ms;
  const isLate = ({ items }: FoundAssets) => {
    const [begun, answered] = [isWithin(ARRIVES_WITHIN_MS), isWithin(LISTED_WITHIN_MS)];
    const ids = new Set(items.map(({ id }) => id));
    const names = items.map(({ name = "" }) => parseAssetName(name));
    const prefixes = new Set(names.flatMap((name) => (name?.project === project ? name.prefix : [])));
    return wanted.some((hash) => {
      const isSent = (begun && uploading[hash] !== undefined) || (answered && assets[hash] !== undefined);
      return isSent && !ids.has(assets[hash]?.id ?? "") && !prefixes.has(hash.slice(0, 16));
    });
  };
  return await lookUntil(() => listAllAssets({ api, state }), {
    first,
    isEnough: (found) => !isLate(found),
    pausesMs: PAUSES_MS,
    sleep: (ms) => clock.sleep(ms, signal),
  });
}

type FoundAssets = Pick<ListedAssets, "items"> & { readonly isCut: boolean };

async function listAllAssets({ api, state, early }: ListContext): Promise<FoundAssets> {
  const listing = await (early?.assets ?? api.assets.list());
  if (!lacksFiles(listing)) return { items: listing.items, isCut: false };
  const ids = new Set(listing.items.map(({ id }) => id));
  const unaddressed = new Set(listing.unaddressed);
  const unlisted = Object.values(state.assets).filter(({ id }) => !ids.has(id));
  const found = await mapPool(unlisted, READS_AT_ONCE, async (asset) => {
    if (unaddressed.has(asset.id)) return [asset];
    const visit = URL.canParse(asset.url) ? await api.visit(asset.url) : undefined;
    return visit?.status === 200 ? [asset] : [];
  });
  return { items: [...listing.items, ...found.flat()], isCut: true };
}

/** Whether the library may hold files that its list doesn't show. */
export async function isLibraryCut(api: ImprintApi): Promise<boolean> {
  const listing = await ifAnswered(api.assets.list());
  return listing !== undefined && lacksFiles(listing);
}

function lacksFiles(listing: AssetListing): boolean {
  return mayBeCut(listing) || listing.unaddressed.length > 0;
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
  const [usage, newest] = (await ifAnswered(Promise.all([api.readUsage(), api.assets.newest()]))) ?? [];
  if (usage === undefined || usage.assets < before.count + added) return undefined;
  return { count: usage.assets, newest: newest?.id };
}

function rememberedAssets(wanted: readonly string[], { assets }: State): readonly Asset[] | undefined {
  const found: Asset[] = [];
  for (const hash of wanted) {
    const asset = assets[hash];
    if (asset === undefined) return undefined;
    found.push(asset);
  }
  return found;
}

// What is only asked for the next run, which has to list once more without it, is no reason to fail this one.
export async function ifAnswered<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ImprintError) return undefined;
    throw error;
  }
}
