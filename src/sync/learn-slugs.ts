import { mapPool } from "../base/pool.ts";
import type { ImprintApi, Page } from "../client/api.ts";
import type { Dialect } from "../contract/dialect.ts";
import { findPreviewName } from "../contract/slug.ts";
import { isDoubtful, isShortened } from "./preview-name.ts";
import { readMarker } from "./seen.ts";

interface SlugsContext {
  readonly api: ImprintApi;
  /** What was known about the service before this run. */
  readonly dialect: Pick<Dialect, "slugSeparator">;
  /** Slugs that the site's pages would have at most services. */
  readonly likely: ReadonlySet<string>;
  /** Name of the preview, if it is one. */
  readonly preview: string | undefined;
}

const MOST_READ = 20;

/** Learns the service's rules for slugs from imprint's own pages, if nothing is remembered. */
export async function learnSlugs(
  pages: readonly Page[],
  { api, dialect, likely, preview }: SlugsContext,
): Promise<void> {
  const slugs = pages.map(({ slug }) => slug);
  if (dialect.slugSeparator === undefined && (await isUnderscored(slugs, { api, likely }))) {
    api.learn({ slugSeparator: "_" });
  }
  const isSingle = slugs.some((slug) => findPreviewName(slug) !== undefined && !/--|__/.test(slug));
  // A host that merges two hyphens would replace the existing page.
  const isTaken = preview !== undefined && slugs.some((slug) => isDoubtful(slug, preview) && !isShortened(slug));
  if (isSingle || isTaken) api.learn({ slugHyphens: "single" });
}

/** Whether a page that imprint sent has underscores, which it only uses at a service that refuses hyphens. */
async function isUnderscored(
  slugs: readonly string[],
  { api, likely }: Pick<SlugsContext, "api" | "likely">,
): Promise<boolean> {
  if (slugs.some((slug) => slug.includes("-"))) return false;
  const isOfSite = (slug: string) => likely.has(slug.replaceAll("_", "-")) || findPreviewName(slug) !== undefined;
  const underscored = slugs.filter((slug) => slug.includes("_") && isOfSite(slug)).slice(0, MOST_READ);
  const markers = await mapPool(underscored, MOST_READ, (slug) => readMarker(slug, api));
  return markers.some((marker) => marker !== undefined);
}
