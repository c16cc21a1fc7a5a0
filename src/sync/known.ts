import { ImprintError } from "../base/error.ts";
import type { ErrorCode } from "../base/error-table.ts";
import { mapPool } from "../base/pool.ts";
import type { Asset, Blog, BrandKit, ImprintApi, Listing, Page, Post, Site } from "../client/api.ts";
import { findMarker } from "../html/marker.ts";
import { assetHashPrefix } from "./asset-name.ts";
import type { Desired, DesiredPage } from "./desired.ts";
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
  readonly record: Page;
}

/** What is at the service, as far as this run has to know it. */
export interface Known {
  readonly site: Site | undefined;
  readonly pages: ReadonlyMap<string, KnownPage>;
  /** Assets of ours, by the hash of what they were made from. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly blog: Blog | undefined;
  readonly posts: Listing<Post> | undefined;
  readonly brandKit: BrandKit | undefined;
}

export interface KnowContext {
  readonly api: ImprintApi;
  readonly state: State;
  readonly signal?: AbortSignal;
}

const READS_AT_ONCE = 8;
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["SERVICE_REFUSED", "SERVICE_WRONG_ADDRESS"]);

/** Asks the service what it has. Sends no write. */
export async function know(desired: Desired, context: KnowContext): Promise<Known> {
  const { api, signal } = context;
  const [pageList, assetList, siteList, kitList, blogs] = await Promise.all([
    api.pages.list({}, { signal }),
    api.assets.list({}, { signal }),
    api.sites.list({ signal }),
    desired.brandKit === undefined ? undefined : api.brandKits.list({ signal }),
    knowBlog(desired, context),
  ]);
  const assets = knowAssets(desired, { listed: assetList.items, state: context.state });
  return {
    site: findSite(siteList.items, desired, context.state),
    pages: await knowPages(desired, { ...context, listed: pageList.items, assets }),
    assets,
    ...blogs,
    brandKit: findBrandKit(kitList?.items ?? [], desired, context.state),
  };
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

type KnownBlog = Pick<Known, "blog" | "posts">;
const NO_BLOG: KnownBlog = { blog: undefined, posts: undefined };

async function knowBlog({ blog: wanted }: Desired, context: KnowContext): Promise<KnownBlog> {
  if (wanted === undefined) return NO_BLOG;
  const { api, state, signal } = context;
  const id = wanted.id ?? state.blogId;
  if (!api.capabilities.operations.has("blogs.list")) {
    if (id === undefined) return knowBlogBySlug(wanted.slug, context);
    return { blog: { id }, posts: await api.posts.list(id, { signal }) };
  }
  const { items } = await api.blogs.list({ signal });
  const blog =
    items.find((each) => each.id === id) ??
    items.find((each) => each.slug === wanted.slug) ??
    items.find((each) => each.slug === undefined && each.name === wanted.name);
  return blog === undefined ? NO_BLOG : { blog, posts: await api.posts.list(blog.id, { signal }) };
}

// Where blogs can't be listed, a service may still take a blog's slug for its id. One that does not refuses it.
async function knowBlogBySlug(slug: string, { api, signal }: KnowContext): Promise<KnownBlog> {
  try {
    return { blog: { id: slug, slug }, posts: await api.posts.list(slug, { signal }) };
  } catch (error) {
    if (error instanceof ImprintError && REFUSALS.has(error.code)) return NO_BLOG;
    throw error;
  }
}

// An asset is recognised by the hash in its name, so that nothing is uploaded again when our memory is lost, and by
// its id from the state where a service renames what it stores.
function knowAssets(desired: Desired, { listed, state }: { listed: readonly Asset[]; state: State }) {
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

interface PagesContext extends KnowContext {
  readonly listed: readonly Page[];
  readonly assets: ReadonlyMap<string, Asset>;
}

async function knowPages(desired: Desired, context: PagesContext): Promise<ReadonlyMap<string, KnownPage>> {
  const wanted = new Map(desired.pages.map((page) => [page.slug, page]));
  const pages = await mapPool(context.listed, READS_AT_ONCE, async (record) => {
    const remembered = context.state.pages[record.slug];
    const page = wanted.get(record.slug);
    if (remembered !== undefined) return rememberedPage(record, { remembered, page, ...context });
    // A page that nobody asks for and that we do not remember is none of our business.
    return page === undefined ? foreignPage(record) : readPage(record, { page, ...context });
  });
  return new Map(pages.map((page) => [page.slug, page]));
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
    record,
  };
}

async function readPage(record: Page, context: PagesContext & { page: DesiredPage }): Promise<KnownPage> {
  const html = await context.api.pages.readHtml(record.slug, { signal: context.signal });
  if (html === undefined) return { ...foreignPage(record), origin: "unknown" };
  const marker = findMarker(html);
  if (marker === undefined) return foreignPage(record);
  return {
    slug: record.slug,
    origin: "ours",
    hash: marker.hash,
    edited: !marker.intact,
    addressesCurrent: context.page.assets.every((hash) => {
      const url = context.assets.get(hash)?.url;
      return url !== undefined && html.includes(url);
    }),
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
