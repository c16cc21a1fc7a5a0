import type { FormerPost } from "./former-blogs.ts";
import type { Asset, BrandKit, ImprintApi, Page, Site } from "../client/api.ts";
import { pagesBySlug, type Desired } from "./desired.ts";
import { findAssets, recoverAssets, countSpareAssets, refuseEmptyList, type SpareAssets } from "./known-assets.ts";
import { createFileAddresses, type FileAddresses } from "./file-addresses.ts";
import { findMarker } from "../html/marker.ts";
import { mapPool } from "../base/pool.ts";
import { classifyPages, seePages, type ClassifyContext, type KnownPage } from "./known-pages.ts";
import { findMoved } from "./moved.ts";
import { findFolded, findUnlisted, classifyUnlisted } from "./folded-slugs.ts";
import { learnAgain } from "./learn-again.ts";
import { listPages, rememberedPages } from "./list-pages.ts";
import { findServed, listAssets, type ListedAssets, lastSeen, readHtml } from "./seen.ts";
import { listBrandKits, listSites, type OwnList } from "./own-lists.ts";
import { readRemoteBlog, showsBlogs, type KnownBlog } from "./known-blog.ts";
import { completeKit, findBrandKit, findNamesakes, findSite, isRecordRenamed, showsOwnPage } from "./own-records.ts";
import { claimProject, publishesElsewhere, type Owner } from "./project.ts";
import { findRefusal } from "./plan/assets.ts";
import { reviewFiles } from "./served-length.ts";
import type { Run } from "./run.ts";
import { findBegun, type State } from "./state.ts";
import { isAreaRefusal } from "../base/outcome.ts";

/** What the service has, as far as this run needs to know. */
export interface Known extends Omit<KnownBlog, "claimed"> {
  readonly site: Site | undefined;
  /** Slugs of all sites of the account; only of ours if it exists and nothing has changed. */
  readonly siteSlugs: ReadonlySet<string>;
  readonly pages: ReadonlyMap<string, KnownPage>;
  /** Our assets, by the hash of their source. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly seen: Seen;
  /** Posts that readers still see in blogs that the project published to before. */
  readonly formerPosts?: readonly FormerPost[];
  /** Whether the service may have a blog of ours that no local state has. */
  readonly mayHaveBlog: boolean;
  readonly brandKit: BrandKit | undefined;
  /** IDs of all sites and kits with the names of ours. */
  readonly namesakes: { readonly sites: readonly string[]; readonly brandKits: readonly string[] };
  /** Whether lists don't show yet what the project has published, so that it must not be created again. */
  readonly areListsLate?: boolean | undefined;
  readonly owner: Owner;
  /** Files that the library refused, by hash, and why. */
  readonly refusedFiles: Readonly<Record<string, string>>;
  /** The service's messages about areas that it lacks or denies to this key. */
  readonly refused: RefusedAreas;
  /**
   * ID of the release that was live before anything else was read; `null` for none. Absent if pages are published one
   * by one.
   */
  readonly release?: string | null | undefined;
  /** Our files that seem to be unused; absent if there are none, or if it is unknown. */
  readonly spareAssets?: SpareAssets | undefined;
}

/** Optional areas with the service's message when they were requested. */
export type RefusedAreas = Readonly<Partial<Record<"sites" | "brand kits" | "blogs" | "library", string>>>;

/** What a run saw on the service, to be remembered when the plan is applied. */
export interface Seen extends Pick<ListedAssets, "library" | "goneAssets" | "isCut" | "processing"> {
  /** Slugs of pages that this target didn't publish. */
  readonly otherPages: readonly string[];
  /** Slugs of remembered pages that no longer exist. */
  readonly gonePages: readonly string[];
  /** The service's time up to which all page changes are known. */
  readonly seenAt: string | undefined;
  /** Whether pages of ours were edited on the service: later runs have to list these changes again. */
  readonly hasEdits: boolean;
}

export interface RemoteContext extends Pick<
  Run,
  "api" | "areListsLate" | "early" | "memory" | "posts" | "request" | "texts"
> {
  /** The pages that the service lists, if already requested. */
  readonly listedPages?: readonly Page[] | undefined;
  /** The release of a site that was live before; `null` for none. Absent if unknown. */
  readonly release?: { readonly siteId: string; readonly id: string | null } | undefined;
  /** The sites of the account, if already requested. */
  readonly sites?: OwnList<Site> | Refused | undefined;
}

/**
 * Reads what the service has. Writes nothing. If it supports releases, the live one is read before the pages are
 * listed, so that publishing on top of that release replaces nothing that the list didn't show.
 */
