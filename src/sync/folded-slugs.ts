import { mapPool } from "../base/pool.ts";
import type { ImprintApi, Page } from "../client/api.ts";
import { foldSeparators } from "../contract/slug.ts";
import { foreignPage, type KnownPage } from "./known-pages.ts";
import { rememberedPages, type ListPagesContext } from "./list-pages.ts";
import type { Owner } from "./project.ts";
import { ifAnswered, isThere, readMarker } from "./seen.ts";

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
  const keepsHyphens = listed.some(({ slug }) => slug.includes("-"));
  const longest = listed.reduce((most, { slug }) => Math.max(most, slug.length), 0);
  const isOurService = api.capabilities.account !== undefined;
  // What no page of the host disproves. A slug that ends within a word of ours was probably cut.
  function mayBecome(slug: string, other: string): boolean {
    if (isOurService) return false;
    if (!keepsHyphens && [slug.replaceAll("-", "_"), slug.replaceAll("-", "")].includes(other)) return true;
    const isWithinWord = !/^(?:[-_]|$)/.test(slug.slice(other.length));
    return other.length === longest && longest >= LEAST_CUT && slug.startsWith(other) && isWithinWord;
  }
  const cut = [...others.values()].filter(({ slug }) => slug.length === longest);
  const pairs = [...wanted].flatMap((slug) => {
    if (present.has(slug) || remembered[slug] !== undefined) return [];
    const other = others.get(fold(slug)) ?? others.get(fold(slug.replaceAll("-", "")));
    return [...(other === undefined ? [] : [other]), ...cut.filter((page) => mayBecome(slug, page.slug))].map(
      (page) => ({ slug, other: page }),
    );
  });
  const found = await mapPool(pairs, READS_AT_ONCE, async ({ slug, other }): Promise<readonly KnownPage[]> => {
    const isReplaced = mayBecome(slug, other.slug);
    if (!isReplaced && !(await isThere(slug, api))) return [];
    // A page of ours under a slug that the service made of it is found in other ways.
    if ((await readMarker(other.slug, api)) !== undefined) return [];
    return [{ ...foreignPage(other), slug }];
  });
  return found.flat();
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
