import type { InMemory } from "../../contract/fields.ts";
import type { SiteRecord } from "../../contract/records.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { readSought, type SortedSlice, type Sought } from "./sorted.ts";
import { countChange } from "./accounts.ts";
import { deleteRecord, findRow, saveRow } from "./rows.ts";
import type { Domain } from "./domains.ts";
import { findWaitingPage, type Page } from "./pages.ts";
import { findUnsettled } from "./releases.ts";
import type { Database } from "./tables.ts";
import { forgetViewsOfScope } from "./views-by-day.ts";
import { forgetVisitsOfScope } from "./visit-counts.ts";

export type Site = InMemory<Omit<SiteRecord, "url">>;

export type SiteTable = Omit<Site, "pageCount" | "domain"> & { readonly accountId: string };

/** A site by its id or by its slug. */
export type SiteKey =
  | { readonly accountId: string; readonly id: string; readonly slug?: undefined }
  | { readonly accountId: string; readonly slug: string; readonly id?: undefined };

export async function findSite(database: Database, key: SiteKey): Promise<Site | undefined> {
  const query = selectSites(database, key.accountId);
  return await (
    key.id === undefined ? query.where("slug", "=", key.slug) : query.where("id", "=", key.id)
  ).executeTakeFirst();
}

export async function listSites(database: Database, accountId: string, window: Window): Promise<Slice<Site>> {
  return await readSlice(selectSites(database, accountId), window);
}

/** Sites that a person looks for. */
export async function findSites(database: Database, accountId: string, sought: Sought): Promise<SortedSlice<Site>> {
  return await readSought(database, selectSites(database, accountId), { ...sought, columns: ["name", "slug"] });
}

/** The sites that take their look from a brand kit, by name. */
export async function listSitesOfKit(
  database: Database,
  accountId: string,
  brandKitId: string,
): Promise<readonly Site[]> {
  return await selectSites(database, accountId).where("brandKitId", "=", brandKitId).orderBy("name").execute();
}

/** The slug of a site's home page; `undefined` as long as it names none. */
export function homePageOf({ homeSlug }: Site): string | undefined {
  return homeSlug ?? undefined;
}

/** The newest site with a home page. */
export async function findNewestSite(database: Database, accountId: string): Promise<Site | undefined> {
  return await selectSites(database, accountId)
    .where("homeSlug", "is not", null)
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The sites that stand below the root of their own host, newest first. */
export async function listSitesBelowRoot(database: Database, accountId: string) {
  return await database
    .selectFrom("site")
    .select(["id", "homeSlug", "basePath"])
    .where("accountId", "=", accountId)
    .where("basePath", "is not", null)
    .orderBy("createdAt", "desc")
    .$narrowType<{ basePath: string }>()
    .execute();
}

/** Inserts a site, or replaces the record with the same id. */
export async function saveSite(database: Database, accountId: string, site: Site): Promise<void> {
  const { pageCount: _, domain: __, ...row } = site;
  await saveRow(database, "site", { ...row, accountId });
  await countChange(database, { accountId, kind: "sites" }, site.updatedAt);
}

/** Deletes a site; its blogs belong to none afterwards. */
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
      // The domain under which visitors find it: the oldest one that is held and redirects nobody.
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

// What a request to a custom domain asks for.

export interface ServedDomain extends Pick<Domain, "id" | "name" | "redirectTo" | "siteId"> {
  /** The slug of the home page. */
  readonly home: string | undefined;
  readonly basePath: string | null;
  /** Until when there is a certificate to show; `null`: there is none. */
  readonly certifiedUntil: Date | null;
}

/** A domain that the account is known to hold; `undefined` for every other name. */
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

/** The published page of a domain's site that has the first of these slugs. */
export async function findServedPage(
  database: Database,
  { accountId, siteId }: { readonly accountId: string; readonly siteId: string | null },
  slugs: readonly string[],
): Promise<ServedPage | undefined> {
  if (slugs.length === 0) return undefined;
  // Before the rows: what is written in between is then found there.
  const waiting = await listWaitingPages(database, { accountId, slugs });
  let query = database
    .selectFrom("page")
    .select(["id", "slug", "contentHash"])
    .where("accountId", "=", accountId)
    .where("slug", "in", slugs)
    .where("status", "=", "published");
  if (siteId !== null) query = query.where("siteId", "=", siteId);
  const rows = await query.execute();
  const [found] = slugs.flatMap((slug): readonly ServedPage[] => {
    const made = waiting.get(slug);
    if (made === undefined) return rows.filter((row) => row.slug === slug);
    const { id, contentHash } = made;
    return contentHash === null || (siteId !== null && made.siteId !== siteId) ? [] : [{ id, slug, contentHash }];
  });
  return found;
}

/** What published releases still have to write at these addresses. */
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

/** Whether a blog is shown on a domain that leads to this site. */
export async function isBlogOfSite(
  database: Database,
  { accountId, siteId }: { readonly accountId: string; readonly siteId: string | null },
  blogSlug: string,
): Promise<boolean> {
  return siteId === null || (await findRow(database, "blog", { accountId, slug: blogSlug, siteId })) !== undefined;
}
