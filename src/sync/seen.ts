import { ImprintError } from "../base/error.ts";
import { isAreaRefusal } from "../base/outcome.ts";
import { pollUntil } from "../base/poll-until.ts";
import { mapPool } from "../base/pool.ts";
import type {
  AssetListing,
  ImprintApi,
  Listing,
  Page,
  PageVersion,
  Asset,
  BrandKit,
  Site,
  Visit,
} from "../client/api.ts";
import { USUAL_PAGE_SIZES } from "../contract/limits.ts";
import type { PostsPort } from "../posts/apply/port.ts";
import { unframe } from "../html/framed-page.ts";
import { findMarker, type Marker } from "../html/marker.ts";
import { identifyAsset } from "./asset-name.ts";
import type { FileAddresses } from "./file-addresses.ts";
import { isWithinLag } from "./lateness.ts";
import type { StateStore } from "./state-store.ts";
import type { State } from "./state.ts";

export interface ListContext {
  readonly api: ImprintApi;
  readonly state: State;
  readonly early?: EarlyLists | undefined;
}

/** Lists that were requested while the site was read. Planning again after sending something requests them again. */
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
 * Requests the lists that a run will need. If a service supports releases, the live one has to be known before all
 * pages are listed, so only page changes since an earlier run are requested.
 *
 * @param isCounted whether the service reports its account, and so how many pages and files it has
 */
export function requestEarly(
  { api, state }: ListContext,
  { brandKits, isCounted }: { readonly brandKits: boolean; readonly isCounted: boolean },
): EarlyLists {
  const lists = isCounted ? requestChanges({ api, state }, { brandKits }) : requestAll(api, { brandKits });
  // Errors are thrown to the code that awaits a list.
  for (const list of Object.values(lists)) list?.catch(() => {});
  return lists;
}

function requestAll(api: ImprintApi, kinds: { readonly brandKits: boolean }): EarlyLists {
  const { operations } = api.capabilities;
  return {
    pages: api.pages.list(),
    ...(operations.has("assets.list") && { assets: api.assets.list() }),
    ...(operations.has("sites.list") && { sites: api.sites.list() }),
    ...(kinds.brandKits && operations.has("brandKits.list") && { brandKits: api.brandKits.list() }),
  };
}

function requestChanges({ api, state }: ListContext, kinds: { readonly brandKits: boolean }): EarlyLists {
  const { seenAt, library, siteId, brandKit } = state;
  return {
    ...(seenAt !== undefined && hasFinished(state) && { changed: listChanged(seenAt, api) }),
    ...(mayBeAsSeen({ api, state }) && { newestAsset: api.assets.newest() }),
    // What nothing is remembered of is listed as a whole.
    ...(library === undefined && { assets: api.assets.list() }),
    ...(siteId === undefined && { sites: api.sites.list() }),
    ...(kinds.brandKits && brandKit === undefined && { brandKits: api.brandKits.list() }),
  };
}

export function listChanged(seenAt: string, { pages }: ImprintApi): Promise<Listing<Page>> {
  return pages.list({ updatedSince: new Date(seenAt) });
}

export function hasFinished({ sending }: State): boolean {
  return Object.keys(sending).length === 0;
}

function mayBeAsSeen({ api, state: { library } }: ListContext): boolean {
  const count = api.capabilities.account?.usage.assets ?? library?.count;
  return library !== undefined && library.count === count;
}

export function mayBeCut({ items, end }: Listing<unknown>): boolean {
  return end === "assumed" && USUAL_PAGE_SIZES.has(items.length);
}

const READS_AT_ONCE = 8;

/** The HTML of a page; `undefined` where the service does not show it, or not to this key. */
export async function readHtml(slug: string, api: ImprintApi): Promise<string | undefined> {
  return (await readVersion(slug, api))?.html;
}

