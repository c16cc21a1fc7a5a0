import type { SiteCreateBody, SitePatchBody } from "../../contract/operations/content.ts";
import { findBrandKit } from "../store/brand-kits.ts";
import { listDomainsOfSite } from "../store/domains.ts";
import { countSites, deleteSite, findSite, listPageSlugs, saveSite, type Site } from "../store/sites.ts";
import type { Context } from "./context.ts";
import { removePage } from "./pages.ts";
import { ProblemError } from "../http/problem.ts";
import { checkSlug, slugFrom } from "./slugs.ts";
import { checkPreconditions, type Preconditions } from "../http/request.ts";

export interface SiteWritten {
  readonly site: Site;
  readonly outcome: "created" | "existing";
}

/** What a client can set of a site. */
interface SiteFields {
  readonly name: string;
  readonly slug: string;
  readonly homeSlug: string | null;
  readonly brandKitId: string | null;
}

export async function getSite({ database, accountId }: Context, id: string): Promise<Site> {
  const site = await findSite(database, { accountId, id });
  if (site === undefined) throw new ProblemError("site_not_found");
  return site;
}

/**
 * Creates a site. One with the same slug and the same fields is answered as it is, since a client of route set B can
 * neither read nor delete a site and must be able to repeat itself; with other fields it is `slug_taken`.
 */
export async function createSite(context: Context, body: SiteCreateBody): Promise<SiteWritten> {
  const { database, accountId, limits, newId, now } = context;
  const slug = checkSlug(body.slug ?? slugFrom(body.name, "site"), "/body/slug");
  const fields = {
    name: body.name,
    slug,
    homeSlug: body.homeSlug ?? null,
    brandKitId: body.brandKitId ?? null,
  };
  await checkFields(context, fields);
  const existing = await findSite(database, { accountId, slug });
  if (existing !== undefined && hasFields(existing, fields)) return { site: existing, outcome: "existing" };
  if (existing !== undefined) throw slugTaken(slug);
  if ((await countSites(database, accountId)) >= limits.maxSites) {
    throw new ProblemError("limit_reached", { detail: `An account holds at most ${limits.maxSites} sites.` });
  }
  const site: Site = {
    id: newId("st"),
    ...fields,
    version: 1,
    createdAt: now,
    updatedAt: now,
    pageCount: 0,
    domain: null,
  };
  await saveSite(database, accountId, site);
  return { site, outcome: "created" };
}

/** Changes the fields that are given; `null` takes one away. */
export async function patchSite(
  context: Context,
  {
    id,
    patch,
    preconditions,
  }: { readonly id: string; readonly patch: SitePatchBody; readonly preconditions: Preconditions },
): Promise<Site> {
  const site = await getSite(context, id);
  checkPreconditions(preconditions, site);
  return await changeSite(context, site, {
    name: patch.name ?? site.name,
    slug: patch.slug ?? site.slug,
    homeSlug: patch.homeSlug === undefined ? site.homeSlug : patch.homeSlug,
    brandKitId: patch.brandKitId === undefined ? site.brandKitId : patch.brandKitId,
  });
}

/** Replaces a site; what is not given is taken away, except the slug, under which it is known. */
export async function replaceSite(
  context: Context,
  {
    id,
    body,
    preconditions,
  }: { readonly id: string; readonly body: SiteCreateBody; readonly preconditions: Preconditions },
): Promise<Site> {
  const site = await getSite(context, id);
  checkPreconditions(preconditions, site);
  return await changeSite(context, site, {
    name: body.name,
    slug: body.slug ?? site.slug,
    homeSlug: body.homeSlug ?? null,
    brandKitId: body.brandKitId ?? null,
  });
}

/** Deletes a site; its pages stay without a site, or go with it. */
export async function removeSite(
  context: Context,
  {
    id,
    pages,
    preconditions,
  }: { readonly id: string; readonly pages: "keep" | "delete"; readonly preconditions: Preconditions },
): Promise<void> {
  const site = await getSite(context, id);
  checkPreconditions(preconditions, site);
  const domains = await listDomainsOfSite(context.database, id);
  if (domains.length > 0) {
    const names = domains.join(", ");
    throw new ProblemError("site_has_domain", {
      detail: `Remove ${names} first, or let ${domains.length === 1 ? "it" : "them"} lead to another site.`,
      members: { domains },
    });
  }
  if (pages === "delete") {
    for (const slug of await listPageSlugs(context.database, id)) await removePage(context, slug, {});
  }
  await deleteSite(context.database, { accountId: context.accountId, id }, context.now);
}

async function changeSite(context: Context, site: Site, fields: SiteFields): Promise<Site> {
  if (hasFields(site, fields)) return site;
  const { database, accountId, now } = context;
  await checkFields(context, fields);
  const other = await findSite(database, { accountId, slug: fields.slug });
  if (other !== undefined && other.id !== site.id) throw slugTaken(fields.slug);
  const changed = { ...site, ...fields, version: site.version + 1, updatedAt: now };
  await saveSite(database, accountId, changed);
  return changed;
}

async function checkFields(
  { database, accountId }: Context,
  { slug, homeSlug, brandKitId }: SiteFields,
): Promise<void> {
  checkSlug(slug, "/body/slug");
  if (homeSlug !== null) checkSlug(homeSlug, "/body/homeSlug");
  if (brandKitId === null || (await findBrandKit(database, { accountId, id: brandKitId })) !== undefined) return;
  throw new ProblemError("kit_not_found", { errors: [{ pointer: "/body/brandKitId", detail: "names no brand kit" }] });
}

function hasFields(site: Site, fields: SiteFields): boolean {
  return (
    site.name === fields.name &&
    site.slug === fields.slug &&
    site.homeSlug === fields.homeSlug &&
    site.brandKitId === fields.brandKitId
  );
}

function slugTaken(slug: string): ProblemError {
  return new ProblemError("slug_taken", {
    detail: `There is another site "${slug}".`,
    errors: [{ pointer: "/body/slug", detail: "is taken" }],
  });
}
