import { VISIT_TRAITS } from "../../contract/visit-traits.ts";
import { sql } from "kysely";
import { deleteInSlices, deleteSome, walkValues, type Slices } from "./slices.ts";
import type { Database, Tables } from "./tables.ts";

/** Deletes the salts of earlier days; from then on, their visitors can't be identified. */
export async function forgetSalts(database: Database, today: number): Promise<void> {
  await database.deleteFrom("visitorSalt").where("day", "<", today).execute();
}

/** Replaces some visitors of earlier days with counts. Returns `true` if more may be left. */
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

/** Deletes the link between visitors and their visits on earlier days. */
export async function closeVisits(slices: Slices, today: number): Promise<void> {
  await deleteInSlices(slices, "openVisit", {
    key: ["day", "visitor", "siteId"],
    where: sql`day < ${today}`,
  });
}

/** Deletes views that are too old to report how they were read. */
export async function forgetViews(slices: Slices, before: number): Promise<void> {
  await deleteInSlices(slices, "openView", { key: ["id"], where: sql`hour < ${before}` });
}

/** Deletes the quotas of earlier days, which can't grow anymore. */
export async function forgetRooms(slices: Slices, before: number): Promise<void> {
  await deleteInSlices(slices, "dayRoom", { key: ["day", "scope", "counted"], where: sql`day < ${before}` });
}

// None of these has an index that starts with the time.
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

/** Deletes hourly and daily stats older than a time, in milliseconds since 1970. */
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
