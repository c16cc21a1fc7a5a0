import { sha256 } from "../base/hash.ts";
import { mapPool } from "../base/pool.ts";
import type { Asset, Blog, BrandKit, ImprintApi, Page, Site } from "../client/api.ts";
import { findMarker } from "../html/marker.ts";
import { assetHashPrefix } from "./asset-name.ts";
import type { Desired, DesiredPage } from "./desired.ts";
import { knowBlog } from "./posts/know-blog.ts";
import type { KnownPosts } from "./posts/known-posts.ts";
import type { PostsPort } from "./posts/port.ts";
import { listAssets } from "./list-assets.ts";
import type { ListedAssets } from "./list-assets.ts";
import { lastSeen, listPages } from "./list-pages.ts";
import { findPreviewName } from "./preview-name.ts";
import { countSpareAssets } from "./spare-assets.ts";
import type { SpareAssets } from "./spare-assets.ts";
import type { State } from "./state.ts";

/** A page as it is at the service, and whether it is ours. */
export interface KnownPage {
  readonly slug: string;
  /** `ours`: imprint published it. `unknown`: the service does not show what the page holds. */
  readonly origin: "ours" | "foreign" | "unknown";
  /** Hash of the HTML with placeholders that the page was made from. */
  readonly hash: string | undefined;
  /** Whether somebody changed the page at the service after we published it. */
  readonly edited: boolean;
  /** Whether the page holds the present addresses of its assets. */
  readonly addressesCurrent: boolean;
  /** SHA-256 of the HTML as it was sent, when it is known. */
  readonly sent?: string;
  readonly record: Page;
}

/** What is at the service, as far as this run has to know it. */
export interface Known {
  readonly site: Site | undefined;
  readonly pages: ReadonlyMap<string, KnownPage>;
  /** Assets of ours, by the hash of what they were made from. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly seen: Seen;
  readonly blog: Blog | undefined;
  readonly posts: KnownPosts | undefined;
  readonly brandKit: BrandKit | undefined;
  /** Files of ours that seem to be used by nothing; absent: none, or it is not known. */
  readonly spareAssets?: SpareAssets | undefined;
}

/** How a run found the service, to be remembered when it is carried out. */
export interface Seen extends Pick<ListedAssets, "library" | "goneAssets"> {
  /** Slugs of pages that this target did not publish. */
  readonly otherPages: readonly string[];
  /** Slugs of pages that we remember and that are not there any more. */
  readonly gonePages: readonly string[];
  /** Time of the service up to which every change of a page is known. */
  readonly seenAt: string | undefined;
}

export interface KnowContext {
  readonly api: ImprintApi;
  readonly state: State;
  /** What posts need. */
  readonly posts: PostsPort;
}

const READS_AT_ONCE = 8;

/** Asks the service what it has. Sends no write. */
export async function know(desired: Desired, context: KnowContext): Promise<Known> {
  const { api } = context;
  const [pageList, assetList, siteList, kitList, blogs] = await Promise.all([
    listPages(context),
    listAssets(desired.assets.keys(), context),
    desired.preview === undefined ? api.sites.list() : undefined,
    desired.brandKit === undefined ? undefined : api.brandKits.list(),
    knowBlog(desired, { api, blogId: context.state.blogId, port: context.posts }),
  ]);
  const assets = knowAssets(desired, { listed: assetList.items, state: context.state });
  return {
    site: findSite(siteList?.items ?? [], desired, context.state),
    pages: await knowPages(desired, { ...context, listed: pageList, assets }),
    assets,
    seen: { ...assetList, ...seePages(pageList, context.state) },
    ...blogs,
    brandKit: findBrandKit(kitList?.items ?? [], desired, context.state),
    // A preview does not know what the live site wants.
    spareAssets: desired.preview === undefined ? countSpareAssets(assetList.items, desired.assets.keys()) : undefined,
  };
}

function seePages(listed: readonly Page[], { pages, sending, seenAt }: State): Omit<Seen, keyof ListedAssets> {
  const slugs = listed.map(({ slug }) => slug);
  const otherPages = slugs.filter((slug) => pages[slug] === undefined && sending[slug] === undefined);
  const present = new Set(slugs);
  const gonePages = [...Object.keys(pages), ...Object.keys(sending)].filter((slug) => !present.has(slug));
  return { otherPages, gonePages, seenAt: lastSeen(listed, seenAt) };
}

function findSite(sites: readonly Site[], desired: Desired, state: State): Site | undefined {
  return (
    sites.find((site) => site.id === state.siteId) ??
    sites.find((site) => site.slug === desired.site.slug) ??
    sites.find((site) => site.slug === undefined && site.name === desired.site.name)
  );
}

