import type { VisitAnalytics } from "../../../contract/operations/visitors.ts";
import { VISIT_FACETS, VISIT_PLACES, type VisitFacet } from "../../../contract/visit-traits.ts";
import { renderLines } from "../../../contract/submission-csv.ts";
import { analyzeVisits, type VisitFilter } from "../../resources/visits.ts";
import { readSiteNames, type DashboardContext } from "../context.ts";
import { csvResponse } from "../parts/actions.tsx";
import { Shares, ViewsChart } from "../parts/charts.tsx";
import { COUNT_FORMAT, type Query, searchOf, Stats } from "../parts/lists.tsx";
import { readRange } from "./day-range.tsx";
import { goalTitle } from "../parts/titles.ts";

/** Maximum number of values shown in a list; the export has more. */
export const TOP_VALUES = 10;
const EXPORTED_VALUES = 1000;

const LISTS: Readonly<Record<VisitFacet, readonly [title: string, name: string]>> = {
  source: ["Sources", "Source"],
  campaign: ["Campaigns", "Campaign"],
  medium: ["Mediums", "Medium"],
  term: ["Terms", "Term"],
  content: ["Contents", "Content"],
  page: ["Top pages", "Page"],
  entryPage: ["Entry pages", "Entry page"],
  exitPage: ["Exit pages", "Exit page"],
  browser: ["Browsers", "Browser"],
  system: ["Systems", "System"],
  device: ["Devices", "Device"],
  goal: ["Goals: forms sent", "Form sent"],
};

const ORDER = Object.keys(LISTS).flatMap((name) => VISIT_FACETS.filter((facet) => facet === name));

const CONVERSIONS: ReadonlySet<VisitFacet> = new Set(["goal", "page"]);
const WHERE_ANY: ReadonlySet<VisitFacet> = new Set(["goal", "campaign", "medium", "term", "content"]);
const PLACES: ReadonlySet<VisitFacet> = new Set(VISIT_PLACES);

/** Reads the filters in the URL; of several pages and goals, only the first. */
export function readVisitFilter({ req }: DashboardContext): VisitFilter {
  const given = VISIT_FACETS.flatMap((facet) => {
    const value = req.query(facet) ?? "";
    return value === "" ? [] : [[facet, value] as const];
  });
  const place = given.find(([facet]) => PLACES.has(facet));
  return Object.fromEntries(given.filter((each) => each === place || !PLACES.has(each[0])));
}

export interface FilterChipsProps extends Pick<VisitListsProps, "filter" | "kept"> {
  /** Name of the page or form that visits are filtered by. */
  readonly placeName?: string | undefined;
}

/** The active filters, each with a link to remove it; `kept` contains the URL's other parameters. */
export function FilterChips({ placeName, filter, kept }: FilterChipsProps) {
  const chosen = VISIT_FACETS.flatMap((facet) => {
    const value = filter[facet];
    return value === undefined ? [] : [{ facet, value: (PLACES.has(facet) ? placeName : undefined) ?? value }];
  });
  if (chosen.length === 0) return null;
  return (
    <p class="chips">
      <span class="soft">Only visits with</span>
      {chosen.map(({ facet, value }) => (
        <a
          class="button quiet"
          href={searchOf({ ...kept, ...filter, [facet]: undefined })}
          aria-label={`Remove the filter ${LISTS[facet][1]}: ${nameOf(facet, value)}`}
        >
          {LISTS[facet][1]}: {nameOf(facet, value)} <span aria-hidden="true">✕</span>
        </a>
      ))}
      {chosen.length > 1 && <a href={searchOf(kept)}>Clear all</a>}
    </p>
  );
}

function nameOf(facet: VisitFacet, name: string): string {
  if (facet === "goal") return goalTitle(name);
  return facet === "source" && name === "direct" ? "Direct or unknown" : name;
}

export interface VisitListsProps {
  readonly visits: VisitAnalytics;
  readonly filter: VisitFilter;
  readonly kept: Query;
  /** Default: all lists. */
  readonly without?: "places";
}

/** Lists visits by source, place and device; each value links to its visits. */
export function VisitLists({ visits, filter, kept, without }: VisitListsProps) {
  const hasPlace = without === "places" || VISIT_PLACES.some((facet) => filter[facet] !== undefined);
  const shown = ORDER.filter((facet) => !(hasPlace && PLACES.has(facet))).filter(
    (facet) => !WHERE_ANY.has(facet) || visits[facet].length > 0,
  );
  return (
    <>
      <p class="soft">Visits by source, page, and device. Choose a value to filter by it.</p>
      <div class="halves">
        {shown.map((facet) => (
          <section>
            <h2>{LISTS[facet][0]}</h2>
            <Shares
              rows={visits[facet].map(({ value, name, visits: count }) => ({
                name: nameOf(facet, name),
                count,
                note: CONVERSIONS.has(facet) ? shareOf(count, visits.totals.all) : undefined,
                path: searchOf({ ...kept, ...filter, [facet]: value }),
              }))}
              empty="No visits."
            />
          </section>
        ))}
      </div>
    </>
  );
}

/** Formats a share of visits; a dash if there are none. */
function shareOf(count: number, all: number): string {
  return all === 0 ? "–" : `${COUNT_FORMAT.format(Math.round((1000 * count) / all) / 10)}%`;
}

/** Shows the number of filtered visits, in total and by day. */
export function FilteredVisits({ visits: { totals, series }, filter }: Pick<VisitListsProps, "visits" | "filter">) {
  const isPlace = VISIT_PLACES.some((facet) => filter[facet] !== undefined);
  const { visits, views, all } = totals;
  const perVisit = views === null || visits === 0 ? "–" : (views / visits).toFixed(1);
  const steps = series.map((step) => ({ at: step.at, views: step.views, visitors: step.visits }));
  return (
    <>
      <Stats
        rows={[
          ["visits", visits],
          ...(isPlace ? [["conversion rate", shareOf(visits, all)] as const] : []),
          ...(views === null
            ? []
            : ([
                ["views", views],
                ["views per visit", perVisit],
              ] as const)),
          ...(totals.bounces === null ? [] : ([["bounce rate", bounceRate(totals)]] as const)),
        ]}
      />
      <ViewsChart steps={steps} title={views === null ? "Visits by day (UTC)" : "Views by day (UTC)"} counted="visit" />
    </>
  );
}

/** Formats the share of visits with a single page; a dash if unknown. */
export function bounceRate({ visits, bounces }: VisitAnalytics["totals"]): string {
  return bounces === null || visits === 0 ? "–" : `${COUNT_FORMAT.format(Math.round((100 * bounces) / visits))}%`;
}

/** Exports all lists as one table. */
export async function exportVisits(context: DashboardContext): Promise<Response> {
  const { from, to } = readRange(context);
  const asked = context.req.query("site") ?? "";
  const siteId = (await readSiteNames(context)).has(asked) ? asked : undefined;
  const query = { from, to, siteId, ...readVisitFilter(context) };
  const visits = await analyzeVisits(context.var.records, query, { limit: EXPORTED_VALUES });
  const rows = ORDER.flatMap((facet) =>
    visits[facet].map(({ value, name, visits: count }) => [facet, value, name, String(count)]),
  );
  return csvResponse([renderLines([["list", "value", "name", "visits"], ...rows])], `visits-${from}-${to}`);
}
