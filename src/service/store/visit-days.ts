import { sql, type RawBuilder } from "kysely";
import type { VisitTrait } from "../../contract/visit-traits.ts";
import type { Span } from "./analytics.ts";
import { countRows } from "./rows.ts";
import type { Database } from "./tables.ts";
import { addVisits, isOfKind, type VisitedPage, type VisitKey, type VisitNumbers, type VisitTraits } from "./visits.ts";

// What runs when a visit begins, and what is read of them; `visits.ts` has what runs with every view.

export interface BegunVisit extends VisitKey, VisitedPage {
  readonly accountId: string;
  readonly traits: VisitTraits;
}

/**
 * Counts a visit and its first view. The visits of a day are of at most so many kinds in the account, and so of a site
 * and a page; others that a link brought are those of the source `other`.
 */
export async function beginVisit(
  database: Database,
  { accountId, scopes, pageId, now, traits, ...key }: BegunVisit,
  { maxKinds }: { readonly maxKinds: number },
): Promise<void> {
  const { day } = key;
  const kind = (await hasRoom(database, { accountId, day, traits }, maxKinds)) ? traits : ofOtherSource(traits);
  await addVisits(database, { ...kind, day }, [
    { scope: pageId, views: 1, visits: 1, entries: 1, exits: 1, bounces: 1 },
    ...scopes.map((scope) => ({ scope, views: 1, visits: 1, entries: 0, exits: 0, bounces: 1 })),
  ]);
  const visit = { ...kind, pageId, seen: pageId, views: 1, seenAt: now };
  await database
    .insertInto("openVisit")
    .values({ ...key, ...visit })
    .onConflict((conflict) => conflict.columns(["day", "visitor", "siteId"]).doUpdateSet(visit))
    .execute();
}

async function hasRoom(
  database: Database,
  { accountId, day, traits }: { readonly accountId: string; readonly day: number; readonly traits: VisitTraits },
  maxKinds: number,
): Promise<boolean> {
  const known = sql`select 1 from visit_day where scope = ${accountId} and day = ${day} and ${isOfKind(traits)}`;
  if ((await known.execute(database)).rows.length > 0) return true;
  return (await countRows(database, "visitDay", { scope: accountId, day })) < maxKinds;
}

const NO_CAMPAIGN = { medium: "", campaign: "", term: "", content: "" };

function ofOtherSource(traits: VisitTraits): VisitTraits {
  return { ...traits, ...NO_CAMPAIGN, source: traits.source === "direct" ? "direct" : "other" };
}

/** Lets the next view of a visitor begin a visit. */
export async function endVisits(database: Database, { day, visitor }: Omit<VisitKey, "siteId">): Promise<void> {
  await database.deleteFrom("openVisit").where("day", "=", day).where("visitor", "=", visitor).execute();
}

/** Which visits are read. */
export interface VisitsWanted {
  /** Id of a page, a site or the account. */
  readonly scope: string;
  readonly span: Span;
  readonly traits: Partial<VisitTraits>;
  /** Which of the visits to a page; of others all. */
  readonly counted: "visits" | "entries" | "exits";
}

/** Their numbers by day, the days without any left out. */
export async function readVisitDays(
  database: Database,
  { scope, span, traits, counted }: VisitsWanted,
): Promise<readonly (Pick<VisitNumbers, "views" | "visits" | "bounces"> & { readonly day: number })[]> {
  const query = sql<Pick<VisitNumbers, "views" | "visits" | "bounces"> & { readonly day: number }>`
    select day, sum(views) as views, sum(${sql.ref(counted)}) as visits, sum(bounces) as bounces from visit_day
    where scope = ${scope} and ${isIn(span)} and ${isOfKind(traits)} group by day order by day`;
  return (await query.execute(database)).rows;
}

/** How many visits have each value of a trait, most first. */
export async function readVisitTrait(
  database: Database,
  { scope, span, traits, counted }: VisitsWanted,
  { trait, limit }: { readonly trait: VisitTrait; readonly limit: number },
): Promise<readonly { readonly value: string; readonly visits: number }[]> {
  const [column, sum] = [sql.ref(trait), sql`sum(${sql.ref(counted)})`];
  const query = sql<{ readonly value: string; readonly visits: number }>`
    select ${column} as value, ${sum} as visits from visit_day
    where scope = ${scope} and ${isIn(span)} and ${isOfKind(traits)} and ${column} <> ''
    group by ${column} having ${sum} > 0 order by 2 desc, 1 limit ${limit}`;
  return (await query.execute(database)).rows;
}

export interface VisitedPages extends Pick<VisitsWanted, "span" | "traits" | "counted"> {
  readonly accountId: string;
  readonly siteId: string | undefined;
  /** Only this page. */
  readonly pageId: string | undefined;
  readonly limit: number;
}

/** How many visits came to pages, began or ended there, most first. */
export async function readVisitedPages(
  database: Database,
  { accountId, siteId, pageId, span, traits, counted, limit }: VisitedPages,
): Promise<readonly { readonly slug: string; readonly title: string; readonly visits: number }[]> {
  const ofSite = siteId === undefined ? sql`true` : sql`site_id = ${siteId}`;
  const ofPage = pageId === undefined ? sql`true` : sql`id = ${pageId}`;
  const sum = sql`sum(${sql.ref(counted)})`;
  const query = sql<{ readonly slug: string; readonly title: string; readonly visits: number }>`
    select page.slug as slug, page.title as title, seen.visits as visits from (
      select scope, ${sum} as visits from visit_day
      where scope in (select id from page where account_id = ${accountId} and ${ofSite} and ${ofPage})
        and ${isIn(span)} and ${isOfKind(traits)}
      group by scope having ${sum} > 0 order by 2 desc, 1 limit ${limit}) as seen
    join page on page.id = seen.scope order by seen.visits desc, page.slug`;
  return (await query.execute(database)).rows;
}

function isIn({ from, until }: Span): RawBuilder<boolean> {
  return sql`day >= ${from} and day < ${until}`;
}
