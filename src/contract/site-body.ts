import type { SiteCreateBody } from "./operations/content.ts";

/** What a site is replaced with: every field of the body that is known of it. */
export function siteBodyOf({ name = "Site", ...site }: Partial<SiteCreateBody>): SiteCreateBody {
  const { slug, homeSlug, basePath, brandKitId } = site;
  return { name, slug, homeSlug, basePath, brandKitId };
}
