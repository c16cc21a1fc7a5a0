import { sql, type RawBuilder } from "kysely";
import { VISIT_TRAITS, type VisitTrait } from "../../contract/visit-traits.ts";
import type { Span } from "./analytics.ts";
import { updateRows, putRow, deleteRows } from "./rows.ts";
import type { Database } from "./tables.ts";
import { addVisits, hasRoom, hasUnsummed, type VisitNumbers, type VisitTraits } from "./visit-counts.ts";
import type { OpenVisit, VisitedPage, VisitKey } from "./visits.ts";

// Runs when a visit starts, and reads visits. `visits.ts` contains what runs with every view.

export interface BegunVisit extends VisitKey, VisitedPage {
  readonly accountId: string;
  readonly traits: VisitTraits;
}

/**
 * Counts a visit and its first view. The number of trait combinations per day is limited in the account, and thus in
 * each site and page. Visits beyond the limit that came from a link are counted under the source `other`.
 */
export async function beginVisit(
  database: Database,
  { accountId, scopes, pageId, now, traits, ...key }: BegunVisit,
  { maxKinds }: { readonly maxKinds: number },
): Promise<void> {
  const { day } = key;
  const inAccount = { scope: accountId, day, ...traits };
  const isKept = await hasRoom(database, "visitDay", { key: inAccount, max: maxKinds });
  const kind = isKept ? traits : ofOtherSource(traits);
  await addVisits(
    database,
    { ...kind, day },
    {
      place: { scope: pageId, views: 1, visits: 1, entries: 1, exits: 1, bounces: 1 },
      around: scopes.map((scope) => ({ scope, views: 1, visits: 1, entries: 0, exits: 0, bounces: 1 })),
    },
  );
  await putRow(database, "openVisit", { key, set: { ...kind, pageId, seen: pageId, views: 1, seenAt: now } });
}

const NO_CAMPAIGN = { medium: "", campaign: "", term: "", content: "" };

function ofOtherSource(traits: VisitTraits): VisitTraits {
  return { ...traits, ...NO_CAMPAIGN, source: traits.source === "direct" ? "direct" : "other" };
}

/** Counts a form submission during a visit; repeated ones count as one visit. */
export async function addGoal(database: Database, visit: OpenVisit, formId: string): Promise<void> {
  const isKnown = visit.seen.split(" ").includes(formId);
  const place = { scope: formId, views: 1, visits: isKnown ? 0 : 1, entries: 0, exits: 0, bounces: 0 };
  await addVisits(database, visit, { place });
  const { day, visitor, siteId } = visit;
  const match = { day, visitor, siteId };
  await updateRows(database, "openVisit", { match, set: { seen: `${visit.seen} ${formId}` } });
}

/** Ends a visitor's visits, so that the next view starts a new one. */
export async function endVisits(database: Database, key: Omit<VisitKey, "siteId">): Promise<void> {
  await deleteRows(database, "openVisit", key);
}

/** Selects visits to read. */
export interface VisitsWanted {
  /** Id of a page, a form, a site or the account. */
  readonly scope: string;
  readonly span: Span;
  readonly traits: Partial<VisitTraits>;
  /** Which visits to count for a page; others count all. */
  readonly counted: "visits" | "entries" | "exits";
}

/** Whether daily totals suffice: no trait filters, and all earlier visits are included. */
async function isSummed(database: Database, traits: Partial<VisitTraits>): Promise<boolean> {
  return Object.keys(traits).length === 0 && !(await hasUnsummed(database));
}

async function tableFor(database: Database, traits: Partial<VisitTraits>): Promise<RawBuilder<unknown>> {
  return sql.table((await isSummed(database, traits)) ? "visitTotal" : "visitDay");
}

/** Returns daily counts, skipping days without visits. */
export async function readVisitDays(database: Database, { scope, span, traits, counted }: VisitsWanted) {
  const query = sql<Pick<VisitNumbers, "views" | "visits" | "bounces"> & { readonly day: number }>`
    select day, sum(views) as views, sum(${sql.ref(counted)}) as visits, sum(bounces) as bounces
    from ${await tableFor(database, traits)}
    where scope = ${scope} and ${isIn(span)} and ${isOfKind(traits)} group by day order by day`;
  return (await query.execute(database)).rows;
}