export async function readRemote(desired: Desired, context: RemoteContext): Promise<Known> {
  const { api, memory } = context;
  const isLive = desired.preview === undefined && desired.only === undefined;
  if (!isLive || !api.capabilities.operations.has("releases.open")) return await readAll(desired, context);
  const { state } = memory;
  const { siteId, release } = state;
  // What an earlier run remembers needn't be requested: if another release is live, none can be opened on this one.
  const isRemembered = siteId !== undefined && release !== undefined;
  const sites =
    context.sites ??
    (isRemembered
      ? undefined
      : await readArea(() => listSites({ api, state, early: context.early, port: context.posts })));
  // If the pages show that it is a different site, they are read again.
  const likely = findSite(itemsOf(sites), {
    desired,
    state,
    owner: { isRecovered: true, isFresh: state.project === undefined, project: state.project ?? "" },
    hasPages: true,
  });
  const before = context.release ?? (isRemembered ? { siteId, id: release } : await readLive(likely?.id, api));
  const known = await readAll(desired, { ...context, sites });
  // A site that doesn't exist yet has no release.
  if (known.site === undefined) return { ...known, release: null };
  if (known.site.id === before?.siteId) return { ...known, release: before.id };
  const found = await readLive(known.site.id, api);
  return await readRemote(desired, { ...context, sites, listedPages: undefined, early: undefined, release: found });
}

/** Reads the live release of a site; `undefined` if there is no site yet. */
async function readLive(siteId: string | undefined, { releases }: ImprintApi): Promise<RemoteContext["release"]> {
  if (siteId === undefined) return undefined;
  const [live] = await releases.list({ siteId, isLive: true, limit: 1 });
  return { siteId, id: live?.id ?? null };
}

async function readAll(desired: Desired, context: RemoteContext): Promise<Known> {
  const { api, memory, texts, posts: port } = context;
  const { state, locked, lock, freshProject } = memory;
  const adopts = context.request.options.adopt;
  const isSite = desired.only === undefined;
  const isLive = desired.preview === undefined && isSite;
  const fileAddresses = createFileAddresses({ api, now: port.clock.now });
  const source = { api, state, early: context.early, port };
  // A refusal ends a run of posts only.
  const read = isSite ? readArea : readNow;
  const [{ pageList, unlisted }, assetList, siteList, kitList] = await Promise.all([
    listWithUnlisted(desired, context),
    isSite || desired.assets.size > 0
      ? read(() => listWanted(desired, { ...context, fileAddresses }))
      : unaskedLibrary(state),
    context.sites ?? (isLive ? readArea(() => listSites(source)) : undefined),
    desired.brandKit === undefined ? undefined : readArea(() => listBrandKits(source)),
  ]);
  const prunes = context.request.options.prune === true || desired.preview !== undefined;
  const seen = await seePages(desired, { api, state, locked, texts, listed: pageList, prunes });
  const wanted = pagesBySlug(desired.pages);
  const claim = { state, locked, freshProject, adopts, wanted };
  // The few pages that are built from posts don't show which project this is.
  const claimedBy = claimProject(isSite ? seen : [], claim);
  const ofPages = { ...claimedBy, isFirst: isSite && claimedBy.isFirst };
  const question = {
    ...{ api, state, owner: ofPages, port },
    publishesElsewhere: (project: string) => publishesElsewhere(project, seen, { api, wanted }),
  };
  const blogs = await read(() => readRemoteBlog(desired, question));
  const owner = isRefused(blogs) ? ofPages : withClaim(ofPages, blogs.claimed);
  const library: ListedAssets = isRefused(assetList) ? await findServed([...desired.assets.keys()], source) : assetList;
  const isUnlisted = isRefused(assetList);
  if (!isUnlisted) await refuseEmptyList(seen, { api, wanted, owner, listed: library.items, adopts });
  const { assets, refused } = await findFiles(seen, { api, desired, wanted, library, isUnlisted, state, owner, port });
  const changedByHost =
    api.dialect.html === "hidden" || api.dialect.html === undefined
      ? await learnAgain(seen, { api, owner, wanted, assets })
      : undefined;
  const limits = { state: { ...state, refused }, capabilities: api.capabilities };
  const inline = new Set(
    [...desired.assets.values()].filter((asset) => findRefusal(asset, limits)).map(({ hash }) => hash),
  );
  const [sites, kits] = [itemsOf(siteList), itemsOf(kitList)];
  const namesakes = await findNamesakes(desired, { sites, kits }, { api, state });
  const moved = [
    ...(await findMoved({ api, listed: pageList, state, locked, wanted })),
    ...(await findFolded({ api, listed: pageList, state, locked, wanted: wanted.keys() })),
    ...(await classifyUnlisted(unlisted, { api, owner })),
  ];
  const isRenamed = isRecordRenamed({ sites, kits }, { desired, state });
  const own = { desired, state, owner, hasPages: isRenamed && (await showsOwnPage(seen, { api, owner })) };
  const site = findSite(sites, own) ?? findBegun(namesakes.sites, state.begun?.sites);
  const pages = await classifyPages(seen, {
    ...{ api, locked, texts, owner, wanted, assets, fileAddresses, inline, changedByHost, moved },
    state: { ...state, dialect: api.dialect },
    ownSlugs: new Set(Object.values(lock.slugs)),
  });
  return {
    site,
    siteSlugs: new Set(sites.flatMap(({ slug }) => slug ?? [])),
    pages,
    assets,
    seen: { ...library, ...(isSite ? seenPages(pageList, { state, locked, moved, pages }) : unseenPages(state)) },
    ...(isRefused(blogs) ? { blog: undefined, posts: undefined } : blogs),
    brandKit: await completeKit(await findBrandKit(kits, { ...own, api, namesakes: namesakes.kits, site, assets }), {
      api,
      state,
      desired,
    }),
    areListsLate: context.areListsLate,
    namesakes: { sites: namesakes.sites.map(({ id }) => id), brandKits: namesakes.kits.map(({ id }) => id) },
    owner,
    refusedFiles: limits.state.refused,
    mayHaveBlog: await mayHaveBlog(blogs, {
      ...{ api, state, owner, isFirst: claimedBy.isFirst },
      hasPages: isSite ? async () => adopts && seen.some(({ record }) => wanted.has(record.slug)) : () => hasPages(api),
    }),
    refused: refusalsOf({ library: assetList, sites: siteList, "brand kits": kitList, blogs }),
    // A preview doesn't know which files the live site needs.
    spareAssets: isLive ? countSpareAssets(library.items, { desired, project: owner.project }) : undefined,
  };
}

