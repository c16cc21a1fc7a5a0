import { sql } from "kysely";
import type { Database } from "./tables.ts";

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
  /** Views from before this can't tell any more how they were read. */
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
