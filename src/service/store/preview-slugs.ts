import { sql, type RawBuilder } from "kysely";

/** The pages of live sites, or those of previews. */
export type PagesPart = "live" | "previews";

/** Whether the slug in a column is a preview's, as `PREVIEW_SLUG` recognizes it, or not. */
export function isInPart(column: string, part: PagesPart): RawBuilder<boolean> {
  const slug = sql.ref(column);
  const isOfPreview = sql<boolean>`(${slug} like 'preview-_%--_%' and ${slug} not like 'preview--%')`;
  return part === "previews" ? isOfPreview : sql<boolean>`not ${isOfPreview}`;
}
