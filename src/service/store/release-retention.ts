import { sql } from "kysely";
import { changeRelease, type Line, type ReleaseKey } from "./releases.ts";
import { deleteSome } from "./slices.ts";
import type { Database } from "./tables.ts";
import { findRow, deleteRows, selectRows, updateRows } from "./rows.ts";

// Cleanup of what was stored for releases and is no longer needed.

/** Expires open releases past their deadline. */
export async function expireReleases(database: Database, now: Date): Promise<void> {
  await sql`update release set state = 'expired' where state = 'open' and expires_at <= ${now}`.execute(database);
}

/** Deletes some rows of expired releases. Returns whether more are left. */
export async function dropExpired(database: Database, limit: number): Promise<boolean> {
  const found = await findRow(database, "release", { state: "expired" });
  if (found === undefined) return false;
  const own = { where: sql`release_id = ${found.id}`, rows: limit };
  if (await deleteSome(database, "releasePage", { key: ["releaseId", "slug"], ...own })) return true;
  if (await deleteSome(database, "releaseAsset", { key: ["releaseId", "hash"], ...own })) return true;
  await deleteRows(database, "release", { id: found.id });
  return true;
}

export interface PrunedPair extends Line {
  /** The oldest release, on whose rows later ones are based. */
  readonly base: string;
  /** The release to merge into it; `undefined` if the oldest one itself isn't pruned yet. */
  readonly next: string | undefined;
}

/** Finds a line with a release that is neither among the last `keep` nor newer than `before`. */
export async function findOverdue(
  database: Database,
  { keep, before }: { readonly keep: number; readonly before: Date },
): Promise<PrunedPair | undefined> {
  const { rows } = await sql<ReleaseKey & Line>`select id, account_id, line from release as old
    where old.state = 'published' and old.settled_at is not null and old.published_at < ${before} and (
      select count(*) from release as newer where newer.account_id = old.account_id and newer.line = old.line
      and newer.state = 'published' and newer.sequence > old.sequence) >= ${keep}
    order by old.sequence limit 1`.execute(database);
  const [overdue] = rows;
  if (overdue === undefined) return undefined;
  const { accountId, line, id } = overdue;
  const base = await findRow(database, "release", { accountId, line, state: "pruned" });
  return base === undefined
    ? { accountId, line, base: id, next: undefined }
    : { accountId, line, base: base.id, next: id };
}

/** Moves some rows of a release into the base of later ones. Returns whether more are left. */
export async function foldRelease(database: Database, { accountId, base, next }: PrunedPair, limit: number) {
  if (next === undefined) {
    const files = { key: ["releaseId", "hash"], where: sql`release_id = ${base}`, rows: limit };
    if (await deleteSome(database, "releaseAsset", files)) return true;
    await changeRelease(database, { accountId, id: base }, { state: "pruned" });
    return false;
  }
  const pages = selectRows(database, "releasePage", { releaseId: next }).select("slug");
  const rows = await pages.orderBy("slug").limit(limit).execute();
  for (const { slug } of rows) {
    await deleteRows(database, "releasePage", { releaseId: base, slug });
    await updateRows(database, "releasePage", { match: { releaseId: next, slug }, set: { releaseId: base } });
  }
  if (rows.length > 0) return true;
  const files = { key: ["releaseId", "hash"], where: sql`release_id = ${next}`, rows: limit };
  if (await deleteSome(database, "releaseAsset", files)) return true;
  await deleteRows(database, "release", { id: next });
  return false;
}

/** Deletes unreferenced content after a hash that wasn't sent recently. Returns the hash to continue from. */
export async function dropUnusedContent(
  database: Database,
  { after, before, limit }: { readonly after: string; readonly before: Date; readonly limit: number },
): Promise<string | undefined> {
  const slice = await database
    .selectFrom("content")
    .select(["accountId", "hash"])
    .where("hash", ">", after)
    .where("usedAt", "<", before)
    .orderBy("hash")
    .limit(limit)
    .execute();
  const last = slice.at(-1);
  if (last === undefined) return undefined;
  // Checked again, since another connection may have sent it meanwhile.
  await sql`delete from content where hash > ${after} and hash <= ${last.hash} and used_at < ${before}
    and not exists (select 1 from release_page as named
      where named.account_id = content.account_id and named.content_hash = content.hash)
    and not exists (select 1 from page where page.account_id = content.account_id and page.content_hash = content.hash
      and page.release_version is not null and not exists (select 1 from page_html where page_html.page_id = page.id))`.execute(
    database,
  );
  return last.hash;
}
