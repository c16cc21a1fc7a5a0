import type { InMemory } from "../../contract/fields.ts";
import type { SiteRecord } from "../../contract/records.ts";
import { forgetAnswersNaming } from "./requests.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { countChange } from "./accounts.ts";
import type { Database } from "./tables.ts";

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
  const query = selectSites(database, accountId);
  return await readSlice(query, window);
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

export async function countSites(database: Database, accountId: string): Promise<number> {
  const { count } = await database
    .selectFrom("site")
    .select((build) => build.fn.countAll<number>().as("count"))
    .where("accountId", "=", accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Inserts a site, or replaces the record with the same id. */
export async function saveSite(database: Database, accountId: string, site: Site): Promise<void> {
  const { id, createdAt, pageCount: _, domain: __, ...changes } = site;
  await database
    .insertInto("site")
    .values({ ...changes, id, createdAt, accountId })
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
  await database.deleteFrom("site").where("accountId", "=", accountId).where("id", "=", id).execute();
  await countChange(database, { accountId, kind: "sites" }, now);
  await countChange(database, { accountId, kind: "blogs" }, now);
  await forgetAnswersNaming(database, id);
}

export async function listPageSlugs(database: Database, siteId: string): Promise<readonly string[]> {
  const rows = await database.selectFrom("page").select("slug").where("siteId", "=", siteId).execute();
  return rows.map((row) => row.slug);
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
