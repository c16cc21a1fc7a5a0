import { ImprintError } from "../../base/error.ts";
import type { Options } from "../../options/schema.ts";
import type { BuiltPage } from "../../site/model.ts";
import { namingOf, planSlugs } from "../../site/slugs.ts";
import { findPreviewName, previewSlug } from "../preview-name.ts";
import type { Lock } from "../lock.ts";

export interface NamingContext {
  readonly options: Pick<Options, "slugs">;
  /** Longest slug that the host takes, where that is known. */
  readonly maxSlugLength: number | undefined;
  /** What stands between the words of slugs, where that is not a hyphen. */
  readonly slugSeparator?: "_" | undefined;
  readonly lock: Lock;
  /** Name of the preview that the pages are published as. */
  readonly preview: string | undefined;
}

/**
 * The slug of every page by route. A preview takes those that the live site has, or would get, behind its name.
 *
 * @throws ImprintError as `planSlugs` does, and `SLUG_INVALID` for a live page that wants the slug of a preview: a later
 * run would take it for one
 */
export function namePages(
  pages: readonly BuiltPage[],
  { options, lock, preview, maxSlugLength, slugSeparator }: NamingContext,
): ReadonlyMap<string, string> {
  const routes = pages.map((page) => page.route);
  const locked = new Map(Object.entries(lock.slugs).map(([route, slug]) => [route, slug.replaceAll("_", "-")]));
  const { slugs } = planSlugs(routes, { ...namingOf(options), locked, maxLength: maxSlugLength });
  for (const [route, slug] of slugs) {
    if (findPreviewName(slug) === undefined) continue;
    throw new ImprintError("SLUG_INVALID", `The slug "${slug}" of the page ${route} has the form of a preview's.`, {
      hint: "Give the page another slug in the `slugs` option: those that begin like preview-name-- are kept for previews.",
    });
  }
  const named = preview === undefined ? slugs : mapSlugs(slugs, (slug) => previewSlug(preview, slug));
  return slugSeparator === undefined ? named : mapSlugs(named, (slug) => slug.replaceAll("-", slugSeparator));
}

function mapSlugs(slugs: ReadonlyMap<string, string>, map: (slug: string) => string): ReadonlyMap<string, string> {
  return new Map([...slugs].map(([route, slug]) => [route, map(slug)]));
}