interface FilesContext extends Pick<RemoteContext, "api"> {
  readonly port: Pick<RemoteContext["posts"], "clock">;
  readonly desired: Pick<Desired, "assets">;
  readonly wanted: ClassifyContext["wanted"];
  readonly library: ListedAssets;
  /** Whether the list of the library is refused. */
  readonly isUnlisted: boolean;
  readonly state: State;
  readonly owner: Owner;
}

/** Finds the site's files in the library: if memory or its list is missing, also by their addresses in live pages. */
async function findFiles(
  seen: Parameters<typeof recoverAssets>[0],
  { api, desired, wanted, library: { items: listed, isCut }, isUnlisted, state, owner, port: { clock } }: FilesContext,
) {
  const { isRecovered } = owner;
  const found = findAssets(desired, { listed, state, project: owner.project });
  const isPartial = isUnlisted || isCut === true;
  const { whole, refused } = await reviewFiles(found, desired.assets, { api, state, clock, isPartial, isRecovered });
  if (!isRecovered && !isUnlisted) return { assets: whole, refused };
  const { assets, inline } = await recoverAssets(seen, { api, wanted, needed: desired.assets, named: whole, listed });
  const before = inline.map((hash) => [hash, "the library refused it before"] as const);
  const usable = new Map([...assets].filter(([hash]) => whole.has(hash) || !found.has(hash)));
  // Without its list, nothing shows whether the library will accept them.
  return { assets: usable, refused: { ...refused, ...(isRecovered ? Object.fromEntries(before) : {}) } };
}

interface BlogDoubt extends Pick<RemoteContext, "api"> {
  readonly state: Pick<RemoteContext["memory"]["state"], "blogId">;
  readonly owner: Owner;
  /** Whether this seems to be the first publish, as far as pages show. */
  readonly isFirst: boolean;
  hasPages(): Promise<boolean>;
}

/** Whether the service may have the project's blog without showing it. */
async function mayHaveBlog(
  blogs: KnownBlog | Refused,
  { api, state, owner, isFirst, hasPages }: BlogDoubt,
): Promise<boolean> {
  if (showsBlogs(api) && !hasNamesakes(blogs)) return false;
  return state.blogId === null || owner.isRecovered || owner.isUncertain || (isFirst && (await hasPages()));
}

/** Updates the owner if a blog's posts showed which project this is. */
function withClaim(owner: Owner, claimed: string | undefined): Owner {
  if (claimed === undefined) return owner;
  return { ...owner, project: claimed, isFresh: false, isFirst: false, isRecovered: true };
}

// If the list shows nobody else's page, only few slugs are likely to be taken: the short ones of a site's main pages.
const MOST_ASKED = 100;

