import { sha256 } from "../base/hash.ts";
import type { Asset, BrandKit, ImprintApi, Site } from "../client/api.ts";
import { homePageOf } from "../contract/records.ts";
import type { BrandKitBody } from "../contract/operations/content.ts";
import type { Desired, DesiredBrandKit } from "./desired.ts";
import { isSameHash } from "./lock.ts";
import { isOtherTitle } from "./page-memory.ts";
import { besideSlug, type Owner } from "./project.ts";
import { ifAnswered, readMarker } from "./seen.ts";
import type { SeenPage } from "./known-pages.ts";
import { findBegun, type State } from "./state.ts";

interface FindContext {
  readonly desired: Desired;
  readonly state: State;
  readonly owner: Pick<Owner, "isRecovered" | "isFresh" | "project">;
  /** Whether the service has pages of this project, so that it can't have lost its records and begun its IDs anew. */
  readonly hasPages: boolean;
}

/**
 * Finds the site by its ID, or by its name if the memory is lost and the pages have identified the project. Another
 * project on the account may have the same name, and the slug that this one would otherwise have.
 */
export function findSite(listed: readonly Site[], { desired, state, owner, hasPages }: FindContext): Site | undefined {
  const { site: wanted } = desired;
  const isKnown = (site: Site) => site.id === state.siteId && (hasPages || !isOfSomebody(site, { desired, state }));
  const sites = listed.filter((site) => isKnown(site) || wanted.isNamed || mayBeOwn(site, desired));
  // Only this project gives a site this slug.
  const isBeside = ({ slug }: Site) => !wanted.isNamed && !owner.isFresh && slug === besideSlug(wanted, owner);
  const own = sites.find(isKnown) ?? sites.find(isBeside);
  if (own !== undefined || !(owner.isRecovered || wanted.isNamed)) return own;
  const named = sites.filter(({ name, slug }) => name === wanted.name && (slug === undefined || owner.isRecovered));
  return sites.find(({ slug }) => slug === wanted.slug) ?? onlyOf(named);
}

/** Whether an ID is a count, which a service that lost its records begins anew: somebody else's may then have ours. */
export function isCount(id: string): boolean {
  return /^(?:[a-z]+[_-]?)?\d{1,9}$/i.test(id);
}

/** Whether our site or kit has another name now, or isn't ours although it has the ID. */
export function isRecordRenamed(
  { sites, kits }: Listed,
  { desired, state }: Pick<FindContext, "desired" | "state">,
): boolean {
  const isOther = (record: Site | BrandKit, id: string | undefined, name: string | undefined) =>
    record.id === id && isCount(record.id) && record.name !== name;
  return (
    sites.some((site) => isOther(site, state.siteId, desired.site.name)) ||
    kits.some((kit) => isOther(kit, state.brandKit?.id, desired.brandKit?.body.name))
  );
}

/**
 * Whether one of the pages names this project, or, where the service shows no marker, still has its slug, ID and title.
 * Remembered pages aren't read for anything else.
 */
export async function showsOwnPage(
  seen: readonly SeenPage[],
  { api, owner }: { readonly api: ImprintApi; readonly owner: Pick<Owner, "project"> },
): Promise<boolean> {
  if (seen.some((page) => page.kind === "read" && page.marker?.project === owner.project)) return true;
  const remembered = seen.find(({ kind }) => kind === "remembered");
  const marker = remembered && (await readMarker(remembered.record.slug, api));
  return marker === undefined ? seen.some(isAsRemembered) : marker.project === owner.project;
}

function isAsRemembered(page: SeenPage): boolean {
  if (page.kind === "unasked" || page.kind === "unfinished" || page.memory?.id === undefined) return false;
  if (page.kind === "read" && page.marker !== undefined) return false;
  return page.memory.id === page.record.id && !isOtherTitle(page.record, page.memory);
}

/** Whether a site that has the ID of ours by chance has nothing else of it. */
function isOfSomebody(site: Site, { desired, state }: Pick<FindContext, "desired" | "state">): boolean {
  const { wantedSite } = state;
  const home = homePageOf(site);
  if (!isCount(site.id) || (home ?? site.slug ?? site.name) === undefined) return false;
  const isOurs = (field: "name" | "slug") =>
    site[field] !== undefined && [desired.site[field], wantedSite?.[field]].includes(site[field]);
  const hasOurHome = home !== undefined && (mayBeOwn(site, desired) || state.pages[home] !== undefined);
  return !isOurs("name") && !isOurs("slug") && !hasOurHome;
}

interface KitQuestion extends FindContext {
  readonly api: ImprintApi;
  readonly site: Site | undefined;
  /** Files of the project. */
  readonly assets: ReadonlyMap<string, Asset>;
  readonly namesakes: readonly BrandKit[];
}

/**
 * Finds the brand kit by its ID, or, if the memory is lost, the kit of the site or the latest one with files of the
 * project: if kits can't be changed, it has former ones.
 */
