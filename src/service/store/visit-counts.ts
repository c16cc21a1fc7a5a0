import { sql, type RawBuilder } from "kysely";
import { VISIT_TRAITS, type VisitTrait } from "../../contract/visit-traits.ts";
import { createSqlStatement, createStatement, runBuilt } from "./database.ts";
import { countRows, matching, type Match, type TableName, findRow, deleteRows } from "./rows.ts";
import type { Database } from "./tables.ts";
import { holdName } from "./transactions.ts";
import type { ScopesChange } from "./views-by-day.ts";

// Visits are counted by the combination of all traits (`visit_day`), so that any of them can be filtered, and also by
// day and by single trait, so that unfiltered queries read few rows. One transaction updates all of them.

/** Traits of a visit; missing link parameters are empty strings. */
export type VisitTraits = { readonly [Trait in VisitTrait]: string };

/** Counts of visits to a page, a site or the account. */
export interface VisitNumbers {
  readonly views: number;
  /** Visits that saw the page, or that started on a page of the site or account. */
  readonly visits: number;
  /** Pages only: visits that started there. */
  readonly entries: number;
  /** Pages only: visits whose last page so far it is. */
  readonly exits: number;
  /** Visits that started there and saw no other page. */
  readonly bounces: number;
}

type DayTraits = VisitTraits & { readonly day: number };

interface VisitScope extends VisitNumbers {
  readonly scope: string;
}

export interface CountedScopes {
  /** A page or a form. */
  readonly place?: VisitScope;
  /** The site and the account. */
  readonly around?: readonly VisitScope[];
}

export async function addVisits(database: Database, visit: DayTraits, { place, around = [] }: CountedScopes) {
  const { day } = visit;
  const isLeft = await holdSums(database);
  for (const numbers of place === undefined ? around : [place, ...around]) {
    const { scope } = numbers;
    const added = numbersOf(numbers);
    await addNumbers(database, "visitDay", { key: kindOf(visit, scope), numbers: added });
    const parts = isLeft ? await countSummed(database, { scope, day }) : PARTS;
    if (parts > 0) await addNumbers(database, "visitTotal", { key: { scope, day }, numbers: added });
    if (numbers === place || numbers.visits === 0) continue;
    for (const trait of VISIT_TRAITS.slice(0, Math.max(0, parts - 1))) {
      if (visit[trait] === "") continue;
      const key = { scope, day, trait, value: visit[trait] };
      await addNumbers(database, "visitTrait", { key, numbers: { visits: numbers.visits } });
    }
  }
}

/**
 * Subtracts from the counts of a page when a visit continues elsewhere. Returns `false` if the page, and its visits
 * with it, was deleted.
 */
export async function subtractFromPage(
  database: Database,
  visit: DayTraits & { readonly pageId: string },
  taken: Pick<VisitNumbers, "exits" | "bounces">,
): Promise<boolean> {
  const { pageId: scope, day } = visit;
  const numbers = { exits: -taken.exits, bounces: -taken.bounces };
  if (!(await changeNumbers(database, "visitDay", { key: kindOf(visit, scope), numbers }))) return false;
  const isSummed = !(await holdSums(database)) || (await countSummed(database, { scope, day })) > 0;
  if (isSummed) await changeNumbers(database, "visitTotal", { key: { scope, day }, numbers });
  return true;
}

function kindOf({ day, ...visit }: DayTraits, scope: string) {
  return { scope, day, ...Object.fromEntries(VISIT_TRAITS.map((trait) => [trait, visit[trait]])) };
}

function numbersOf({ views, visits, entries, exits, bounces }: VisitNumbers): VisitNumbers {
  return { views, visits, entries, exits, bounces };
}

/** Whether any visits aren't in the totals yet. */
export async function hasUnsummed(database: Database): Promise<boolean> {
  return (await selectLeft(database, {})).length > 0;
}

const selectLeft = createStatement<object>()((database) => database.selectFrom("unsummedVisit").select("day").limit(1));

/** Like `hasUnsummed`, and prevents summing until the end of the transaction. */
export async function holdSums(database: Database): Promise<boolean> {
  const isLeft = await hasUnsummed(database);
  if (isLeft) await holdName(database, "visit sums");
  return isLeft;
}