/** The same with the tag of that version; `undefined` where the service has no such page. */
export async function readVersion(slug: string, api: ImprintApi): Promise<PageVersion | undefined> {
  try {
    const read = await api.pages.read(slug);
    return read?.html === undefined ? read : { ...read, html: unframe(read.html) };
  } catch (error) {
    if (isAreaRefusal(error)) return { html: undefined };
    throw error;
  }
}

/** The marker in the HTML of a page; `undefined` if the service shows none of imprint's, or no HTML. */
export async function readMarker(slug: string, api: ImprintApi): Promise<Marker | undefined> {
  return findMarker((await readHtml(slug, api)) ?? "");
}

/** The marker of the page that readers are shown at an address; `undefined` if they are shown none of imprint's. */
export function findShownMarker(visit: Visit | undefined): Marker | undefined {
  return visit?.status === 200 ? findMarker(unframe(new TextDecoder().decode(visit.bytes))) : undefined;
}

/** Whether a page exists on the service, regardless of its list. */
export async function isThere(slug: string, api: ImprintApi): Promise<boolean> {
  if (api.capabilities.operations.has("pages.get")) return (await api.pages.get(slug)) !== undefined;
  return (await readHtml(slug, api)) !== undefined;
}

/**
 * Returns the time up to which a run has seen every change on the service: the last change in the list that the plan is
 * based on. The run's own writes are later, so that another person's change in the meantime is never missed.
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
 * Returns that time after a run. If the run wrote so much that it would fill many lists of the next one, only changes
 * after its own last write will be requested. Even so, another person's change in the meantime isn't overwritten, as
 * every page is replaced only in its known version.
 */
export function seenAfter(written: readonly Page[], { store, seen }: WrittenContext): string | undefined {
  const { seenAt } = store.ids;
  return written.length <= FEW_WRITES || seen.hasEdits ? seenAt : lastSeen(written, seenAt);
}

/** Fingerprint of a completely known library: while both are the same, nothing was added or deleted. */
export type LibrarySeen = NonNullable<State["library"]>;

export interface ListedAssets {
  readonly items: readonly Asset[];
  /** `undefined` if the service doesn't report the number of its files. */
  readonly library: LibrarySeen | undefined;
  /** Hashes of remembered assets that no longer exist. */
  readonly goneAssets: readonly string[];
  /** Whether the service may have more files than it listed. */
  readonly isCut?: boolean;
  /** Names of files without an address, because the library is still processing them. A run adds those that it sends. */
  readonly processing?: Set<string>;
}

export interface ListAssetsContext extends ListContext {
  /** ID of the project if the state has none. */
  readonly freshProject: string;
  readonly fileAddresses: FileAddresses;
  /** Whether the list of pages shows nothing of the project yet. */
  readonly areListsLate?: boolean | undefined;
  readonly port: Pick<PostsPort, "clock" | "signal" | "waits">;
}

/**
 * Lists the files of the library, as far as `wanted` needs them. If the service counts them, and neither the count nor
 * the newest file has changed since a run knew all of them, this takes one request; else everything is listed.
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
  const { items: listed, ...found } = await listUploaded(wanted, context);
  const items = await context.fileAddresses.keep(listed, state.assets);
  const ids = new Set(items.map(({ id }) => id));
  const goneAssets = Object.entries(state.assets).flatMap(([hash, { id }]) => (ids.has(id) ? [] : [hash]));
  const seen = count === undefined ? undefined : { count: items.length, newest: items[0]?.id };
  return { items, goneAssets, library: seen, ...found };
}

// How long to wait for the list to show a file that its address doesn't.
const WAITED_WITHIN_MS = 10_000;
const PAUSES_MS = [500, 1000, 2000, 4000];

/**
 * Lists all files; recently uploaded ones may appear late. Uploads of a killed run may have arrived without a response,
 * so the list is requested again before such a file counts as missing.
 */
