import { ImprintError } from "../base/error.ts";
import { isAreaRefusal } from "../base/outcome.ts";
import { mapPool } from "../base/pool.ts";
import type { Asset, ImprintApi, Page, Post, Whole } from "../client/api.ts";
import { POST_BODIES } from "../contract/dialect.ts";
import { missingEntries } from "../posts/identity/completeness.ts";
import { assetHashPrefix } from "./asset-name.ts";
import { findOwnAssets } from "./known-assets.ts";
import type { PlannedSite } from "./plan-run.ts";

// If the service counts every use (`assets.uses`), its counts decide, since it knows drafts, posts and other projects
// of the account. Otherwise everything that may use a file is read, and if something can't be read, every file counts
// as used. A file may exist before anything uses it, so our own are only deleted if they are known to be old, and those
// of other projects never.

export interface UnusedContext extends Pick<PlannedSite, "plan" | "project" | "rememberedAssets" | "remembered"> {
  readonly known: Pick<PlannedSite["known"], "posts">;
  readonly api: ImprintApi;
}

export interface UnusedOptions {
  readonly now: Date;
  /** Whether to include files uploaded within the last 24 hours or at an unknown time. */
  readonly includeRecent: boolean;
}

export interface UnusedAssets {
  /** Files that may be deleted. */
  readonly unused: readonly Asset[];
  /** Also unused, but so new that a run may be about to publish what uses them. */
  readonly recent: readonly Asset[];
  /** Also unused, but the service doesn't report their upload time, and this machine hasn't known them for long. */
  readonly undated: readonly Asset[];
}

type Age = "old" | "recent" | "undated";

const AT_ONCE = 16;
const RECENT_MS = 24 * 60 * 60 * 1000;

/**
 * Finds files that this project uploaded and that nothing uses anymore: neither the built site, nor any page, post,
 * blog, site or brand kit of the account, nor a file that one of these uses.
 *
 * @throws ImprintError `USES_UNKNOWN` if the service neither counts uses nor shows the content of a page, post or file
 */
export async function findUnusedAssets(
  { plan, project, rememberedAssets, api, ...own }: UnusedContext,
  { now, includeRecent }: UnusedOptions,
): Promise<UnusedAssets> {
  const { items, unaddressed } = await api.assets.list();
  const addresses = new Map(Object.values(rememberedAssets).map(({ id, url }) => [id, url]));
  // Where a list lacks addresses, only those that this machine remembers show what uses a file.
  const assets = [...items, ...unaddressed].flatMap((asset): readonly Asset[] => {
    const url = asset.url ?? addresses.get(asset.id);
    return url === undefined ? [] : [{ ...asset, url }];
  });
  const wanted = new Set(plan.assets.map(({ asset }) => asset.hash.slice(0, 16)));
  const known = new Map(Object.values(rememberedAssets).map(({ id, since }) => [id, Date.parse(since ?? "")]));
  const limit = now.getTime() - RECENT_MS;
  function ageOf({ id, createdAt }: Asset): Age {
    if (includeRecent) return "old";
    if (createdAt !== undefined) return createdAt.getTime() > limit ? "recent" : "old";
    return (known.get(id) ?? Number.NaN) <= limit ? "old" : "undated";
  }
  const others = new Set(own.remembered.otherFiles);
  const candidates = findOwnAssets(assets, { wanted, project }).filter(({ id }) => !others.has(id));
  const hidden = unaddressed.find((asset) => isText(asset) && !addresses.has(asset.id));
  if (candidates.length > 0 && hidden !== undefined && !countsUses(api)) throw unreadable(hidden.name ?? hidden.id);
  const unused =
    candidates.length === 0
      ? []
      : countsUses(api)
        ? await findUncounted(candidates, { api, isOld: (asset) => ageOf(asset) === "old" })
        : await findUnnamed(candidates, { api, assets, wanted, own });
  const { old = [], recent = [], undated = [] } = Object.groupBy(unused, ageOf);
  return { unused: old, recent, undated };
}

/** Whether `usedBy` of a file counts all uses. */
export function countsUses({ capabilities }: Pick<ImprintApi, "capabilities">): boolean {
  return capabilities.account?.capabilities["assets.uses"] === true;
}

interface CountContext {
  readonly api: ImprintApi;
  readonly isOld: (asset: Asset) => boolean;
}

