import { sql } from "kysely";
import { VISIT_TRAITS } from "../../contract/visit-traits.ts";
import { isPostgres } from "./database.ts";
import type { Slices } from "./slices.ts";
import type { Database } from "./tables.ts";
import { addTotals, addTraits, holdSums, PARTS, sumsByTrait, type UnsummedVisit } from "./visit-counts.ts";

/** Adds up visits that were counted before totals existed. */
export async function sumEarlierVisits(slices: Slices): Promise<void> {
  await slices.run(async (transaction, rows) => {
    if (!(await holdSums(transaction))) return false;
    const days = await selectNext(transaction, rows);
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined) return false;
    const isTaken = (table: string) => {
      const key = sql`(${sql.ref(`${table}.scope`)}, ${sql.ref(`${table}.day`)})`;
      return sql`${key} >= (${last.scope}, ${last.day}) and ${key} <= (${first.scope}, ${first.day})`;
    };
    const taken = isTaken("unsummedVisit");
    // In another order, SQLite would scan days that are already summed; PostgreSQL uses the second range.
    const counted = sql`select visit_day.* from unsummed_visit cross join visit_day
      where visit_day.scope = unsummed_visit.scope and visit_day.day = unsummed_visit.day
      and ${taken} and ${isTaken("visitDay")}`;
    const trait = VISIT_TRAITS[first.summed - 1];
    if (trait === undefined) await addTotals(transaction, counted);
    else await addTraits(transaction, counted, [sumsByTrait(trait, sql`true`)]);
    const summed = first.summed + 1;
    await (
      isAround(first) && summed < PARTS
        ? sql`update unsummed_visit set summed = ${summed} where ${taken}`
        : sql`delete from unsummed_visit where ${taken}`
    ).execute(transaction);
    return true;
  });
}

interface NextDay extends UnsummedVisit {
  /** 1 for a site or an account, which also have sums by trait. */
  readonly around: number;
}

const isAround = ({ around }: NextDay) => around === 1;

/**
 * Selects the last days with the same parts left to sum: as many as have up to `rows` visit rows, and at least one. A
 * day of the account has thousands of rows, and of most pages one.
 */
async function selectNext(database: Database, rows: number): Promise<readonly NextDay[]> {
  // Otherwise, PostgreSQL joins and sorts all remaining days.
  const next = isPostgres(database)
    ? sql`select days.* from (select * from unsummed_visit order by scope desc, day desc limit ${rows}) as days
      left join lateral (select 1 from visit_day where scope = days.scope and day = days.day limit ${rows}) as kinds on true`
    : sql`select unsummed_visit.* from unsummed_visit left join visit_day using (scope, day) order by scope desc, day desc`;
  const found = await sql<NextDay & { readonly kinds: number }>`select scope, day, summed, count(*) as kinds,
      case when scope in (select id from site union all select id from account) then 1 else 0 end as around
    from (${next} limit ${rows}) as next
    group by scope, day, summed order by scope desc, day desc`.execute(database);
  const days = found.rows;
  const [first] = days;
  const isWhole = days.reduce((sum, { kinds }) => sum + kinds, 0) < rows;
  const end = days.findIndex((day) => day.summed !== first?.summed || isAround(day) !== (first && isAround(first)));
  return days.slice(0, Math.max(1, end === -1 ? days.length - (isWhole ? 0 : 1) : end));
}
