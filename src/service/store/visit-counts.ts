import { sql, type RawBuilder } from "kysely";
import { VISIT_TRAITS, type VisitTrait } from "../../contract/visit-traits.ts";
import { createSqlStatement, createStatement, isPostgres, type ParameterOf } from "./database.ts";
import type { Slices } from "./slices.ts";
import type { Database } from "./tables.ts";
import { holdName } from "./transactions.ts";
import type { ScopesChange } from "./views-by-day.ts";

// Visits are counted by all that they have in common (`visit_day`), so that any of it can be filtered by, and by the day
// alone and by each trait alone, so that what isn't filtered reads few rows. All of it changes in one transaction.

/** What visits have in common; what a link doesn't say is an empty text. */
export type VisitTraits = { readonly [Trait in VisitTrait]: string };

/** What is counted of the visits to a page, a site or the account. */
export interface VisitNumbers {
  readonly views: number;
  /** In which the page was seen, or which began on a page of the site or the account. */
  readonly visits: number;
  /** Of a page: those that began there. */
  readonly entries: number;
  /** Of a page: those that ended there, or have not gone on yet. */
  readonly exits: number;
  /** Those that began there and saw nothing else. */
  readonly bounces: number;
}

type DayTraits = VisitTraits & { readonly day: number };

interface VisitScope extends VisitNumbers {
  readonly scope: string;
}

/** What visits are counted for. */
export interface CountedScopes {
  /** A page or a form. */
  readonly place?: VisitScope;
  /** The site and the account. */
  readonly around?: readonly VisitScope[];
}

/** Adds to the numbers of visits with the same traits. */
export async function addVisits(
  database: Database,
  visit: DayTraits,
  { place, around = [] }: CountedScopes,
): Promise<void> {
  const { day } = visit;
  const isLeft = await holdSums(database);
  for (const numbers of place === undefined ? around : [place, ...around]) {
    const { scope } = numbers;
    await insertVisits(database, { ...visit, ...numbers });
    const parts = isLeft ? await countSummed(database, { scope, day }) : PARTS;
    if (parts > 0) await insertTotal(database, { day, ...numbers });
    if (numbers === place || numbers.visits === 0) continue;
    for (const trait of VISIT_TRAITS.slice(0, Math.max(0, parts - 1))) {
      if (visit[trait] === "") continue;
      await insertTrait(database, {
        scope,
        day,
        trait,
        value: visit[trait],
        visits: numbers.visits,
      });
    }
  }
}

/** Takes from the numbers of the page that a visit goes on after; `false` when the page is gone, and its visits with it. */
export async function takeFromPage(
  database: Database,
  visit: DayTraits & { readonly pageId: string },
  taken: Pick<VisitNumbers, "exits" | "bounces">,
): Promise<boolean> {
  const { pageId: scope, day } = visit;
  if ((await updateVisits(database, { ...visit, ...taken, scope })).changed === 0) return false;
  const isSummed = !(await holdSums(database)) || (await countSummed(database, { scope, day })) > 0;
  if (isSummed) await updateTotal(database, { scope, day, ...taken });
  return true;
}

/** Whether there are visits that are in no sum yet. */
export async function hasUnsummed(database: Database): Promise<boolean> {
  return (await selectLeft(database, {})).length > 0;
}

const selectLeft = createStatement<object>()((database) => database.selectFrom("unsummedVisit").select("day").limit(1));

/** As `hasUnsummed`; nobody sums them up before the end of the transaction. */
async function holdSums(database: Database): Promise<boolean> {
  const isLeft = await hasUnsummed(database);
  if (isLeft) await holdName(database, "visit sums");
  return isLeft;
}

// What is summed up of a day: the total, and then by each trait in the order of their list.
const PARTS = 1 + VISIT_TRAITS.length;

/** How many parts of a day are summed up; what visits add to the others is counted with them. */
async function countSummed(database: Database, day: UnsummedDay): Promise<number> {
  return (await selectUnsummed(database, day))[0]?.summed ?? PARTS;
}

export interface UnsummedVisit extends UnsummedDay {
  /** How many parts are. */
  readonly summed: number;
}

interface UnsummedDay {
  readonly scope: string;
  readonly day: number;
}

const selectUnsummed = createStatement<UnsummedDay>()((database, parameter) =>
  database
    .selectFrom("unsummedVisit")
    .select("summed")
    .where("scope", "=", parameter("scope"))
    .where("day", "=", parameter("day")),
);

const NUMBERS = ["views", "visits", "entries", "exits", "bounces"] as const;
const TRAIT_COLUMNS = columnsOf(VISIT_TRAITS);
const NUMBER_COLUMNS = columnsOf(NUMBERS);