/** Finds files without counted uses, except by files that are deleted too. A file can't use one created after it. */
async function findUncounted(candidates: readonly Asset[], { api, isOld }: CountContext): Promise<readonly Asset[]> {
  const unused = new Set<Asset>();
  const uses = new Map(candidates.map((asset) => [asset, asset.usedBy ?? Number.POSITIVE_INFINITY]));
  const free = () => candidates.filter((asset) => uses.get(asset) === 0 && !unused.has(asset) && isOld(asset));
  for (let next = free(); next.length > 0; next = free()) {
    for (const asset of next) unused.add(asset);
    await mapPool(next.filter(isText), AT_ONCE, async (user) => {
      const text = await readText(user, api);
      for (const asset of candidates) {
        const count = uses.get(asset) ?? 0;
        if (asset !== user && count > 0 && text?.includes(asset.id) === true) uses.set(asset, count - 1);
      }
    });
  }
  return [...unused, ...candidates.filter((asset) => uses.get(asset) === 0 && !isOld(asset))];
}

interface NamedContext {
  readonly api: ImprintApi;
  readonly own: Own;
  readonly assets: readonly Asset[];
  readonly wanted: ReadonlySet<string>;
}

/** Finds files that don't appear in any content that the service shows. */
async function findUnnamed(
  candidates: readonly Asset[],
  { api, assets, wanted, own }: NamedContext,
): Promise<readonly Asset[]> {
  const unused = new Map(
    candidates.filter(({ usedBy = 0 }) => usedBy === 0).map((asset): [string, Asset] => [asset.id, asset]),
  );
  if (unused.size === 0) return [];
  function look(text: string): void {
    // Another address, such as that of an image server, has the name, which no other file has.
    const isNamed = ({ id, url, name = url }: Asset) => [id, url, name].some((each) => text.includes(each));
    for (const asset of unused.values()) if (isNamed(asset)) unused.delete(asset.id);
  }
  const { pages: slugs, siteId, brandKitId } = own.remembered;
  const pages = await api.pages.list({}, { content: true });
  const listed = new Set(pages.items.map(({ slug }) => slug));
  const missing = slugs.filter((slug) => !listed.has(slug));
  refuseIncomplete("pages", missing);
  await scanRecords("sites", siteId, { api, look });
  await scanRecords("brandKits", brandKitId, { api, look });
  await scanDomains({ api, look });
  await mapPool(pages.items, AT_ONCE, async (page) => look(await readPage(page, api)));
  await scanPosts(own, { api, look });
  const others = assets.filter(({ name = "" }) => !wanted.has(assetHashPrefix(name) ?? ""));
  await scanFiles(others, { api, look, isUnused: ({ id }) => unused.has(id) });
  return [...unused.values()];
}

type Own = Pick<UnusedContext, "remembered" | "known">;

// A list that lacks what this project has there may lack what uses a file, too: an index may be under construction.
function refuseIncomplete(kind: string, [missing]: readonly string[]): void {
  if (missing === undefined) return;
  const what = `The service's list of ${kind} lacks ${missing}, which this project published`;
  throw unknownUses(what, "Run again later. If it was deleted there, run `imprint publish` first.");
}

/** Returns the ID of our record if a list lacks it. */
function missingFrom(items: readonly { readonly id: string }[], ownId: string | undefined): readonly string[] {
  return ownId === undefined || items.some(({ id }) => id === ownId) ? [] : [ownId];
}

interface Scan {
  readonly api: ImprintApi;
  readonly look: (text: string) => void;
}

/** Looks at all fields of each record: lists may leave some out. An area that the service lacks uses no files. */
async function scanRecords(name: "sites" | "brandKits", ownId: string | undefined, { api, look }: Scan): Promise<void> {
  const { operations } = api.capabilities;
  if (!operations.has(`${name}.list`)) return;
  const listed = await api[name].list({ content: true }).catch((error: unknown) => {
    if (isAreaRefusal(error)) return { items: [] };
    throw error;
  });
  refuseIncomplete(name === "sites" ? name : "brand kits", missingFrom(listed.items, ownId));
  await mapPool<Whole & { readonly id: string }, void>(listed.items, AT_ONCE, async ({ id, json }) =>
    look(await readFields({ key: id, json }, { name, api })),
  );
}

// A domain may have an icon of its own.
async function scanDomains({ api, look }: Scan): Promise<void> {
  if (!api.capabilities.operations.has("domains.list")) return;
  try {
    const { items } = await api.domains.list({ content: true });
    for (const { json = "" } of items) look(json);
  } catch (error) {
    if (!isAreaRefusal(error)) throw error;
  }
}

interface ListedRecord extends Whole {
  /** Its ID, or a page's slug. */
  readonly key: string;
}

/** Returns all fields of a record, as listed and as read. */
async function readFields(
  { key, json = "" }: ListedRecord,
  { name, api }: { readonly name: "sites" | "brandKits" | "pages"; readonly api: ImprintApi },
): Promise<string> {
  const canRead = api.capabilities.operations.has(`${name}.get`);
  const whole = canRead ? await api[name].get(key, { content: true }) : undefined;
  return `${json} ${whole?.json ?? ""}`;
}