export async function readVisitTraits(
  database: Database,
  { scope, span, traits, counted }: VisitsWanted,
  { isPlace }: { readonly isPlace: boolean },
): Promise<readonly TraitCount[]> {
  if (!isPlace && (await isSummed(database, traits))) {
    const query = sql<TraitCount>`select trait, value, sum(visits) as visits from visit_trait
      where scope = ${scope} and ${isIn(span)} group by trait, value having sum(visits) > 0`;
    return (await query.execute(database)).rows;
  }
  // Aggregates the days once for all traits.
  const columns = sql.join(VISIT_TRAITS.map((trait) => sql.ref(trait)));
  const counts = VISIT_TRAITS.map(
    (trait) => sql`select ${sql.lit(trait)} as trait, ${sql.ref(trait)} as value, sum(visits) as visits from kinds
      where ${sql.ref(trait)} <> '' group by ${sql.ref(trait)} having sum(visits) > 0`,
  );
  const query = sql<TraitCount>`with kinds as materialized (
    select ${columns}, sum(${sql.ref(counted)}) as visits from visit_day
    where scope = ${scope} and ${isIn(span)} and ${isOfKind(traits)} group by ${columns})
    ${sql.join(counts, sql` union all `)}`;
  return (await query.execute(database)).rows;
}

interface TraitCount {
  readonly trait: VisitTrait;
  readonly value: string;
  readonly visits: number;
}

export interface VisitedPages extends Pick<VisitsWanted, "span" | "traits"> {
  readonly accountId: string;
  readonly siteId: string | undefined;
  readonly limit: number;
}

/** A page or form that was visited, by slug or id. */
interface VisitedPlace {
  readonly value: string;
  readonly name: string;
  readonly visits: number;
}

/** Lists the pages with the most visits, entries and exits. */
export async function readVisitedPages(
  database: Database,
  {
    accountId,
    siteId,
    pageId,
    span,
    traits,
    limit,
  }: VisitedPages & {
    readonly pageId: string | undefined;
  },
): Promise<readonly (VisitedPlace & { readonly counted: VisitsWanted["counted"] })[]> {
  const ofSite = siteId === undefined ? sql`true` : sql`site_id = ${siteId}`;
  const ofPage = pageId === undefined ? sql`true` : sql`id = ${pageId}`;
  const lists = (["visits", "entries", "exits"] as const).map((counted) => {
    const visits = sql.ref(counted);
    return sql`select * from (select ${sql.lit(counted)} as counted, slug as value, title as name, ${visits} as visits
      from counts join page on page.id = counts.scope where ${visits} > 0
      order by ${visits} desc, slug limit ${limit}) as ${sql.ref(`most_${counted}`)}`;
  });
  const query = sql<VisitedPlace & { readonly counted: VisitsWanted["counted"] }>`with counts as materialized (
    select scope, sum(visits) as visits, sum(entries) as entries, sum(exits) as exits
    from ${await tableFor(database, traits)}
    where scope in (select id from page where account_id = ${accountId} and ${ofSite} and ${ofPage})
      and ${isIn(span)} and ${isOfKind(traits)} group by scope)
    ${sql.join(lists, sql` union all `)}`;
  return (await query.execute(database)).rows;
}

/** Counts visits with submissions by form, highest first. */
export async function readGoals(
  database: Database,
  {
    accountId,
    siteId,
    goalId,
    span,
    traits,
    limit,
  }: VisitedPages & {
    /** Only this form. */
    readonly goalId: string | undefined;
  },
): Promise<readonly VisitedPlace[]> {
  const ofSite = siteId === undefined ? sql`true` : sql`page.site_id = ${siteId}`;
  const ofForm = goalId === undefined ? sql`true` : sql`form.id = ${goalId}`;
  const query = sql<VisitedPlace>`
    select form.id as value, form.name || ' on ' || page.title as name, sum(visits) as visits
    from form join page on page.id = form.page_id join ${await tableFor(database, traits)} on scope = form.id
    where form.account_id = ${accountId} and ${ofSite} and ${ofForm} and ${isIn(span)} and ${isOfKind(traits)}
    group by form.id, form.name, page.title having sum(visits) > 0 order by 3 desc, 1 limit ${limit}`;
  return (await query.execute(database)).rows;
}

function isOfKind(traits: Partial<VisitTraits>): RawBuilder<boolean> {
  const given = VISIT_TRAITS.flatMap((trait) =>
    traits[trait] === undefined ? [] : [sql`${sql.ref(trait)} = ${traits[trait]}`],
  );
  return given.length === 0 ? sql`true` : sql`${sql.join(given, sql` and `)}`;
}

function isIn({ from, until }: Span): RawBuilder<boolean> {
  return sql`day >= ${from} and day < ${until}`;
}
