import type { Selectable } from "kysely";
import { forgetAnswersNaming } from "./idempotent-requests.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { countChange } from "./record-changes.ts";
import type { Database, SiteTable } from "./tables.ts";

export interface Site {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly homeSlug: string | null;
  readonly brandKitId: string | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly pageCount: number;
  /** The domain under which visitors find it: the oldest one that is held and sends nobody on. */
  readonly domain: string | null;
}

/** A site by its id or by its slug. */
export type SiteKey =
  | { readonly accountId: string; readonly id: string; readonly slug?: undefined }
  | { readonly accountId: string; readonly slug: string; readonly id?: undefined };

export async function findSite(database: Database, key: SiteKey): Promise<Site | undefined> {
  const query = selectSites(database, key.accountId);
  const row = await (
    key.id === undefined ? query.where("slug", "=", key.slug) : query.where("id", "=", key.id)
  ).executeTakeFirst();
  return row && toSite(row);
}

export async function listSites(database: Database, accountId: string, window: Window): Promise<Slice<Site>> {
  const query = selectSites(database, accountId);
  return await readSlice(query, window, toSite);
}

/** The sites that take their look from a brand kit, by name. */
export async function listSitesOfKit(
  database: Database,
  accountId: string,
  brandKitId: string,
): Promise<readonly Site[]> {
  const rows = await selectSites(database, accountId).where("brand_kit_id", "=", brandKitId).orderBy("name").execute();
  return rows.map(toSite);
}

/** The newest site with a home page. */
export async function findNewestSite(database: Database, accountId: string): Promise<Site | undefined> {
  const row = await selectSites(database, accountId)
    .where("home_slug", "is not", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && toSite(row);
}

export async function countSites(database: Database, accountId: string): Promise<number> {
  const { count } = await database
    .selectFrom("site")
    .select((build) => build.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Inserts a site, or replaces the record with the same id. */
export async function saveSite(database: Database, accountId: string, site: Site): Promise<void> {
  const changes = {
    name: site.name,
    slug: site.slug,
    home_slug: site.homeSlug,
    brand_kit_id: site.brandKitId,
    version: site.version,
    updated_at: site.updatedAt.getTime(),
  };
  await database
    .insertInto("site")
    .values({ id: site.id, account_id: accountId, created_at: site.createdAt.getTime(), ...changes })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changes))
    .execute();
  await countChange(database, { accountId, kind: "sites" }, site.updatedAt);
}

/** Deletes a site; its blogs belong to none afterwards. */
export async function deleteSite(
  database: Database,
  { accountId, id }: { readonly accountId: string; readonly id: string },
  now: Date,
): Promise<void> {
  await database.deleteFrom("site").where("account_id", "=", accountId).where("id", "=", id).execute();
  await countChange(database, { accountId, kind: "sites" }, now);
  await countChange(database, { accountId, kind: "blogs" }, now);
  await forgetAnswersNaming(database, id);
}

export async function listPageSlugs(database: Database, siteId: string): Promise<readonly string[]> {
  const rows = await database.selectFrom("page").select("slug").where("site_id", "=", siteId).execute();
  return rows.map((row) => row.slug);
}

function selectSites(database: Database, accountId: string) {
  return database
    .selectFrom("site")
    .selectAll()
    .select((build) =>
      build
        .selectFrom("page")
        .select(build.fn.countAll<number>().as("count"))
        .whereRef("page.site_id", "=", "site.id")
        .as("page_count"),
    )
    .select((build) =>
      build
        .selectFrom("domain")
        .select("domain.name")
        .whereRef("domain.site_id", "=", "site.id")
        .where("domain.held_at", "is not", null)
        .where("domain.redirect_to", "is", null)
        .orderBy("domain.held_at")
        .limit(1)
        .as("domain"),
    )
    .where("account_id", "=", accountId);
}

type SiteRow = Selectable<SiteTable> & { readonly page_count: number | null; readonly domain: string | null };

function toSite(row: SiteRow): Site {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    homeSlug: row.home_slug,
    brandKitId: row.brand_kit_id,
    version: row.version,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    pageCount: row.page_count ?? 0,
    domain: row.domain,
  };
}