// Parts of a day's sums: the total, then each trait in the order of the list.
export const PARTS = 1 + VISIT_TRAITS.length;

/** Returns how many parts of a day are summed. Visits add to these; the others include them when summed. */
async function countSummed(database: Database, day: UnsummedDay): Promise<number> {
  return (await findRow(database, "unsummedVisit", { ...day }))?.summed ?? PARTS;
}

export interface UnsummedVisit extends UnsummedDay {
  readonly summed: number;
}

interface UnsummedDay {
  readonly scope: string;
  readonly day: number;
}

const NUMBERS = ["views", "visits", "entries", "exits", "bounces"] as const;
const TRAIT_COLUMNS = columnsOf(VISIT_TRAITS);
const NUMBER_COLUMNS = columnsOf(NUMBERS);

function columnsOf(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

/** Adds counts to the row with the same key. */
function sumsOf(table: "visitDay" | "visitTotal"): RawBuilder<unknown> {
  return sql.join(
    NUMBERS.map((name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`),
  );
}

const ADD_TRAIT = sql`on conflict (scope, day, trait, value) do update set visits = visit_trait.visits + excluded.visits`;

export interface TraitVisits {
  readonly scope: string;
  readonly day: number;
  readonly trait: VisitTrait;
  readonly value: string;
  readonly visits: number;
}

/** Moves the counts of visits that started on a page between scopes. */
export async function moveVisits(database: Database, pageId: string, { from, to }: ScopesChange): Promise<void> {
  await holdSums(database);
  for (const scope of from) if (scope !== null) await addVisitsOfPage(database, pageId, { scope, times: -1 });
  for (const scope of to) if (scope !== null) await addVisitsOfPage(database, pageId, { scope, times: 1 });
}

async function addVisitsOfPage(
  database: Database,
  pageId: string,
  { scope, times }: { readonly scope: string; readonly times: 1 | -1 },
): Promise<void> {
  const [factor, id] = [sql.lit(times), sql.lit(scope)];
  const numbers = sql`${factor} * views, ${factor} * entries, 0, 0, ${factor} * bounces`;
  await sql`insert into visit_day (scope, day, ${TRAIT_COLUMNS}, ${NUMBER_COLUMNS})
    select ${id}, day, ${TRAIT_COLUMNS}, ${numbers} from visit_day where scope = ${pageId}
    on conflict (scope, day, ${TRAIT_COLUMNS}) do update set ${sumsOf("visitDay")}`.execute(database);
  const moved = sql`select ${id} as scope, day, ${TRAIT_COLUMNS}, ${factor} * views as views, ${factor} * entries as visits,
      0 as entries, 0 as exits, ${factor} * bounces as bounces from visit_day where scope = ${pageId}`;
  const summed = (part: number) =>
    sql`day not in (select day from unsummed_visit where scope = ${id} and summed <= ${sql.lit(part)})`;
  await addTotals(database, sql`select * from (${moved}) as moved where ${summed(0)}`);
  await addTraits(
    database,
    moved,
    VISIT_TRAITS.map((trait, index) => sumsByTrait(trait, summed(index + 1))),
  );
}

/** Adds rows with the columns of `visit_day` to the daily totals. */
export async function addTotals(database: Database, counted: RawBuilder<unknown>): Promise<void> {
  const sums = sql.join(NUMBERS.map((name) => sql`sum(${sql.ref(name)})`));
  await sql`insert into visit_total (scope, day, ${NUMBER_COLUMNS})
    select scope, day, ${sums} from (${counted}) as counted where true group by scope, day
    on conflict (scope, day) do update set ${sumsOf("visitTotal")}`.execute(database);
}

export function sumsByTrait(trait: VisitTrait, where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select scope, day, ${sql.lit(trait)}, ${sql.ref(trait)}, sum(visits) from counted
    where ${sql.ref(trait)} <> '' and ${where} group by scope, day, ${sql.ref(trait)} having sum(visits) <> 0`;
}

/** Adds rows with the columns of `visit_day` to the sums by trait. */
export async function addTraits(
  database: Database,
  counted: RawBuilder<unknown>,
  traits: readonly RawBuilder<unknown>[],
): Promise<void> {
  await sql`insert into visit_trait (scope, day, trait, value, visits)
    with counted as materialized (${counted}) select * from (${sql.join(traits, sql` union all `)}) as traits where true
    ${ADD_TRAIT}`.execute(database);
}

const TABLES = ["visitDay", "visitTotal", "visitTrait", "unsummedVisit", "dayRoom"] as const;

/** Deletes the visits of a deleted site. */
export async function forgetVisitsOfScope(database: Database, scope: string): Promise<void> {
  for (const table of TABLES) await deleteRows<(typeof TABLES)[number]>(database, table, { scope });
}

/** Deletes the visits of a deleted page and its forms. */
export async function forgetVisitsOf(database: Database, pageId: string): Promise<void> {
  const forms = database.selectFrom("form").select("id").where("pageId", "=", pageId);
  for (const table of TABLES) {
    await database.deleteFrom(table).where("scope", "in", forms).execute();
    await deleteRows<(typeof TABLES)[number]>(database, table, { scope: pageId });
  }
}

/** Counts to add, which may be negative, and the key of their row. */
export interface Addition {
  readonly key: object;
  readonly numbers: object;
}

/** Adds counts to the row with a key; inserts it if missing. */
export async function addNumbers(database: Database, name: TableName, { key, numbers }: Addition): Promise<void> {
  await runBuilt(database, { shape: `add ${name}`, match: key, set: numbers }, ({ match, set }) => {
    const columns = (names: object) => sql.join(Object.keys(names).map((column) => sql.ref(column)));
    const sums = Object.keys(set).map((column) => {
      return sql`${sql.ref(column)} = ${sql.ref(`${name}.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
    });
    const row = { ...match, ...set };
    return sql`insert into ${sql.table(name)} (${columns(row)}) values (${sql.join(Object.values(row))})
      on conflict (${columns(match)}) do update set ${sql.join(sums)}`;
  });
}

/** Like `addNumbers`, for existing rows only. Returns `false` if the row doesn't exist. */
export async function changeNumbers(database: Database, name: TableName, { key, numbers }: Addition): Promise<boolean> {
  const { changed } = await runBuilt(database, { shape: `change ${name}`, match: key, set: numbers }, (given) => {
    const sums = Object.entries(given.set).map(
      ([column, value]) => sql`${sql.ref(column)} = ${sql.ref(column)} + ${value}`,
    );
    return sql`update ${sql.table(name)} set ${sql.join(sums)} where ${matching(given.match)}`;
  });
  return changed > 0;
}

/** Tables with a daily row limit per scope, and the column of the scope. */
const LIMITED = {
  visitDay: "scope",
  referrerDay: "pageId",
  clickCellDay: "pageId",
  clickElementDay: "pageId",
} as const satisfies Partial<Record<TableName, string>>;

/**
 * Whether counts may be added to the row with a key: it exists, or its scope has fewer than `max` rows that day. In the
 * second case, it is counted as a new row.
 */
export async function hasRoom<Name extends keyof typeof LIMITED>(
  database: Database,
  name: Name,
  { key, max }: { readonly key: Match<Name> & { readonly day: number }; readonly max: number },
): Promise<boolean> {
  if ((await countRows(database, name, key)) > 0) return true;
  const { day } = key;
  const scope = String(Object(key)[LIMITED[name]]);
  // Another process may be adding the same row.
  await holdName(database, `room ${name} ${scope} ${day}`);
  if ((await countRows(database, name, key)) > 0) return true;
  const room = { day, scope, counted: name };
  const taken = (await takeRoom(database, { ...room, max })).rows[0]?.taken;
  if (taken !== 1) return taken !== undefined;
  // The first row of the day, or of a day started by an earlier version.
  const rows = await countRows<TableName>(database, name, { day, [LIMITED[name]]: scope });
  if (rows > 0) await addNumbers(database, "dayRoom", { key: room, numbers: { taken: rows } });
  return rows < max;
}

export interface DayRoom {
  readonly day: number;
  readonly scope: string;
  readonly counted: string;
}

const takeRoom = createSqlStatement<DayRoom & { readonly max: number }, { readonly taken: number }>(
  (_, parameter) => sql`insert into day_room (day, scope, counted, taken)
    values (${parameter("day")}, ${parameter("scope")}, ${parameter("counted")}, 1)
    on conflict (day, scope, counted) do update set taken = day_room.taken + 1
    where day_room.taken < ${parameter("max")} returning taken`,
);
