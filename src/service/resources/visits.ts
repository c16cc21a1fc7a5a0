import type { VisitAnalytics } from "../../contract/operations/visitors.ts";
import { VISIT_PAGES, VISIT_TRAITS, type VisitFacet } from "../../contract/visit-traits.ts";
import { ProblemError } from "../http/problem.ts";
import type { Span } from "../store/analytics.ts";
import { readVisitDays, readVisitedPages, readVisitTrait } from "../store/visit-days.ts";
import type { VisitTraits } from "../store/visits.ts";
import { daysOf, getAnalyzedPage } from "./analytics.ts";
import type { Context } from "./context.ts";
import { DAY_MS, parseDayRange, type GivenRange } from "./time-range.ts";

/** What visits must have; a page by its slug or id. */
export type VisitFilter = { readonly [Facet in VisitFacet]?: string | undefined };

export interface VisitsQuery extends GivenRange, VisitFilter {
  readonly siteId?: string | undefined;
}

const COUNTED = { page: "visits", entryPage: "entries", exitPage: "exits" } as const;

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
  const facet = findPageFacet(query);
  const pageId = facet && (await getAnalyzedPage(context, query[facet] ?? "")).id;
  const counted = facet === undefined ? "visits" : COUNTED[facet];
  const wanted = { scope: pageId ?? siteId ?? accountId, span, traits, counted } as const;
  // How many views visits had that began or ended on a page isn't kept.
  const hasViews = counted === "visits";
  const counts = await readVisitDays(reader, wanted);
  const sumOf = (name: "visits" | "views" | "bounces") => counts.reduce((sum, row) => sum + row[name], 0);
  const readTrait = async (trait: (typeof VISIT_TRAITS)[number]) => {
    const rows = await readVisitTrait(reader, wanted, { trait, limit });
    return rows.map(({ value, visits }) => ({ value, name: value, visits }));
  };
  const readPages = async (name: keyof typeof COUNTED) => {
    const pages = { accountId, siteId, pageId, span, traits, counted: COUNTED[name], limit };
    const rows = await readVisitedPages(reader, pages);
    return rows.map(({ slug, title, visits }) => ({ value: slug, name: title, visits }));
  };
  return {
    ...daysOf(span),
    totals: {
      visits: sumOf("visits"),
      views: hasViews ? sumOf("views") : null,
      // Of visits that only passed through a page, or ended there, nothing is known of how they began.
      bounces: facet === undefined || facet === "entryPage" ? Math.max(0, sumOf("bounces")) : null,
    },
    series: listDays(span).map((day) => {
      const { visits = 0, views = 0 } = counts.find((row) => row.day === day) ?? {};
      return { at: new Date(day).toISOString(), visits, views: hasViews ? views : null };
    }),
    source: await readTrait("source"),
    medium: await readTrait("medium"),
    campaign: await readTrait("campaign"),
    term: await readTrait("term"),
    content: await readTrait("content"),
    browser: await readTrait("browser"),
    system: await readTrait("system"),
    device: await readTrait("device"),
    page: await readPages("page"),
    entryPage: await readPages("entryPage"),
    exitPage: await readPages("exitPage"),
  };
}

function findPageFacet(query: VisitFilter): (typeof VISIT_PAGES)[number] | undefined {
  const [first, second] = VISIT_PAGES.filter((name) => query[name] !== undefined);
  if (second === undefined) return first;
  const detail = `can't be given together with ${first}`;
  throw new ProblemError("invalid_query", { errors: [{ pointer: `/query/${second}`, detail }] });
}

function listDays({ from, until }: Span): readonly number[] {
  return Array.from({ length: (until - from) / DAY_MS }, (_, index) => from + index * DAY_MS);
}