async function listUploaded(
  wanted: readonly string[],
  { api, state, early, freshProject, areListsLate = false, port: { clock, signal, waits } }: ListAssetsContext,
): Promise<FoundAssets> {
  const { uploading, assets, uploadedAt, project = freshProject } = state;
  const mayLag = api.capabilities.account === undefined && (areListsLate || isWithinLag(uploadedAt, clock));
  const list = (early?: EarlyLists) => listAllAssets({ api, state, early });
  if (!waits || !mayLag || uploadedAt === undefined) return await list(early);
  const isLate = ({ items }: FoundAssets) => {
    const begun = isWithinLag(uploadedAt, clock);
    const answered = clock.now().getTime() - Date.parse(uploadedAt) < WAITED_WITHIN_MS;
    const ids = new Set(items.map(({ id }) => id));
    const names = items.map(identifyAsset);
    const prefixes = new Set(names.flatMap((name) => (name?.project === project ? name.prefix : [])));
    return wanted.some((hash) => {
      const isSent = (begun && uploading[hash] !== undefined) || (answered && assets[hash] !== undefined);
      return isSent && !ids.has(assets[hash]?.id ?? "") && !prefixes.has(hash.slice(0, 16));
    });
  };
  return await pollUntil(list, {
    first: list(early),
    isEnough: (found) => !isLate(found),
    pausesMs: PAUSES_MS,
    sleep: (ms) => clock.sleep(ms, signal),
  });
}

type FoundAssets = Pick<ListedAssets, "items"> & Required<Pick<ListedAssets, "isCut" | "processing">>;

async function listAllAssets({ api, state, early }: ListContext): Promise<FoundAssets> {
  const listing = await (early?.assets ?? api.assets.list());
  const isCut = lacksFiles(listing);
  const pending = listing.unaddressed.filter(({ isProcessing }) => isProcessing === true);
  const processing = new Set(pending.flatMap(({ name }) => name ?? []));
  // Our own service lists all files immediately. Elsewhere, a list may be truncated anywhere, or lag.
  if (!isCut && api.capabilities.account !== undefined) return { items: listing.items, isCut, processing };
  const ids = new Set(listing.items.map(({ id }) => id));
  const unaddressed = new Set(listing.unaddressed.map(({ id }) => id));
  const unlisted = Object.values(state.assets).filter(({ id }) => !ids.has(id));
  const found = await mapPool(unlisted, READS_AT_ONCE, async (asset) =>
    unaddressed.has(asset.id) || (await isServed(asset, api)) ? [asset] : [],
  );
  return { items: [...listing.items, ...found.flat()], isCut, processing };
}

async function isServed({ url }: Pick<Asset, "url">, { visit }: ImprintApi): Promise<boolean> {
  return URL.canParse(url) && (await visit(url))?.status === 200;
}

/** Finds the wanted files that readers still get from a library whose list is refused. */
export async function findServed(
  wanted: readonly string[],
  { api, state }: Pick<ListContext, "api" | "state">,
): Promise<ListedAssets> {
  const remembered = wanted.flatMap((hash) => state.assets[hash] ?? []);
  const served = await mapPool(remembered, READS_AT_ONCE, async (asset) =>
    (await isServed(asset, api)) ? [asset] : [],
  );
  // Without a list, only our memories show which files are there.
  return { items: served.flat(), library: undefined, goneAssets: [], isCut: true };
}

/** Whether the library may have files that its list doesn't show: others, or those with these IDs. */
export async function isLibraryCut(api: ImprintApi, ids: ReadonlySet<string>): Promise<boolean> {
  const listing = await ifAnswered(api.assets.list());
  if (listing === undefined) return false;
  const listed = new Set(listing.items.map(({ id }) => id));
  return lacksFiles(listing) || [...ids].some((id) => !listed.has(id));
}

function lacksFiles(listing: AssetListing): boolean {
  return mayBeCut(listing) || listing.unaddressed.length > 0;
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

// This request only saves the next run a list, so its failure must not fail this run.
export async function ifAnswered<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ImprintError) return undefined;
    throw error;
  }
}
