import { sql } from "kysely";
import type { Database } from "./tables.ts";
import type { Layout } from "./views.ts";

export interface Click {
  /** In cells of 16 thousandths of the width and 16 pixels of the height. */
  readonly cellX: number;
  readonly cellY: number;
  readonly selector: string;
}

export interface ClickLimits {
  readonly maxCells: number;
  readonly maxSelectors: number;
}

/** Adds clicks. A page and day has at most so many cells and selectors; new ones beyond that are not kept. */
export async function addClicks(
  database: Database,
  { layout, day, clicks }: { readonly layout: Layout; readonly day: number; readonly clicks: readonly Click[] },
  { maxCells, maxSelectors }: ClickLimits,
): Promise<void> {
  const hasCells = (await countRows(database, { table: "clickCellDay", pageId: layout.pageId, day })) < maxCells;
  const hasSelectors =
    (await countRows(database, { table: "clickElementDay", pageId: layout.pageId, day })) < maxSelectors;
  for (const { cellX, cellY, selector } of clicks) {
    const place = { pageId: layout.pageId, day, version: layout.version, device: layout.device };
    if (hasCells) await addCell(database, { ...place, cellX, cellY });
    if (hasSelectors && selector !== "") await addElement(database, { ...place, selector });
  }
}

interface Place {
  readonly pageId: string;
  readonly day: number;
  readonly version: number;
  readonly device: string;
}

async function countRows(
  database: Database,
  {
    table,
    pageId,
    day,
  }: { readonly table: "clickCellDay" | "clickElementDay"; readonly pageId: string; readonly day: number },
): Promise<number> {
  const { count } = await database
    .selectFrom(table)
    .select((build) => build.fn.countAll<number>().as("count"))
    .where("pageId", "=", pageId)
    .where("day", "=", day)
    .executeTakeFirstOrThrow();
  return count;
}

async function addCell(
  database: Database,
  cell: Place & { readonly cellX: number; readonly cellY: number },
): Promise<void> {
  await database
    .insertInto("clickCellDay")
    .values({ ...cell, clicks: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["pageId", "day", "version", "device", "cellX", "cellY"])
        .doUpdateSet({ clicks: sql`click_cell_day.clicks + 1` }),
    )
    .execute();
}

async function addElement(database: Database, element: Place & { readonly selector: string }): Promise<void> {
  await database
    .insertInto("clickElementDay")
    .values({ ...element, clicks: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["pageId", "day", "version", "device", "selector"])
        .doUpdateSet({ clicks: sql`click_element_day.clicks + 1` }),
    )
    .execute();
}
