import { sql } from "kysely";
import type { Database } from "./tables.ts";

/** A published page as far as a view of it matters. */
export interface ViewedPage {
  readonly accountId: string;
  readonly siteId: string | null;
  readonly version: number;
}

export async function findViewedPage(database: Database, id: string): Promise<ViewedPage | undefined> {
  return await database
    .selectFrom("page")
    .select(["accountId", "siteId", "version"])
    .where("id", "=", id)
    .where("status", "=", "published")
    .executeTakeFirst();
}

/** A view that may still report how far and how long the page was read. */
export interface OpenView {
  readonly id: string;
  readonly pageId: string;
  readonly version: number;
  readonly device: string;
  readonly hour: number;
  /** How far the page was scrolled, in per cent; `null` before it was reported. */
  readonly depth: number | null;
  readonly seconds: number;
  readonly clicks: number;
  /** The number of the last message; earlier ones are repeats. */
  readonly lastMessage: number;
}

/** Notes a view and answers whether it is a new one. */
export async function openView(database: Database, view: OpenView): Promise<boolean> {
  const result = await database
    .insertInto("openView")
    .values(view)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function findOpenView(database: Database, id: string): Promise<OpenView | undefined> {
  return await database.selectFrom("openView").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function updateOpenView(database: Database, view: OpenView): Promise<void> {
  const { id, depth, seconds, clicks, lastMessage } = view;
  await database.updateTable("openView").set({ depth, seconds, clicks, lastMessage }).where("id", "=", id).execute();
}

/** What one message adds to the numbers of an hour. */
export interface ViewNumbers {
  readonly views: number;
  readonly reads: number;
  readonly seconds: number;
  readonly depth: number;
  readonly clicks: number;
}

/** The layout that a page was seen in. */
export interface Layout {
  readonly pageId: string;
  readonly version: number;
  readonly device: string;
}

export async function addToHour(
  database: Database,
  { pageId, version, device, hour }: Layout & { readonly hour: number },
  numbers: ViewNumbers,
): Promise<void> {
  await database
    .insertInto("viewHour")
    .values({ pageId, version, device, hour, ...numbers })
    .onConflict((conflict) =>
      conflict.columns(["pageId", "hour", "version", "device"]).doUpdateSet({
        views: sql`view_hour.views + ${numbers.views}`,
        reads: sql`view_hour.reads + ${numbers.reads}`,
        seconds: sql`view_hour.seconds + ${numbers.seconds}`,
        depth: sql`view_hour.depth + ${numbers.depth}`,
        clicks: sql`view_hour.clicks + ${numbers.clicks}`,
      }),
    )
    .execute();
}

/** Counts a view that came from another host. A page has at most so many hosts a day; the others count as `other`. */
export async function addReferrer(
  database: Database,
  { pageId, day, host }: { readonly pageId: string; readonly day: number; readonly host: string },
  { maxHosts }: { readonly maxHosts: number },
): Promise<void> {
  const { hosts, known } = await database
    .selectFrom("referrerDay")
    .select((build) => [
      build.fn.countAll<number>().as("hosts"),
      sql<number | null>`max(case when host = ${host} then 1 else 0 end)`.as("known"),
    ])
    .where("pageId", "=", pageId)
    .where("day", "=", day)
    .executeTakeFirstOrThrow();
  await database
    .insertInto("referrerDay")
    .values({ pageId, day, host: known !== 1 && hosts >= maxHosts ? "other" : host, views: 1 })
    .onConflict((conflict) =>
      conflict.columns(["pageId", "day", "host"]).doUpdateSet({ views: sql`referrer_day.views + 1` }),
    )
    .execute();
}

/** Moves a view from one depth to another; it had none where `from` is `null`. */
export async function moveDepth(
  database: Database,
  { pageId, version, device, day }: Layout & { readonly day: number },
  { from, to }: { readonly from: number | null; readonly to: number },
): Promise<void> {
  if (from === to) return;
  if (from !== null) {
    await database
      .updateTable("scrollDay")
      .set({ views: sql`views - 1` })
      .where("pageId", "=", pageId)
      .where("day", "=", day)
      .where("version", "=", version)
      .where("device", "=", device)
      .where("depth", "=", from)
      .execute();
  }
  await database
    .insertInto("scrollDay")
    .values({ pageId, day, version, device, depth: to, views: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["pageId", "day", "version", "device", "depth"])
        .doUpdateSet({ views: sql`scroll_day.views + 1` }),
    )
    .execute();
}

export async function saveHeight(
  database: Database,
  { pageId, version, device }: Layout,
  height: number,
): Promise<void> {
  await database
    .insertInto("pageLayout")
    .values({ pageId, version, device, height })
    .onConflict((conflict) => conflict.columns(["pageId", "version", "device"]).doUpdateSet({ height }))
    .execute();
}

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

/** What makes the visitors of a day countable; `isNew` when there was none yet and the offered one was taken. */
export async function ensureSalt(
  database: Database,
  day: number,
  offered: Uint8Array,
): Promise<{ readonly salt: Uint8Array; readonly isNew: boolean }> {
  const result = await database
    .insertInto("visitorSalt")
    .values({ day, salt: offered })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if ((result.numInsertedOrUpdatedRows ?? 0n) > 0n) return { salt: offered, isNew: true };
  const query = database.selectFrom("visitorSalt").select("salt").where("day", "=", day);
  return { salt: (await query.executeTakeFirstOrThrow()).salt, isNew: false };
}

export interface Sighting {
  /** Ids of what the visitor is counted for: the page, its site, the account. */
  readonly scopes: readonly string[];
  readonly day: number;
  readonly hour: number;
  readonly visitor: Uint8Array;
}

/** Notes a visitor, who is counted once a day in each scope. */
export async function noteVisitor(database: Database, { scopes, day, hour, visitor }: Sighting): Promise<void> {
  await database
    .insertInto("visitorSeen")
    .values(scopes.map((scope) => ({ scope, day, hour, visitor })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export interface Deadlines {
  /** Start of the day that is not over. */
  readonly today: number;
  /** Views from before this can't report any more how they were read. */
  readonly views: number;
}

/** Puts numbers in the place of visitors, and forgets salts and views whose time is over. */
export async function closeDays(database: Database, { today, views }: Deadlines): Promise<void> {
  await sql`
    insert into visitor_count (scope, hour, visitors)
    select scope, hour, count(*) from visitor_seen where day < ${today} group by scope, hour
    on conflict (scope, hour) do update set visitors = visitor_count.visitors + excluded.visitors
  `.execute(database);
  await database.deleteFrom("visitorSeen").where("day", "<", today).execute();
  await database.deleteFrom("visitorSalt").where("day", "<", today).execute();
  await database.deleteFrom("openView").where("hour", "<", views).execute();
}

/** Forgets numbers of hours and days before a time, in milliseconds since 1970. */
export async function forgetStats(database: Database, before: number): Promise<void> {
  await database.deleteFrom("visitorCount").where("hour", "<", before).execute();
  await database.deleteFrom("viewHour").where("hour", "<", before).execute();
  for (const table of ["referrerDay", "scrollDay", "clickCellDay", "clickElementDay"] as const) {
    await database.deleteFrom(table).where("day", "<", before).execute();
  }
}
