import { sql } from "kysely";
import { createStatement } from "./database.ts";
import type { PageKey } from "./pages.ts";
import type { ContentTable, Line, ReleasePageTable } from "./releases.ts";
import { countRows, putRow, selectRows, updateRows } from "./rows.ts";
import type { Database } from "./tables.ts";

/** Adds a page to an open release, replacing any earlier entry. */
export async function saveReleasePage(database: Database, { releaseId, slug, accountId, ...set }: ReleasePageTable) {
  await putRow(database, "releasePage", { key: { releaseId, slug }, first: { accountId }, set });
}

/** Whether the content was uploaded. */
export async function hasContent(database: Database, key: { readonly accountId: string; readonly hash: string }) {
  return (await countRows(database, "content", key)) > 0;
}

export async function saveContent(database: Database, { accountId, hash, usedAt, ...first }: ContentTable) {
  await putRow(database, "content", { key: { accountId, hash }, first, set: { usedAt } });
}

/** A page of a release next to the current page, to decide how publishing changes it. */
export interface ReviewedPage extends Pick<
  ReleasePageTable,
  "slug" | "contentHash" | "baseVersion" | "version" | "pending"
> {
  readonly hasContent: number;
  readonly pageVersion: number | null;
  readonly pageSiteId: string | null;
}

/** Lists the pages of a release after a slug, ordered by slug. */
export async function listReviewedPages(
  database: Database,
  releaseId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly ReviewedPage[]> {
  const query = sql<ReviewedPage>`select staged.slug, staged.content_hash, staged.base_version, staged.version,
      staged.pending, page.version as page_version, page.site_id as page_site_id,
      case when content.hash is null then 0 else 1 end as has_content
    from release_page as staged
    left join page on page.account_id = staged.account_id and page.slug = staged.slug
    left join content on content.account_id = staged.account_id and content.hash = staged.content_hash
    where staged.release_id = ${releaseId} and staged.slug > ${after} order by staged.slug limit ${limit}`;
  return (await query.execute(database)).rows;
}

/** Lists pages after a slug that were edited since a release wrote them. */
export async function listEditedPages(
  database: Database,
  accountId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
) {
  return await selectRows(database, "page", { accountId })
    .select(["id", "slug", "siteId", "version"])
    .where(sql<boolean>`release_version is not null and version <> release_version`)
    .where("slug", ">", after)
    .orderBy("slug")
    .limit(limit)
    .execute();
}

/**
 * Returns a page in a line's state after its releases up to a sequence number; `undefined` if none of them includes it.
 */
export async function findPageOfLine(
  database: Database,
  { accountId, line, slug, until }: Line & { readonly slug: string; readonly until: number },
): Promise<ReleasePageTable | undefined> {
  const [row] = await selectPageOfLine(database, { accountId, line, slug, until });
  return row;
}

const selectPageOfLine = createStatement<Line & { readonly slug: string; readonly until: number }>()(
  (database, parameter) =>
    database
      .selectFrom("releasePage")
      .innerJoin("release", "release.id", "releasePage.releaseId")
      .selectAll("releasePage")
      .where("releasePage.accountId", "=", parameter("accountId"))
      .where("releasePage.slug", "=", parameter("slug"))
      .where("release.line", "=", parameter("line"))
      .where("release.sequence", "<=", parameter("until"))
      .orderBy("release.sequence", "desc")
      .limit(1),
);

/** Lists slugs, after a given one, in a line's releases between two sequence numbers. */
export async function listSlugsOfLine(
  database: Database,
  { accountId, line }: Line,
  range: { readonly since: number; readonly until: number; readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await database
    .selectFrom("releasePage")
    .innerJoin("release", "release.id", "releasePage.releaseId")
    .select("releasePage.slug")
    .distinct()
    .where("releasePage.accountId", "=", accountId)
    .where("release.line", "=", line)
    .where("release.sequence", ">", range.since)
    .where("release.sequence", "<=", range.until)
    .where("releasePage.slug", ">", range.after)
    .orderBy("releasePage.slug")
    .limit(range.limit)
    .execute();
  return rows.map(({ slug }) => slug);
}

// Selects only indexed columns of pending pages; for whole rows, SQLite would scan the written ones, too.
/** Lists the pages that a published release has yet to write. */
export const listPendingPages = createStatement<{ readonly releaseId: string; readonly limit: number }>()(
  (database, parameter) =>
    database
      .selectFrom("releasePage")
      .select(["releaseId", "slug"])
      .where("releaseId", "=", parameter("releaseId"))
      .where(sql<boolean>`pending = 1`)
      .orderBy("slug")
      .limit(parameter("limit")),
);

/** Returns the pending row of a published release for a page, by slug or id. */
export async function findPendingPage(
  database: Database,
  key: PageKey | { readonly accountId: string; readonly pageId: string },
): Promise<ReleasePageTable | undefined> {
  return await database
    .selectFrom("releasePage")
    .innerJoin("release", "release.id", "releasePage.releaseId")
    .selectAll("releasePage")
    .where("releasePage.accountId", "=", key.accountId)
    .where(sql<boolean>`release_page.pending = 1 and release.state = 'published'`)
    .$if("slug" in key, (query) => query.where("releasePage.slug", "=", "slug" in key ? key.slug : ""))
    .$if("pageId" in key, (query) => query.where("releasePage.pageId", "=", "pageId" in key ? key.pageId : ""))
    .executeTakeFirst();
}

export async function markWritten(database: Database, match: Pick<ReleasePageTable, "releaseId" | "slug">) {
  await updateRows(database, "releasePage", { match, set: { pending: false } });
}

/** Records that a release kept an edited page. */
export async function markEdited(database: Database, { accountId, slug }: PageKey, baseVersion: number): Promise<void> {
  const match = { accountId, slug, releaseVersion: null };
  await updateRows(database, "page", { match, set: { releaseVersion: baseVersion } });
}