// A field may name a file that the HTML doesn't have, such as an image for social networks.
async function readPage({ slug, json }: Page, api: ImprintApi): Promise<string> {
  const html = await api.pages.readHtml(slug);
  if (html !== undefined) return `${await readFields({ key: slug, json }, { name: "pages", api })} ${html}`;
  throw unknownUses(`The service doesn't show the HTML of the page ${slug}`, "Set `pagesUrl`, so that it can be read.");
}

async function scanPosts({ remembered: { blogId }, known }: Own, { api, look }: Scan): Promise<void> {
  if (!api.capabilities.operations.has("blogs.list")) {
    throw unknownUses("This route set can't list blogs");
  }
  const blogs = await api.blogs.list({ content: true });
  refuseIncomplete("blogs", missingFrom(blogs.items, blogId));
  for (const { id, url, json = "" } of blogs.items) {
    look(`${json} ${(await readPublic(url, api)) ?? ""}`);
    const listing = await api.posts.list(id, { content: true });
    const { items } = listing;
    if (id === blogId && known.posts !== undefined) {
      refuseIncomplete("posts", missingEntries({ ...known.posts, listing, now: known.posts.readAt }));
    }
    const isWhole = items.some(showsCovers);
    await mapPool(items, AT_ONCE, async (post) => look(await readPost(post, { api, isWhole })));
  }
}

const COVER = /[{,]"(?:(?:cover|hero|featured|thumbnail)\w*|image(?:Url)?)":/i;

// A service that shows the text under each name that it was sent under shows every field as it was sent.
function showsCovers({ json = "" }: Post): boolean {
  return COVER.test(json) || POST_BODIES.every((name) => json.includes(`"${name}":`));
}

interface PostSource {
  readonly api: ImprintApi;
  /** Whether the list shows the cover image of a post that has one. */
  readonly isWhole: boolean;
}

/** Reads a post as readers get it, unless its list has its text and its cover image. */
async function readPost(post: Post, { api, isWhole }: PostSource): Promise<string> {
  const { json = "" } = post;
  if (post.html !== undefined && isWhole) return json;
  const shown = post.html === undefined ? undefined : await readPublic(post.url, api);
  if (shown !== undefined) return `${json} ${shown}`;
  const name = post.slug ?? post.title ?? post.id ?? "?";
  const part = post.html === undefined ? "text" : "cover image";
  throw unknownUses(`The service doesn't show the ${part} of the post ${name}`);
}

async function readPublic(url: string | undefined, api: ImprintApi): Promise<string | undefined> {
  const address = URL.parse(url ?? "", api.capabilities.pagesUrl);
  if (url === undefined || address === null || !/^https?:$/.test(address.protocol)) return undefined;
  const visit = await api.visit(address.href);
  return visit?.status === 200 ? Buffer.from(visit.bytes).toString() : undefined;
}

interface FilesContext extends Scan {
  readonly isUnused: (asset: Asset) => boolean;
}

// A stylesheet, a script or a feed may use files too, which may use others.
async function scanFiles(assets: readonly Asset[], { api, look, isUnused }: FilesContext): Promise<void> {
  const texts = assets.filter(isText);
  const isSeen = new Set<string>();
  for (let next = inUse(); next.length > 0; next = inUse()) {
    for (const { id } of next) isSeen.add(id);
    await mapPool(next, AT_ONCE, async (asset) => look(await readFile(asset, api)));
  }

  function inUse(): readonly Asset[] {
    return texts.filter((asset) => !isUnused(asset) && !isSeen.has(asset.id));
  }
}

const TEXT_TYPES = /\b(?:css|javascript|json|xml|html|text)\b/;

function isText({ contentType }: Pick<Asset, "contentType">): boolean {
  return contentType === undefined || TEXT_TYPES.test(contentType);
}

async function readFile(asset: Asset, api: ImprintApi): Promise<string> {
  const text = await readText(asset, api);
  if (text !== undefined) return text;
  throw unreadable(asset.name ?? asset.url);
}

function unreadable(name: string): ImprintError {
  return unknownUses(`The library doesn't show the content of the file ${name}`, "Run again later.");
}

function unknownUses(what: string, hint?: string): ImprintError {
  const message = `${what}, so it is unknown which files are in use. Nothing was deleted.`;
  return new ImprintError("USES_UNKNOWN", message, hint === undefined ? {} : { hint });
}

async function readText({ url }: Asset, api: ImprintApi): Promise<string | undefined> {
  const visit = await api.visit(url);
  return visit?.status === 200 ? Buffer.from(visit.bytes).toString() : undefined;
}
