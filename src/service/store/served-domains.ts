import { findNewestSite } from "./sites.ts";
import type { Database } from "./tables.ts";

// What a request to a custom domain asks for.

export interface ServedDomain {
  readonly id: string;
  readonly name: string;
  readonly redirectTo: string | null;
  /** `null`: all pages of the account. */
  readonly siteId: string | null;
  readonly homeSlug: string | null;
  /** Until when there is a certificate to show; `null`: there is none. */
  readonly certifiedUntil: Date | null;
}

export interface ServedDomainKey {
  readonly accountId: string;
  readonly name: string;
}

/** A domain that the account is known to hold; `undefined` for every other name. */
export async function findServedDomain(
  database: Database,
  { accountId, name }: ServedDomainKey,
): Promise<ServedDomain | undefined> {
  const row = await database
    .selectFrom("domain")
    .leftJoin("site", "site.id", "domain.siteId")
    .leftJoin("domainCertificate", "domainCertificate.domainId", "domain.id")
    .select(["domain.id", "domain.redirectTo", "domain.siteId", "site.homeSlug"])
    .select("domainCertificate.expiresAt as certifiedUntil")
    .where("domain.accountId", "=", accountId)
    .where("domain.name", "=", name)
    .where("domain.heldAt", "is not", null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const newest = row.siteId === null ? await findNewestSite(database, accountId) : undefined;
  return { ...row, name, homeSlug: row.siteId === null ? (newest?.homeSlug ?? null) : row.homeSlug };
}

export interface ServedPage {
  readonly id: string;
  readonly slug: string;
  readonly contentHash: string;
}

/** The published page of a domain's site that has the first of these slugs. */
export async function findServedPage(
  database: Database,
  { accountId, siteId }: { readonly accountId: string; readonly siteId: string | null },
  slugs: readonly string[],
): Promise<ServedPage | undefined> {
  if (slugs.length === 0) return undefined;
  let query = database
    .selectFrom("page")
    .select(["id", "slug", "contentHash"])
    .where("accountId", "=", accountId)
    .where("slug", "in", slugs)
    .where("status", "=", "published");
  if (siteId !== null) query = query.where("siteId", "=", siteId);
  const rows = await query.execute();
  const [row] = rows.toSorted((one, other) => slugs.indexOf(one.slug) - slugs.indexOf(other.slug));
  return row;
}

/** Whether a blog is shown on a domain that leads to this site. */
export async function isBlogOfSite(
  database: Database,
  { accountId, siteId }: { readonly accountId: string; readonly siteId: string | null },
  blogSlug: string,
): Promise<boolean> {
  if (siteId === null) return true;
  const row = await database
    .selectFrom("blog")
    .select("id")
    .where("accountId", "=", accountId)
    .where("slug", "=", blogSlug)
    .where("siteId", "=", siteId)
    .executeTakeFirst();
  return row !== undefined;
}
