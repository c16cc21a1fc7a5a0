import type { InMemory } from "../../contract/fields.ts";
import type { SiteRecord } from "../../contract/records.ts";
import { type Slice, readSought, type Sought } from "./keyset.ts";
import { countChange } from "./accounts.ts";
import { deleteRecord, findRow, saveRow, matching, selectRows } from "./rows.ts";
import type { Domain } from "./domains.ts";
import { findWaitingPage, type Page } from "./pages.ts";
import { findUnsettled } from "./releases.ts";
import type { Database } from "./tables.ts";
import { forgetViewsOfScope } from "./views-by-day.ts";
import { forgetVisitsOfScope } from "./visit-counts.ts";

export type Site = InMemory<Omit<SiteRecord, "url">>;

export type SiteTable = Omit<Site, "pageCount" | "domain"> & { readonly accountId: string };

export type SiteKey = { readonly accountId: string } & ({ readonly id: string } | { readonly slug: string });

export async function findSite(database: Database, { accountId, ...key }: SiteKey): Promise<Site | undefined> {
  return await selectSites(database, accountId).where(matching(key)).executeTakeFirst();
}

export async function listSites(database: Database, accountId: string, sought: Sought): Promise<Slice<Site>> {
  return await readSought(database, selectSites(database, accountId), { ...sought, columns: ["name", "slug"] });
}

export async function listSitesOfKit(database: Database, accountId: string, brandKitId: string) {
  return await selectSites(database, accountId).where("brandKitId", "=", brandKitId).orderBy("name").execute();
}

/** Returns the slug of a site's home page; `undefined` if it has none. */
export function homePageOf({ homeSlug }: Site): string | undefined {
  return homeSlug ?? undefined;
}

/** Returns the newest site with a home page. */
export async function findNewestSite(database: Database, accountId: string): Promise<Site | undefined> {
  return await selectSites(database, accountId)
    .where("homeSlug", "is not", null)
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Lists the sites that have a base path on their own host, newest first. */
export async function listSitesBelowRoot(database: Database, accountId: string) {
  return await selectRows(database, "site", { accountId })
    .select(["id", "homeSlug", "basePath"])
    .where("basePath", "is not", null)
    .orderBy("createdAt", "desc")
    .$narrowType<{ basePath: string }>()
    .execute();
}

/** Inserts a site or replaces the record with the same id. */
export async function saveSite(database: Database, accountId: string, site: Site): Promise<void> {
  const { pageCount: _, domain: __, ...row } = site;
  await saveRow(database, "site", { ...row, accountId });
  await countChange(database, { accountId, kind: "sites" }, site.updatedAt);
}

/** Deletes a site. Its blogs belong to no site afterwards. */
export async function deleteSite(
  database: Database,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  now: Date,
): Promise<void> {
  await deleteRecord(database, "site", { accountId, id });
  await forgetViewsOfScope(database, id);
  await forgetVisitsOfScope(database, id);
  await countChange(database, { accountId, kind: "sites" }, now);
  await countChange(database, { accountId, kind: "blogs" }, now);
}

function selectSites(database: Database, accountId: string) {
  return (
    database
      .selectFrom("site")
      .selectAll()
      .select((build) =>
        build
          .selectFrom("page")
          .select(build.fn.countAll<number>().as("count"))
          .whereRef("page.siteId", "=", "site.id")
          .$asScalar()
          .$notNull()
          .as("pageCount"),
      )
      // The domain of the site: the oldest one that is held and doesn't redirect.
      .select((build) =>
        build
          .selectFrom("domain")
          .select("domain.name")
          .whereRef("domain.siteId", "=", "site.id")
          .where("domain.heldAt", "is not", null)
          .where("domain.redirectTo", "is", null)
          .orderBy("domain.heldAt")
          .limit(1)
          .as("domain"),
      )
      .where("accountId", "=", accountId)
  );
}

// Queries for requests to a custom domain.

export interface ServedDomain extends Pick<Domain, "id" | "name" | "redirectTo" | "siteId"> {
  /** Slug of the home page. */
  readonly home: string | undefined;
  readonly basePath: string | null;
  /** Expiry of the certificate; `null` if there is none. */
  readonly certifiedUntil: Date | null;
}

/** Returns a domain that the account controls; `undefined` for any other name. */
export async function findServedDomain(
  database: Database,
  { accountId, name }: { readonly accountId: string; readonly name: string },
): Promise<ServedDomain | undefined> {
  const row = await database
    .selectFrom("domain")
    .leftJoin("site", "site.id", "domain.siteId")
    .leftJoin("domainCertificate", "domainCertificate.domainId", "domain.id")
    .select(["domain.id", "domain.redirectTo", "domain.siteId", "site.homeSlug as home", "site.basePath"])
    .select("domainCertificate.expiresAt as certifiedUntil")
    .where("domain.accountId", "=", accountId)
    .where("domain.name", "=", name)
    .where("domain.heldAt", "is not", null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const newest = row.siteId === null ? await findNewestSite(database, accountId) : undefined;
  if (newest === undefined) return { ...row, name, home: row.home ?? undefined };
  return { ...row, name, home: homePageOf(newest), basePath: newest.basePath };
}

export type ServedPage = Pick<Page, "id" | "slug" | "contentHash">;

/** Returns the published page of a domain's site with the first with these slugs. */
export async function findServedPage(
  database: Database,
  { accountId, siteId }: { readonly accountId: string; readonly siteId: string | null },
  slugs: readonly string[],
): Promise<ServedPage | undefined> {
  if (slugs.length === 0) return undefined;
  // Read before the rows, so that pages written in between are found there.
  const waiting = await listWaitingPages(database, { accountId, slugs });
  const ofSite = siteId === null ? {} : { siteId };
  const pages = selectRows(database, "page", { accountId, status: "published", ...ofSite });
  const rows = await pages.select(["id", "slug", "contentHash"]).where("slug", "in", slugs).execute();
  const [found] = slugs.flatMap((slug): readonly ServedPage[] => {
    const made = waiting.get(slug);
    if (made === undefined) return rows.filter((row) => row.slug === slug);
    const { id, contentHash } = made;
    return contentHash === null || (siteId !== null && made.siteId !== siteId) ? [] : [{ id, slug, contentHash }];
  });
  return found;
}

/** Returns the pages that published releases have yet to write at these slugs. */
async function listWaitingPages(
  database: Database,
  { accountId, slugs }: { readonly accountId: string; readonly slugs: readonly string[] },
) {
  const found = new Map<string, NonNullable<Awaited<ReturnType<typeof findWaitingPage>>>>();
  if ((await findUnsettled(database, accountId)) === undefined) return found;
  for (const slug of slugs) {
    const made = await findWaitingPage(database, { accountId, slug });
    if (made !== undefined) found.set(slug, made);
  }
  return found;
}

/** Whether a blog is shown on the domains of this site. */
export async function isBlogOfSite(
  database: Database,
  { accountId, siteId }: { readonly accountId: string; readonly siteId: string | null },
  blogSlug: string,
): Promise<boolean> {
  return siteId === null || (await findRow(database, "blog", { accountId, slug: blogSlug, siteId })) !== undefined;
}