async function listWithUnlisted(desired: Desired, context: RemoteContext) {
  const list = desired.only === undefined ? listOwnPages : listPostPages;
  const listed = context.listedPages ?? (await list(desired, context));
  const present = new Set(listed.map(({ slug }) => slug));
  const missing = desired.pages.map(({ slug }) => slug).filter((slug) => !present.has(slug));
  const remembered = rememberedPages(context.memory);
  const isShared = listed.some(({ slug }) => remembered[slug] === undefined);
  const likely = isShared ? missing : missing.toSorted((one, other) => one.length - other.length).slice(0, MOST_ASKED);
  const unlisted = await findUnlisted(likely, context.api);
  const found = unlisted.flatMap(({ slug, record }) => (record.slug === slug ? [record] : []));
  return { pageList: [...listed, ...found], unlisted };
}

async function listOwnPages(
  { pages }: Pick<Desired, "pages">,
  { api, early, memory: { state, locked } }: Pick<RemoteContext, "api" | "early" | "memory">,
): Promise<readonly Page[]> {
  return (await listPages({ api, state, early, locked, wanted: pages.map(({ slug }) => slug) })).pages;
}

// Only pages that are or were built from posts, so that the rest of the site doesn't count as missing.
async function listPostPages({ pages }: Desired, { api, memory }: RemoteContext): Promise<readonly Page[]> {
  const { lock } = memory;
  const made = (lock.postPages ?? []).map((route) => lock.slugs[route]);
  const slugs = new Set([...pages.map(({ slug }) => slug), ...made]);
  if (slugs.size === 0) return [];
  // Removes the times of changes, from which a run derives until when it has seen every page of the site.
  const listed = (await listOwnPages({ pages }, { api, memory })).filter(({ slug }) => slugs.has(slug));
  return listed.map((page) => {
    const { updatedAt: _, ...rest } = page;
    return rest;
  });
}

function hasNamesakes(blogs: KnownBlog | Refused): boolean {
  return !isRefused(blogs) && (blogs.namesakeBlogs ?? []).length > 0;
}

const MOST_READ = 20;

/** Whether imprint may have published pages here before, so that a lost memory may have known a blog. */
async function hasPages(api: ImprintApi): Promise<boolean> {
  const { items } = await api.pages.list();
  const pages = await mapPool(items.slice(0, MOST_READ), MOST_READ, ({ slug }) => readHtml(slug, api));
  return pages.some((html) => html === undefined || findMarker(html) !== undefined);
}

function listWanted(
  { assets }: Desired,
  context: RemoteContext & { readonly fileAddresses: FileAddresses },
): Promise<ListedAssets> {
  const { state, freshProject } = context.memory;
  return listAssets([...assets.keys()], { ...context, state, freshProject, port: context.posts });
}

function unaskedLibrary({ library }: State): ListedAssets {
  return { items: [], library, goneAssets: [] };
}

interface Refused {
  readonly refusal: string;
}

function readNow<Result>(read: () => Promise<Result>): Promise<Result> {
  return read();
}

// A refusal of an area other than pages is reported, and everything that doesn't need it is published.
async function readArea<Result>(read: () => Promise<Result>): Promise<Result | Refused> {
  try {
    return await read();
  } catch (error) {
    if (!isAreaRefusal(error)) throw error;
    return { refusal: error.message };
  }
}

function isRefused(area: object | undefined): area is Refused {
  return area !== undefined && "refusal" in area;
}

function itemsOf<Item>(list: { readonly items: readonly Item[] } | Refused | undefined): readonly Item[] {
  return list === undefined || "refusal" in list ? [] : list.items;
}

function refusalsOf(areas: Readonly<Record<keyof RefusedAreas, object | undefined>>): RefusedAreas {
  return Object.fromEntries(
    Object.entries(areas).flatMap(([name, area]) => (isRefused(area) ? [[name, area.refusal]] : [])),
  );
}

function seenPages(
  listed: readonly Page[],
  { state, locked, moved, pages: known }: Pick<Known, "pages"> & Pick<ClassifyContext, "moved" | "state" | "locked">,
): Omit<Seen, keyof ListedAssets> {
  const { pages, sending, seenAt } = state;
  const slugs = listed.map(({ slug }) => slug);
  const otherPages = slugs.filter((slug) => pages[slug] === undefined && sending[slug] === undefined);
  const present = new Set([...slugs, ...moved.map(({ slug }) => slug)]);
  const remembered = new Set([pages, sending, locked?.pages ?? {}].flatMap((each) => Object.keys(each)));
  const gonePages = [...remembered].filter((slug) => !present.has(slug));
  const hasEdits = [...known.values()].some(({ origin, edited }) => origin === "ours" && edited);
  return { otherPages, gonePages, hasEdits, seenAt: hasEdits ? seenAt : lastSeen(listed, seenAt) };
}

function unseenPages({ otherPages = [], seenAt }: State): Omit<Seen, keyof ListedAssets> {
  return { otherPages, gonePages: [], hasEdits: false, seenAt };
}
