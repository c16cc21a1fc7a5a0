import type { Core } from "../host/core.ts";
import { findBlog } from "../store/blogs.ts";
import { findBrandKit } from "../store/brand-kits.ts";
import { findPage } from "../store/pages.ts";
import { findNewestSite, findSite, type Site } from "../store/sites.ts";
import { findBrandLook } from "./brand-look.ts";
import { createLook, PLAIN_LOOK, PLAIN_VARIABLES, type Look } from "./look.ts";
import { renderSiteHeader } from "./site-header.ts";

/** What a page of the service belongs to. Absent: the host as a whole. */
export type LookSubject =
  | { readonly kind: "host" }
  | { readonly kind: "page"; readonly slug: string }
  | { readonly kind: "blog"; readonly slug: string }
  | { readonly kind: "site"; readonly siteId: string | null };

/**
 * The look of a page that the service speaks with: that of the site it belongs to, else of the newest site with a home
 * page. A site without a brand kit has its name above the service's own look.
 */
export async function findLook(core: Core, subject: LookSubject): Promise<Look> {
  const site = await findSubjectSite(core, subject);
  if (site === undefined) return PLAIN_LOOK;
  const { store, account, addresses } = core;
  const sign = { name: site.name, homePath: site.homeSlug === null ? "/" : `/p/${site.homeSlug}` };
  const kit =
    site.brandKitId === null
      ? undefined
      : await findBrandKit(store.database, { accountId: account.id, id: site.brandKitId });
  if (kit === undefined) return createLook(PLAIN_VARIABLES, { header: renderSiteHeader(sign) });
  return await findBrandLook({ ...sign, kit, pagesUrl: addresses.libraryUrl ?? addresses.pagesUrl });
}

/** The site that a page of the service belongs to, else the newest one with a home page. */
export async function findSubjectSite(
  { store: { database }, account }: Core,
  subject: LookSubject,
): Promise<Site | undefined> {
  const accountId = account.id;
  const id = await findSiteId(subject);
  const own = id === null ? undefined : await findSite(database, { accountId, id });
  return own ?? (await findNewestSite(database, accountId));

  async function findSiteId(of: LookSubject): Promise<string | null> {
    if (of.kind === "site") return of.siteId;
    if (of.kind === "page") return (await findPage(database, { accountId, slug: of.slug }))?.siteId ?? null;
    if (of.kind === "blog") return (await findBlog(database, { accountId, idOrSlug: of.slug }))?.siteId ?? null;
    return null;
  }
}
