import { VISIT_TRAITS } from "../../contract/visit-traits.ts";
import { sql } from "kysely";
import { deleteInSlices, deleteSome, walkValues, type Slices } from "./slices.ts";
import type { Database, Tables } from "./tables.ts";

/** Forgets what made the visitors of earlier days countable: from then on nobody can find out who one of them was. */
export async function forgetSalts(database: Database, today: number): Promise<void> {
  await database.deleteFrom("visitorSalt").where("day", "<", today).execute();
}

/** Puts numbers in the place of some visitors of earlier days; answers whether more may be left. */
export async function closeVisitors(database: Database, today: number, rows: number): Promise<boolean> {
  const some = sql`select scope, day, visitor, hour from visitor_seen where day < ${today}
    order by day, scope, visitor limit ${rows}`;
  await sql`
    insert into visitor_count (scope, hour, visitors)
    select scope, hour, count(*) from (${some}) as seen where true group by scope, hour
    on conflict (scope, hour) do update set visitors = visitor_count.visitors + excluded.visitors
  `.execute(database);
  const { numAffectedRows = 0n } = await sql`delete from visitor_seen where (scope, day, visitor) in (
    select scope, day, visitor from (${some}) as seen)`.execute(database);
  return numAffectedRows >= BigInt(rows);
}

/** Forgets whose visits those of earlier days were. */
export async function closeVisits(slices: Slices, today: number): Promise<void> {
  await deleteInSlices(slices, "openVisit", {
    key: ["day", "visitor", "siteId"],
    where: sql`day < ${today}`,
  });
}

/** Forgets views that can't report any more how they were read. */
export async function forgetViews(slices: Slices, before: number): Promise<void> {
  await deleteInSlices(slices, "openView", { key: ["id"], where: sql`hour < ${before}` });
}

/** Forgets how much room earlier days had, to which nothing is added any more. */
export async function forgetRooms(slices: Slices, before: number): Promise<void> {
  await deleteInSlices(slices, "dayRoom", { key: ["day", "scope", "counted"], where: sql`day < ${before}` });
}

// No index of these begins with the time.
const TIMED = {
  leftOutDay: ["accountId", "day", "siteId", "reason"],
  visitorCount: ["scope", "hour"],
  viewDay: ["scope", "day", "device"],
  visitTotal: ["scope", "day"],
  visitTrait: ["scope", "day", "trait", "value"],
  visitDay: ["scope", "day", ...VISIT_TRAITS],
  sourceDay: ["scope", "day", "host"],
  viewHour: ["pageId", "hour", "version", "device"],
  referrerDay: ["pageId", "day", "host"],
  scrollDay: ["pageId", "day", "version", "device", "depth"],
  clickCellDay: ["pageId", "day", "version", "device", "cellX", "cellY"],
  clickElementDay: ["pageId", "day", "version", "device", "selector"],
} as const satisfies { readonly [Name in keyof Tables]?: readonly (keyof Tables[Name])[] };

/** Forgets numbers of hours and days before a time, in milliseconds since 1970. */
export async function forgetStats(slices: Slices, before: number): Promise<void> {
  for (const [name, key] of Object.entries(TIMED)) {
    const [column, time] = key;
    const table = { name, column } as {
      readonly name: keyof typeof TIMED;
      readonly column: string;
    };
    await walkValues(slices, table, (transaction, within, rows) =>
      deleteSome(transaction, table.name, {
        key,
        where: sql`${within} and ${sql.ref(time)} < ${before}`,
        rows,
      }),
    );
  }
}
