import { titlesOf } from "../../contract/fields.ts";
import { siteRecord } from "../../contract/records.ts";
import type { SiteCreateBody, SitePatchBody } from "../../contract/operations/content.ts";
import { findUnsettled } from "../store/releases.ts";
import { countRows, findRow, listValues } from "../store/rows.ts";
import { deleteSite, findSite, saveSite, type Site } from "../store/sites.ts";
import { audit } from "./audit.ts";
import type { Context } from "./context.ts";
import { removePage } from "./pages.ts";
import { ProblemError } from "../http/problem.ts";
import { applyPatch, checkLimit, checkSlug, fieldProblem, found, slugFrom } from "./fields.ts";
import { checkPreconditions, type Preconditions } from "../http/messages.ts";

const TITLES = titlesOf(siteRecord);

export interface SiteWritten {
  readonly site: Site;
  readonly outcome: "created" | "existing";
}

export async function getSite({ database, accountId }: Context, id: string): Promise<Site> {
  return found(await findSite(database, { accountId, id }), "site_not_found");
}

/**
 * Creates a site. One with the same slug and fields is returned unchanged, since a client of route set B can neither
 * read nor delete a site, and must be able to retry. Throws `slug_taken` if other fields differ.
 */
export async function createSite(context: Context, body: SiteCreateBody): Promise<SiteWritten> {
  const { database, accountId, limits, newId, now } = context;
  const slug = checkSlug(body.slug ?? slugFrom(body.name, "site"), "/body/slug");
  const added = { id: newId("st"), version: 1, createdAt: now, updatedAt: now, pageCount: 0, domain: null };
  const site = applyPatch<Site>({ ...added, ...EMPTY, name: body.name, slug }, body);
  await checkFields(context, site);
  const existing = await findSite(database, { accountId, slug });
  if (existing !== undefined && isSame(existing, site)) return { site: existing, outcome: "existing" };
  if (existing !== undefined) throw slugTaken(slug);
  checkLimit(await countRows(database, "site", { accountId }), limits.maxSites, "sites");
  await saveSite(database, accountId, site);
  await audit(context, { action: "site.created", subject: site.name, subjectId: site.id });
  return { site, outcome: "created" };
}

/** Changes the given fields; `null` removes a value. */
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
  return await changeSite(context, site, applyPatch(site, patch));
}

/** Replaces a site. Missing fields are removed, except the slug, which identifies it. */
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
  return await changeSite(context, site, applyPatch<Site>({ ...site, ...EMPTY }, body));
}

/** Deletes a site. Its pages stay without a site or are deleted with it. */
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
  const domains = await listValues(context.database, "domain", { match: { siteId: id }, column: "name" });
  if (domains.length > 0) {
    const names = domains.join(", ");
    throw new ProblemError("site_has_domain", {
      detail: `Remove ${names} first, or point ${domains.length === 1 ? "it" : "them"} to another site.`,
      members: { domains },
    });
  }
  if ((await findUnsettled(context.database, context.accountId)) !== undefined) {
    const detail = "A release of the site was just published; try again.";
    throw new ProblemError("unavailable", { detail, headers: { "Retry-After": "1" } });
  }
  if (pages === "delete") {
    for (const slug of await listValues(context.database, "page", { match: { siteId: id }, column: "slug" }))
      await removePage(context, slug, {});
  }
  await deleteSite(context.database, { accountId: context.accountId, id }, context.now);
  const detail = pages === "delete" ? "with its pages" : null;
  await audit(context, { action: "site.deleted", subject: site.name, subjectId: id, detail });
}

async function changeSite(context: Context, site: Site, wanted: Site): Promise<Site> {
  if (isSame(site, wanted)) return site;
  const { database, accountId, now } = context;
  await checkFields(context, wanted);
  const other = await findSite(database, { accountId, slug: wanted.slug });
  if (other !== undefined && other.id !== site.id) throw slugTaken(wanted.slug);
  const changed = { ...wanted, version: site.version + 1, updatedAt: now };
  await saveSite(database, accountId, changed);
  const fields = FIELDS.filter((field) => site[field] !== wanted[field]);
  const detail = fields.map((field) => TITLES[field]).join(", ");
  await audit(context, { action: "site.changed", subject: changed.name, subjectId: site.id, detail });
  return changed;
}

const FIELDS = ["name", "slug", "homeSlug", "basePath", "brandKitId"] as const;

const EMPTY = { homeSlug: null, basePath: null, brandKitId: null };

async function checkFields({ database, accountId }: Context, { slug, homeSlug, brandKitId }: Site): Promise<void> {
  checkSlug(slug, "/body/slug");
  if (homeSlug !== null) checkSlug(homeSlug, "/body/homeSlug");
  if (brandKitId === null || (await findRow(database, "brandKit", { accountId, id: brandKitId })) !== undefined) return;
  throw fieldProblem("kit_not_found", "brandKitId", "is not the ID of a brand kit");
}

function isSame(site: Site, wanted: Site): boolean {
  return FIELDS.every((field) => site[field] === wanted[field]);
}

function slugTaken(slug: string): ProblemError {
  return new ProblemError("slug_taken", {
    detail: `A site "${slug}" already exists.`,
    errors: [{ pointer: "/body/slug", detail: "is taken" }],
  });
}
