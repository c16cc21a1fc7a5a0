import { mapPool } from "../base/pool.ts";
import type { ImprintApi, Page } from "../client/api.ts";
import { foldSeparators } from "../contract/slug.ts";
import { foreignPage, type KnownPage } from "./known-pages.ts";
import { rememberedPages, type ListPagesContext } from "./list-pages.ts";
import type { Owner } from "./project.ts";
import { ifAnswered, isThere, readHtml, readMarker } from "./seen.ts";

interface FoldedContext extends Pick<ListPagesContext, "state" | "locked"> {
  readonly api: ImprintApi;
  readonly listed: readonly Page[];
  /** Slugs of the pages that the site has now. */
  readonly wanted: Iterable<string>;
}

const READS_AT_ONCE = 8;

// Their responses are short. The client limits concurrent requests to what the host handles.
const REQUESTS_AT_ONCE = 64;

// A shorter prefix may well be a different page's slug.
const LEAST_CUT = 8;

/**
 * Finds pages that imprint did not publish and that a service may take for new ones of ours, since their slugs differ
 * only in separators, letter case, or the form of Unicode, or are cut: to send ours would replace them.
 */
export async function findFolded({ api, listed, wanted, ...memory }: FoldedContext): Promise<readonly KnownPage[]> {
  const remembered = rememberedPages(memory);
  const present = new Map(listed.map((page) => [page.slug, page]));
  const others = new Map(
    listed.flatMap((page) => (remembered[page.slug] === undefined ? [[fold(page.slug), page] as const] : [])),
  );
  const mayBecome = api.capabilities.account === undefined ? rulesLeft(listed) : () => false;
  const pairs = [...wanted].flatMap((slug) => {
    if (present.has(slug) || remembered[slug] !== undefined) return [];
    const other = others.get(fold(slug)) ?? others.get(fold(slug.replaceAll("-", "")));
    const possible = [...others.values()].filter((page) => page !== other && mayBecome(slug, page.slug));
    return [...(other === undefined ? [] : [other]), ...possible].map((page) => ({ slug, other: page }));
  });
  const found = await mapPool(pairs, READS_AT_ONCE, async ({ slug, other }): Promise<readonly KnownPage[]> => {
    const isProven = await isThere(slug, api);
    if (!isProven && !mayBecome(slug, other.slug)) return [];
    // A page of ours under a slug that the service made of it is found in other ways.
    if ((await readMarker(other.slug, api)) !== undefined) return [];
    return [{ ...foreignPage(other), slug, ...(!isProven && { isUnproven: true }) }];
  });
  // What is certain takes precedence.
  return found.flat().toSorted((one, other) => Number(other.isUnproven ?? false) - Number(one.isUnproven ?? false));
}

/** Returns whether a service may make one slug of another, as far as none of its pages disproves that. */
function rulesLeft(listed: readonly Page[]): (slug: string, other: string) => boolean {
  const keepsHyphens = listed.some(({ slug }) => slug.includes("-"));
  const longest = listed.reduce((most, { slug }) => Math.max(most, slug.length), 0);
  return (slug, other) => {
    if (!keepsHyphens && [slug.replaceAll("-", "_"), slug.replaceAll("-", "")].includes(other)) return true;
    // A slug that ends within a word of ours was probably cut.
    const isWithinWord = !/^(?:[-_]|$)/.test(slug.slice(other.length));
    return other.length === longest && longest >= LEAST_CUT && slug.startsWith(other) && isWithinWord;
  };
}

interface SentSlugs {
  readonly api: ImprintApi;
  /** Slugs that the site did not have in the plan before. */
  readonly added: readonly string[];
  /** Slugs of pages that the service had before this run and that this project didn't publish. */
  readonly otherPages: readonly string[];
}

/**
 * Updates what is known of others' pages after the first pages were sent: those have shown which slugs the service
 * keeps, and others' pages may have the slugs that ours now get.
 */
export async function classifyAgain(
  known: ReadonlyMap<string, KnownPage>,
  { api, added, otherPages }: SentSlugs,
): Promise<ReadonlyMap<string, KnownPage>> {
  const others = new Set(otherPages);
  const taken = added.filter((slug) => others.has(slug) && !known.has(slug));
  const isDoubted = [...known.values()].some(({ isUnproven }) => isUnproven === true);
  const list = isDoubted || taken.length > 0 ? await ifAnswered(api.pages.list()) : undefined;
  const unlisted = await findUnlisted(
    added.filter((slug) => !known.has(slug)),
    api,
  );
  const listed = (list?.items ?? []).filter(({ slug }) => taken.includes(slug));
  const found = await mapPool(listed, READS_AT_ONCE, async (page): Promise<KnownPage> => {
    const isHidden = (await readHtml(page.slug, api)) === undefined;
    return { ...foreignPage(page), ...(isHidden && { origin: "unknown" }) };
  });
  const mayBecome = list === undefined ? () => true : rulesLeft(list.items);
  const left = [...known].filter(
    ([slug, { isUnproven, record }]) => isUnproven !== true || mayBecome(slug, record.slug),
  );
  return new Map([
    ...left,
    ...unlisted.map(({ slug, record }) => [slug, { ...foreignPage(record), slug }] as const),
    ...found.map((page) => [page.slug, page] as const),
  ]);
}

/** A page that the service has at a slug that it doesn't list. */
export interface UnlistedPage {
  /** The slug that was requested; the service may keep the page under another one. */
  readonly slug: string;
  readonly record: Page;
}

/**
 * Finds pages at slugs of the site that the list lacks, such as drafts, or pages whose slug the service makes of the
 * requested one. A `PUT` of route set A would replace them.
 */
export async function findUnlisted(slugs: Iterable<string>, api: ImprintApi): Promise<readonly UnlistedPage[]> {
  const { account, operations } = api.capabilities;
  // Our own service lists all pages, and route set B refuses to create a page twice.
  if (account !== undefined || !operations.has("pages.get")) return [];
  const found = await mapPool([...slugs], REQUESTS_AT_ONCE, async (slug) => {
    const record = await ifAnswered(api.pages.get(slug));
    return record === undefined ? [] : [{ slug, record }];
  });
  return found.flat();
}

/** Returns the unlisted pages that the service keeps under another slug, unless this project published them. */
export async function classifyUnlisted(
  unlisted: readonly UnlistedPage[],
  { api, owner }: { readonly api: ImprintApi; readonly owner: Pick<Owner, "isFirst" | "project"> },
): Promise<readonly KnownPage[]> {
  const others = unlisted.filter(({ slug, record }) => record.slug !== slug);
  const found = await mapPool(others, READS_AT_ONCE, async ({ slug, record }) => {
    const marker = await readMarker(record.slug, api);
    const mayBeOurs = marker !== undefined && (owner.isFirst || marker.project === owner.project);
    return mayBeOurs ? [] : [{ ...foreignPage(record), slug }];
  });
  return found.flat();
}

function fold(slug: string): string {
  return foldSeparators(slug.normalize("NFC").toLowerCase());
}