export async function findBrandKit(kits: readonly BrandKit[], question: KitQuestion): Promise<BrandKit | undefined> {
  const { namesakes, state, owner, site, assets } = question;
  const own = kits.find(({ id }) => id === state.brandKit?.id);
  if (own !== undefined && (await mayBeOwnKit(own, question))) return own;
  if (!owner.isRecovered) return findBegun(namesakes, state.begun?.brandKits);
  const urls = new Set([...assets.values()].map(({ url }) => url));
  return (
    namesakes.find(({ id }) => id === site?.brandKitId) ??
    namesakes.findLast(({ fonts, logos }) => [...fonts, ...logos].some(({ url }) => urls.has(url ?? ""))) ??
    onlyOf(namesakes)
  );
}

// Somebody else's kit may have the ID of ours by chance.
async function mayBeOwnKit(kit: BrandKit, { api, desired, state, site, hasPages }: KitQuestion): Promise<boolean> {
  const { name, colors = [] } = desired.brandKit?.body ?? {};
  if (hasPages || !isCount(kit.id) || kit.name === name || kit.id === site?.brandKitId) return true;
  const shown = await readKit(kit, api);
  if (isSameHash(state.brandKit?.shown, hashKit(shown))) return true;
  if (shown.colors.length === 0) return kit.name === undefined;
  return colors.length > 0 && hasColorsOf(shown, colors);
}

/** Returns the wanted kit with the name that somebody gave it on the service. */
export function withTheirName(
  ours: DesiredBrandKit,
  kit: BrandKit | undefined,
  state: Pick<State, "brandKit">,
): DesiredBrandKit {
  const [theirs, before] = [kit?.name, state.brandKit?.name];
  const isOurs = theirs === undefined || before === undefined || theirs === before;
  return isOurs || ours.hasFixedName === true ? ours : { ...ours, body: { ...ours.body, name: theirs } };
}

/** Reads a kit that is to be changed, as a list may show only its name. */
export async function completeKit(
  kit: BrandKit | undefined,
  { api, state, desired }: { readonly api: ImprintApi; readonly state: State; readonly desired: Desired },
): Promise<BrandKit | undefined> {
  const isSent = state.brandKit === undefined || isSameHash(state.brandKit.hash, desired.brandKit?.hash);
  return kit === undefined || isSent ? kit : await readKit(kit, api);
}

/** Returns the kit as the service shows it, if a response shows only its ID or name. */
export async function readKit(kit: BrandKit, { brandKits, capabilities }: ImprintApi): Promise<BrandKit> {
  const canRead = capabilities.operations.has("brandKits.get");
  if (!canRead || hashKit(kit) !== undefined) return kit;
  return (await ifAnswered(brandKits.get(kit.id))) ?? kit;
}

interface KitValues {
  readonly colors: readonly { readonly role: string; readonly hex: string }[];
  readonly fonts: readonly { readonly role: string; readonly family: string }[];
  readonly logos: readonly { readonly kind: string }[];
}

/** Hash of a kit's colors, font families and kinds of logos; `undefined` if it shows none. */
export function hashKit({ colors, fonts, logos }: KitValues): string | undefined {
  const values = [
    ...colors.map(({ role, hex }) => `${role} ${hex.toLowerCase()}`),
    ...fonts.map(({ role, family }) => `${role} ${family}`),
    ...logos.map(({ kind }) => kind),
  ];
  return values.length === 0 ? undefined : sha256(JSON.stringify(values.toSorted())).slice(0, 16);
}

function onlyOf<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined;
}

interface Listed {
  readonly sites: readonly Site[];
  readonly kits: readonly BrandKit[];
}

/** Finds the sites and kits with the names of ours, except for those that are evidently a person's. */
export async function findNamesakes(
  desired: Desired,
  { sites, kits }: Listed,
  { api, state }: { readonly api: ImprintApi; readonly state: Pick<State, "brandKit"> },
): Promise<Listed> {
  const { site, brandKit } = desired;
  const named = kits.filter(({ name }) => name === brandKit?.body.name);
  const isKnown = named.some(({ id }) => id === state.brandKit?.id);
  const shown = await Promise.all(named.map((kit) => (isKnown ? kit : readKit(kit, api))));
  return {
    sites: sites.filter((each) => each.name === site.name && mayBeOwn(each, desired)),
    kits: named.filter((_, place) => isKnown || hasColorsOf(shown[place], brandKit?.body.colors)),
  };
}

/** Whether the home page of a site is a page of ours, if the service shows it. */
function mayBeOwn(site: Site, { pages }: Desired): boolean {
  const home = homePageOf(site);
  return home === undefined || pages.some(({ slug }) => slug === home);
}

/** Whether a kit has at least half of our colors, if the service shows any. */
function hasColorsOf(kit: BrandKit | undefined, own: BrandKitBody["colors"] = []): boolean {
  const shown = new Set(kit?.colors.map(({ hex }) => hex.toLowerCase()));
  return shown.size === 0 || 2 * own.filter(({ hex }) => shown.has(hex.toLowerCase())).length >= own.length;
}
