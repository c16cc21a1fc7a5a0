import { mapPool } from "../base/pool.ts";
import type { ImprintApi, Page } from "../client/api.ts";
import { foldSeparators } from "../contract/slug.ts";
import { findMarker } from "../html/marker.ts";
import { foreignPage, type KnownPage } from "./known-pages.ts";
import { rememberedPages, type ListPagesContext } from "./list-pages.ts";
import { isThere, readHtml } from "./seen.ts";

interface FoldedContext extends Pick<ListPagesContext, "state" | "locked"> {
  readonly api: ImprintApi;
  readonly listed: readonly Page[];
  /** Slugs of the pages that the site has now. */
  readonly wanted: Iterable<string>;
}

const READS_AT_ONCE = 8;

/**
 * Finds pages that imprint did not publish and that a service may take for new ones of ours, since their slugs differ
 * only in separators, letter case, or the form of Unicode: to send ours would replace them.
 */
export async function findFolded({ api, listed, wanted, ...memory }: FoldedContext): Promise<readonly KnownPage[]> {
  const remembered = rememberedPages(memory);
  const present = new Map(listed.map((page) => [page.slug, page]));
  const others = new Map(
    listed.flatMap((page) => (remembered[page.slug] === undefined ? [[fold(page.slug), page] as const] : [])),
  );
  const keepsHyphens = listed.some(({ slug }) => slug.includes("-"));
  const pairs = [...wanted].flatMap((slug) => {
    const other = present.has(slug) || remembered[slug] !== undefined ? undefined : others.get(fold(slug));
    return other === undefined ? [] : [{ slug, other }];
  });
  const found = await mapPool(pairs, READS_AT_ONCE, async ({ slug, other }): Promise<readonly KnownPage[]> => {
    const isReplaced = !keepsHyphens && slug.replaceAll("-", "_") === other.slug;
    if (!isReplaced && !(await isThere(slug, api))) return [];
    // A page of ours under a slug that the service made of it is found in other ways.
    if (findMarker((await readHtml(other.slug, api)) ?? "") !== undefined) return [];
    return [{ ...foreignPage(other), slug }];
  });
  return found.flat();
}

function fold(slug: string): string {
  return foldSeparators(slug.normalize("NFC").toLowerCase());
}
