import { sql } from "kysely";
import { textsIn } from "./database.ts";
import type { Slices } from "./slices.ts";
import type { Database } from "./tables.ts";
import { holdName } from "./transactions.ts";
import { findRow, deleteRows } from "./rows.ts";

// Daily view totals of sites and accounts, updated when their pages change.

/** Sites and accounts; `null` for a page without a site. */
export interface ScopesChange {
  readonly from: readonly (string | null)[];
  readonly to: readonly (string | null)[];
}

export async function moveViews(database: Database, pageId: string, { from, to }: ScopesChange): Promise<void> {
  await holdName(database, `views ${pageId}`);
  // Its views will all be counted at once, for its scopes at that time.
  if ((await findRow(database, "uncountedPage", { pageId })) !== undefined) return;
  for (const scope of from) if (scope !== null) await addPages(database, [pageId], { scope, times: -1 });
  for (const scope of to) if (scope !== null) await addPages(database, [pageId], { scope, times: 1 });
}

async function addPages(
  database: Database,
  pageIds: readonly string[],
  { scope, times }: { readonly scope: string; readonly times: 1 | -1 },
): Promise<void> {
  const [id, sum] = [sql.lit(scope), sql`${sql.lit(times)} * sum(views)`];
  const ofPages = sql`page_id in ${textsIn(database, pageIds)}`;
  await sql`insert into view_day (scope, day, device, views)
    select ${id}, hour - hour % ${sql.lit(DAY_MS)}, device, ${sum} from view_hour where ${ofPages} group by 2, 3
    on conflict (scope, day, device) do update set views = view_day.views + excluded.views`.execute(database);
  await sql`insert into source_day (scope, day, host, views)
    select ${id}, day, host, ${sum} from referrer_day where ${ofPages} group by 2, 3
    on conflict (scope, day, host) do update set views = source_day.views + excluded.views`.execute(database);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Adds views that were counted before daily totals existed. */
export async function countEarlierViews(slices: Slices): Promise<void> {
  await slices.run(async (transaction, rows) => {
    const pages = await transaction
      .selectFrom("uncountedPage")
      .innerJoin("page", "page.id", "uncountedPage.pageId")
      .select(["page.id", "page.accountId", "page.siteId"])
      .orderBy("page.id")
      .limit(rows)
      .execute();
    const pagesOf = new Map<string, string[]>();
    for (const { id, accountId, siteId } of pages) {
      await holdName(transaction, `views ${id}`);
      if (!(await deleteRows(transaction, "uncountedPage", { pageId: id }))) continue;
      for (const scope of [accountId, siteId])
        if (scope !== null) pagesOf.set(scope, [...(pagesOf.get(scope) ?? []), id]);
    }
    for (const [scope, ids] of pagesOf) await addPages(transaction, ids, { scope, times: 1 });
    return pages.length === rows;
  });
}

/** Deletes the view totals of a deleted site. */
export async function forgetViewsOfScope(database: Database, scope: string): Promise<void> {
  await deleteRows(database, "viewDay", { scope });
  await deleteRows(database, "sourceDay", { scope });
}
