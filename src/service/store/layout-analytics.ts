import { type RawBuilder, sql } from "kysely";
import type { Span } from "./page-analytics.ts";
import type { Database } from "./tables.ts";

/** In which layouts of a page something is looked for; all of them where a part is `undefined`. */
export interface LayoutFilter {
  readonly pageId: string;
  readonly device: string | undefined;
  readonly version: number | undefined;
  readonly span: Span;
}

const MAX_POINTS = 5000;
const MAX_ELEMENTS = 100;

export async function countViews(database: Database, filter: LayoutFilter): Promise<number> {
  const row = await database
    .selectFrom("viewHour")
    .select(({ fn }) => fn.sum<number | null>("views").as("views"))
    .where("pageId", "=", filter.pageId)
    .where("hour", ">=", filter.span.from)
    .where("hour", "<", filter.span.until)
    .where(ofLayout(filter))
    .executeTakeFirstOrThrow();
  return row.views ?? 0;
}

/** In which layouts a page was seen, by views. */
export async function listLayouts(
  database: Database,
  pageId: string,
  { from, until }: Span,
): Promise<readonly { readonly version: number; readonly device: string; readonly views: number }[]> {
  const rows = await database
    .selectFrom("viewHour")
    .select(({ fn }) => ["version", "device", fn.sum<number>("views").as("views")])
    .where("pageId", "=", pageId)
    .where("hour", ">=", from)
    .where("hour", "<", until)
    .groupBy(["version", "device"])
    .execute();
  return rows.map(({ version, device, views }) => ({ version, device, views: Number(views) }));
}

/** The cells that were clicked, the most frequent first. */
export async function readCells(
  database: Database,
  filter: LayoutFilter,
): Promise<readonly { readonly cellX: number; readonly cellY: number; readonly clicks: number }[]> {
  return await database
    .selectFrom("clickCellDay")
    .select(({ fn }) => ["cellX", "cellY", fn.sum<number>("clicks").as("clicks")])
    .where("pageId", "=", filter.pageId)
    .where("day", ">=", filter.span.from)
    .where("day", "<", filter.span.until)
    .where(ofLayout(filter))
    .groupBy(["cellX", "cellY"])
    .orderBy("clicks", "desc")
    .orderBy("cellY")
    .orderBy("cellX")
    .limit(MAX_POINTS)
    .execute();
}

/** The elements that were clicked, the most frequent first. */
export async function readElements(
  database: Database,
  filter: LayoutFilter,
): Promise<readonly { readonly selector: string; readonly clicks: number }[]> {
  return await database
    .selectFrom("clickElementDay")
    .select(({ fn }) => ["selector", fn.sum<number>("clicks").as("clicks")])
    .where("pageId", "=", filter.pageId)
    .where("day", ">=", filter.span.from)
    .where("day", "<", filter.span.until)
    .where(ofLayout(filter))
    .groupBy("selector")
    .orderBy("clicks", "desc")
    .orderBy("selector")
    .limit(MAX_ELEMENTS)
    .execute();
}

/** How many views ended at which depth, in per cent. */
export async function readDepths(
  database: Database,
  filter: LayoutFilter,
): Promise<readonly { readonly depth: number; readonly views: number }[]> {
  return await database
    .selectFrom("scrollDay")
    .select(({ fn }) => ["depth", fn.sum<number>("views").as("views")])
    .where("pageId", "=", filter.pageId)
    .where("day", ">=", filter.span.from)
    .where("day", "<", filter.span.until)
    .where(ofLayout(filter))
    .groupBy("depth")
    .orderBy("depth")
    .execute();
}

/** The height of the page in pixels where it is highest; 0 when no browser has reported it. */
export async function readHeight(database: Database, filter: LayoutFilter): Promise<number> {
  const row = await database
    .selectFrom("pageLayout")
    .select(({ fn }) => fn.max<number | null>("height").as("height"))
    .where("pageId", "=", filter.pageId)
    .where(ofLayout(filter))
    .executeTakeFirstOrThrow();
  return row.height ?? 0;
}

function ofLayout({ device, version }: LayoutFilter): RawBuilder<boolean> {
  const byDevice = device === undefined ? sql<boolean>`true` : sql<boolean>`device = ${device}`;
  return version === undefined ? byDevice : sql<boolean>`${byDevice} and version = ${version}`;
}