function findBrandKit(kits: readonly BrandKit[], desired: Desired, state: State): BrandKit | undefined {
  return (
    kits.find((kit) => kit.id === state.brandKit?.id) ?? kits.find((kit) => kit.name === desired.brandKit?.body.name)
  );
}

// An asset is recognised by the hash in its name, so that nothing is uploaded again when our memory is lost, and by
// its id from the state where a service renames what it stores.
export function knowAssets(
  desired: Pick<Desired, "assets">,
  { listed, state }: { listed: readonly Asset[]; state: State },
) {
  const byPrefix = new Map<string, Asset>();
  const byId = new Map<string, Asset>();
  for (const asset of listed) {
    byId.set(asset.id, asset);
    const prefix = assetHashPrefix(asset.name ?? "");
    if (prefix !== undefined && !byPrefix.has(prefix)) byPrefix.set(prefix, asset);
  }
  const known = new Map<string, Asset>();
  for (const hash of desired.assets.keys()) {
    const asset = byId.get(state.assets[hash]?.id ?? "") ?? byPrefix.get(hash.slice(0, 16));
    if (asset !== undefined) known.set(hash, asset);
  }
  return known;
}

export interface PagesContext {
  readonly api: ImprintApi;
  readonly state: State;
  readonly listed: readonly Page[];
  readonly assets: ReadonlyMap<string, Asset>;
}

/** What the listed pages hold, by slug: from memory, or by reading those that are wanted. */
export async function knowPages(
  desired: Pick<Desired, "pages" | "preview">,
  context: PagesContext,
): Promise<ReadonlyMap<string, KnownPage>> {
  const wanted = new Map(desired.pages.map((page) => [page.slug, page]));
  const pages = await mapPool(context.listed, READS_AT_ONCE, async (record) => {
    const page = wanted.get(record.slug);
    const sending = context.state.sending[record.slug];
    const remembered = rememberedState(record, context.state);
    if (remembered !== undefined) return rememberedPage(record, { remembered, page, ...context });
    if (page !== undefined || isLeftOver(record, desired)) return readPage(record, { page, ...context });
    // A page that nobody asks for and that we do not remember is none of our business.
    // Neither is one whose content is not what a run was sending when it was cut off.
    return sending === undefined || record.contentHash !== undefined ? foreignPage(record) : unfinishedPage(record);
  });
  return new Map(pages.map((page) => [page.slug, page]));
}

// A preview is published from machines that remember nothing, so that pages which it no longer has are known by their
// slugs, and by the marker in them.
function isLeftOver({ slug }: Page, { preview }: Pick<Desired, "preview">): boolean {
  return preview !== undefined && findPreviewName(slug) === preview;
}

// A run that was cut off may have sent a page without hearing the answer. Where the service tells what it holds, that
// decides; else the page is read, or sent again.
function rememberedState(record: Page, { pages, sending }: State): State["pages"][string] | undefined {
  const unfinished = sending[record.slug];
  if (unfinished === undefined) return pages[record.slug];
  if (record.contentHash === undefined) return undefined;
  return record.contentHash === unfinished.sent ? unfinished : pages[record.slug];
}

function unfinishedPage(record: Page): KnownPage {
  return { ...foreignPage(record), origin: "ours" };
}

function rememberedPage(
  record: Page,
  known: Omit<PagesContext, "listed"> & { remembered: State["pages"][string]; page: DesiredPage | undefined },
): KnownPage {
  const { remembered, page, assets, state } = known;
  return {
    slug: record.slug,
    origin: "ours",
    hash: remembered.hash,
    edited: record.contentHash !== undefined && record.contentHash !== remembered.sent,
    addressesCurrent: (page?.assets ?? []).every((hash) => {
      const url = assets.get(hash)?.url;
      return url !== undefined && url === state.assets[hash]?.url;
    }),
    sent: remembered.sent,
    record: { ...record, version: record.version ?? remembered.version },
  };
}

async function readPage(record: Page, context: PagesContext & { page: DesiredPage | undefined }): Promise<KnownPage> {
  const html = await context.api.pages.readHtml(record.slug);
  if (html === undefined) {
    const isUnfinished = context.state.sending[record.slug] !== undefined;
    return isUnfinished ? unfinishedPage(record) : { ...foreignPage(record), origin: "unknown" };
  }
  const marker = findMarker(html);
  if (marker === undefined) return foreignPage(record);
  return {
    slug: record.slug,
    origin: "ours",
    hash: marker.hash,
    edited: !marker.intact,
    addressesCurrent: (context.page?.assets ?? []).every((hash) => {
      const url = context.assets.get(hash)?.url;
      return url !== undefined && html.includes(url);
    }),
    sent: sha256(html),
    record,
  };
}

function foreignPage(record: Page): KnownPage {
  return {
    slug: record.slug,
    origin: "foreign",
    hash: undefined,
    edited: false,
    addressesCurrent: false,
    record,
  };
}
