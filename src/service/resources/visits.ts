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
  addGoal,
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

/** Filters for visits; a page by slug or id. */
export type VisitFilter = { readonly [Facet in VisitFacet]?: string | undefined };

export interface VisitsQuery extends GivenRange, VisitFilter {
  readonly siteId?: string | undefined;
}

const COUNTED = { page: "visits", entryPage: "entries", exitPage: "exits", goal: "visits" } as const;

/** Returns the visits of a site, a page or the account, with the most frequent values of each trait. */
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
  // Views aren't stored for visits that started or ended on a page, or submitted a form.
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
  // Pages aren't stored for visits that submitted a form.
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
      // Visits that passed through or ended on a page don't record how they started.
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

/** Returns the entries with the most visits, at least one. */
function mostOf(counted: Listed, limit: number): Listed {
  return counted
    .filter(({ visits }) => visits > 0)
    .toSorted((one, other) => other.visits - one.visits || (one.value < other.value ? -1 : 1))
    .slice(0, limit);
}

async function countVisits({ reader }: Context, wanted: VisitsWanted): Promise<number> {
  return (await readVisitDays(reader, wanted)).reduce((sum, { visits }) => sum + visits, 0);
}

/** Returns the page or form of a filter. Throws if it doesn't exist. */
export async function findVisitPlace(context: Context, query: VisitFilter) {
  const place = findPlace(query);
  const page = place === undefined || place.facet === "goal" ? undefined : await getAnalyzedPage(context, place.name);
  const form = place?.facet === "goal" ? await getForm(context, place.name) : undefined;
  return { place, pageId: page?.id, goalId: form?.id, page, form };
}

/** Returns the name of a filter's page or form, as in the lists of visits, also if no visit has it. */
export async function nameVisitPlace(context: Context, query: VisitFilter): Promise<string | undefined> {
  const { page, form } = await findVisitPlace(context, query);
  return form === undefined ? page?.title : `${form.name} on ${(await getAnalyzedPage(context, form.pageId)).title}`;
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
  const detail = `can't be combined with ${first?.facet}`;
  throw new ProblemError("invalid_query", { errors: [{ pointer: `/query/${second.facet}`, detail }] });
}

/** Counts a form submission for its visit. Senders who aren't counted, such as bots, have no visit. */
export async function recordGoal(
  context: Context,
  { formId, pageId, visitor }: { readonly formId: string; readonly pageId: string; readonly visitor: Visitor },
): Promise<void> {
  const { database } = context;
  const page = await findViewedPage(database, pageId);
  const visit = page && (await findOpenVisitOf(context, visitor, page));
  if (visit !== undefined) await addGoal(database, visit, formId);
}

function listDays({ from, until }: Span): readonly number[] {
  return Array.from({ length: (until - from) / DAY_MS }, (_, index) => from + index * DAY_MS);
}