function columnsOf(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

/** Adds numbers to those of the row with the same key. */
function sumsOf(table: "visitDay" | "visitTotal"): RawBuilder<unknown> {
  return sql.join(
    NUMBERS.map((name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`),
  );
}

function given<Row>(parameter: ParameterOf<Row>, names: readonly (keyof Row)[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => parameter(name)));
}

const insertVisits = createSqlStatement<DayTraits & VisitScope, unknown>(
  (_, parameter) => sql`insert into visit_day (scope, day, ${TRAIT_COLUMNS}, ${NUMBER_COLUMNS})
    values (${given(parameter, ["scope", "day", ...VISIT_TRAITS, ...NUMBERS])})
    on conflict (scope, day, ${TRAIT_COLUMNS}) do update set ${sumsOf("visitDay")}`,
);

const insertTotal = createSqlStatement<VisitScope & { readonly day: number }, unknown>(
  (_, parameter) => sql`insert into visit_total (scope, day, ${NUMBER_COLUMNS})
    values (${given(parameter, ["scope", "day", ...NUMBERS])})
    on conflict (scope, day) do update set ${sumsOf("visitTotal")}`,
);

const ADD_TRAIT = sql`on conflict (scope, day, trait, value) do update set visits = visit_trait.visits + excluded.visits`;

export interface TraitVisits {
  readonly scope: string;
  readonly day: number;
  readonly trait: VisitTrait;
  readonly value: string;
  readonly visits: number;
}

const insertTrait = createSqlStatement<TraitVisits, unknown>(
  (_, parameter) => sql`insert into visit_trait (scope, day, trait, value, visits)
    values (${given(parameter, ["scope", "day", "trait", "value", "visits"])}) ${ADD_TRAIT}`,
);

type Taken = Pick<VisitScope, "scope" | "exits" | "bounces"> & { readonly day: number };

const updateVisits = createSqlStatement<DayTraits & Taken, unknown>(
  (_, parameter) =>
    sql`update visit_day set ${takenOf(parameter)} and ${sql.join(
      VISIT_TRAITS.map((trait) => sql`${sql.ref(trait)} = ${parameter(trait)}`),
      sql` and `,
    )}`,
);

const updateTotal = createSqlStatement<Taken, unknown>(
  (_, parameter) => sql`update visit_total set ${takenOf(parameter)}`,
);

function takenOf(parameter: ParameterOf<Taken>): RawBuilder<unknown> {
  return sql`exits = exits - ${parameter("exits")}, bounces = bounces - ${parameter("bounces")}
    where scope = ${parameter("scope")} and day = ${parameter("day")}`;
}

/** Takes the visits that began on a page from some scopes, and adds them to others. */
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

/** Adds rows like those of `visit_day` to the sums by day. */
async function addTotals(database: Database, counted: RawBuilder<unknown>): Promise<void> {
  const sums = sql.join(NUMBERS.map((name) => sql`sum(${sql.ref(name)})`));
  await sql`insert into visit_total (scope, day, ${NUMBER_COLUMNS})
    select scope, day, ${sums} from (${counted}) as counted where true group by scope, day
    on conflict (scope, day) do update set ${sumsOf("visitTotal")}`.execute(database);
}

function sumsByTrait(trait: VisitTrait, where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select scope, day, ${sql.lit(trait)}, ${sql.ref(trait)}, sum(visits) from counted
    where ${sql.ref(trait)} <> '' and ${where} group by scope, day, ${sql.ref(trait)} having sum(visits) <> 0`;
}

/** Adds rows like those of `visit_day` to the sums by trait. */
async function addTraits(
  database: Database,
  counted: RawBuilder<unknown>,
  traits: readonly RawBuilder<unknown>[],
): Promise<void> {
  await sql`insert into visit_trait (scope, day, trait, value, visits)
    with counted as materialized (${counted}) select * from (${sql.join(traits, sql` union all `)}) as traits where true
    ${ADD_TRAIT}`.execute(database);
}

/** Sums up the visits that were counted before there were sums. */
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
    // In another order SQLite would read every day that was summed up before; PostgreSQL looks at the second range.
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
  /** 1: of a site or the account, which are summed up by traits as well. */
  readonly around: number;
}

const isAround = ({ around }: NextDay) => around === 1;

/**
 * The last days of which the same is left, as many as have so many rows of visits, and one in any case: a day of the account has
 * thousands, those of most pages one.
 */
async function selectNext(database: Database, rows: number): Promise<readonly NextDay[]> {
  // Left to itself, PostgreSQL joins all that is left and sorts it.
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

const TABLES = ["visitDay", "visitTotal", "visitTrait", "unsummedVisit"] as const;

/** Forgets the visits of a site that is deleted. */
export async function forgetVisitsOfScope(database: Database, scope: string): Promise<void> {
  for (const table of TABLES) await database.deleteFrom(table).where("scope", "=", scope).execute();
}

/** Forgets the visits of a page that is deleted, and those in which one of its forms was sent. */
export async function forgetVisitsOf(database: Database, pageId: string): Promise<void> {
  const forms = database.selectFrom("form").select("id").where("pageId", "=", pageId);
  for (const table of TABLES) {
    await database.deleteFrom(table).where("scope", "in", forms).execute();
    await database.deleteFrom(table).where("scope", "=", pageId).execute();
  }
}
