import type { VisitAnalytics } from "../../contract/operations/visitors.ts";
import {
  VISIT_PLACES,
  VISIT_TRAITS,
  type VisitFacet,
  type VisitPlace,
  type VisitTrait,
} from "../../contract/visit-traits.ts";
import { ProblemError } from "../http/problem.ts";
import type { Span } from "../store/analytics.ts";
import type { VisitTraits } from "../store/visit-counts.ts";
import { findViewedPage } from "../store/visits.ts";
import {
  noteGoal,
  readGoals,
  readVisitDays,
  readVisitedPages,
  readVisitTraits,
  type VisitsWanted,
} from "../store/visit-days.ts";
import { findOpenVisitOf, type Visitor } from "./beacon.ts";
import { daysOf, getAnalyzedPage } from "./analytics.ts";
import { getForm } from "./forms.ts";
import type { Context } from "./context.ts";
import { DAY_MS, parseDayRange, type GivenRange } from "./time-range.ts";

/** What visits must have; a page by its slug or id. */
export type VisitFilter = { readonly [Facet in VisitFacet]?: string | undefined };

export interface VisitsQuery extends GivenRange, VisitFilter {
  readonly siteId?: string | undefined;
}

const COUNTED = { page: "visits", entryPage: "entries", exitPage: "exits", goal: "visits" } as const;

/** The visits of a site, of a page or of the account, with the most frequent values of what they have in common. */
export async function analyzeVisits(
  context: Context,
  query: VisitsQuery,
  { limit }: { readonly limit: number },
): Promise<VisitAnalytics> {
  const { reader, accountId, now } = context;
  const { siteId } = query;
  const span = parseDayRange(query, now);
  const traits: Partial<VisitTraits> = Object.fromEntries(
    VISIT_TRAITS.flatMap((trait) => (query[trait] === undefined ? [] : [[trait, query[trait]]])),
  );
  const { place, pageId, goalId } = await findVisitPlace(context, query);
  const counted = place === undefined ? "visits" : COUNTED[place.facet];
  const all = { scope: siteId ?? accountId, span, traits, counted: "visits" } as const;
  const wanted = place === undefined ? all : { ...all, scope: pageId ?? goalId ?? "", counted };
  // How many views visits had that began or ended on a page, or sent a form, isn't kept.
  const hasViews = place === undefined || place.facet === "page";
  const days = await readVisitDays(reader, wanted);
  const sumOf = (name: "visits" | "views" | "bounces") => days.reduce((sum, row) => sum + row[name], 0);
  const counts = await readVisitTraits(reader, wanted, { isPlace: place !== undefined });
  const listTrait = (trait: VisitTrait) =>
    mostOf(
      counts.filter((row) => row.trait === trait).map(({ value, visits }) => ({ value, name: value, visits })),
      limit,
    );
  const within = { accountId, siteId, span, traits, limit };
  // Which pages visits saw that sent a form isn't kept.
  const pages = goalId === undefined ? await readVisitedPages(reader, { ...within, pageId }) : [];
  const listPlaces = (name: VisitsWanted["counted"]) =>
    mostOf(
      pages.filter((page) => page.counted === name).map(({ value, name, visits }) => ({ value, name, visits })),
      limit,
    );
  return {
    ...daysOf(span),
    totals: {
      visits: sumOf("visits"),
      all: place === undefined ? sumOf("visits") : await countVisits(context, all),
      views: hasViews ? sumOf("views") : null,
      // Of visits that only passed through a page, or ended there, nothing is known of how they began.
      bounces: place === undefined || place.facet === "entryPage" ? Math.max(0, sumOf("bounces")) : null,
    },
    series: listDays(span).map((day) => {
      const { visits = 0, views = 0 } = days.find((row) => row.day === day) ?? {};
      return { at: new Date(day).toISOString(), visits, views: hasViews ? views : null };
    }),
    source: listTrait("source"),
    medium: listTrait("medium"),
    campaign: listTrait("campaign"),
    term: listTrait("term"),
    content: listTrait("content"),
    browser: listTrait("browser"),
    system: listTrait("system"),
    device: listTrait("device"),
    page: listPlaces("visits"),
    entryPage: listPlaces("entries"),
    exitPage: listPlaces("exits"),
    goal: pageId === undefined ? [...(await readGoals(reader, { ...within, goalId }))] : [],
  };
}

type Listed = VisitAnalytics["source"];

/** Those of most visits, which have at least one. */
function mostOf(counted: Listed, limit: number): Listed {
  return counted
    .filter(({ visits }) => visits > 0)
    .toSorted((one, other) => other.visits - one.visits || (one.value < other.value ? -1 : 1))
    .slice(0, limit);
}

async function countVisits({ reader }: Context, wanted: VisitsWanted): Promise<number> {
  return (await readVisitDays(reader, wanted)).reduce((sum, { visits }) => sum + visits, 0);
}

/** The page or form that visits must have; throws where what is named doesn't exist. */
export async function findVisitPlace(context: Context, query: VisitFilter) {
  const place = findPlace(query);
  const pageId =
    place === undefined || place.facet === "goal" ? undefined : (await getAnalyzedPage(context, place.name)).id;
  const goalId = place?.facet === "goal" ? (await getForm(context, place.name)).id : undefined;
  return { place, pageId, goalId };
}

interface Place {
  readonly facet: VisitPlace;
  readonly name: string;
}

function findPlace(query: VisitFilter): Place | undefined {
  const [first, second] = VISIT_PLACES.flatMap((facet) => {
    const name = query[facet];
    return name === undefined ? [] : [{ facet, name }];
  });
  if (second === undefined) return first;
  const detail = `can't be given together with ${first?.facet}`;
  throw new ProblemError("invalid_query", { errors: [{ pointer: `/query/${second.facet}`, detail }] });
}

/** Counts a form that was sent for the visit in which it was; of who isn't counted, such as a bot, there is none. */
export async function recordGoal(
  context: Context,
  { formId, pageId, visitor }: { readonly formId: string; readonly pageId: string; readonly visitor: Visitor },
): Promise<void> {
  const { database } = context;
  const page = await findViewedPage(database, pageId);
  const visit = page && (await findOpenVisitOf(context, visitor, page));
  if (visit !== undefined) await noteGoal(database, visit, formId);
}

function listDays({ from, until }: Span): readonly number[] {
  return Array.from({ length: (until - from) / DAY_MS }, (_, index) => from + index * DAY_MS);
}
