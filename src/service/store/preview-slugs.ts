import { sql, type RawBuilder } from "kysely";
import type { Database } from "./tables.ts";

/** The pages of live sites, or those of previews. */
export type PagesPart = "live" | "previews";

/** Whether the slug in a column is a preview's, as `PREVIEW_SLUG` recognizes it, or not. */
export function isInPart(column: string, part: PagesPart): RawBuilder<boolean> {
  const slug = sql.ref(column);
  const isOfPreview = sql<boolean>`(${slug} like 'preview-_%--_%' and ${slug} not like 'preview--%')`;
  return part === "previews" ? isOfPreview : sql<boolean>`not ${isOfPreview}`;
}

/** Counts all pages except those of previews. */
export async function countLivePages(database: Database, accountId: string): Promise<number> {
  const pages = database.selectFrom("page").where("accountId", "=", accountId).where(isInPart("slug", "live"));
  return (await pages.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
}
