// Analytics of a page, and components for reading and referrer stats.
import { renderLines } from "../../../contract/submission-csv.ts";
import type { AnalyticsSummary, PageAnalytics, VisitAnalytics } from "../../../contract/operations/visitors.ts";
import { analyzePage, getAnalyzedPage, type Overview } from "../../resources/analytics.ts";
import { analyzeVisits } from "../../resources/visits.ts";
import { paramOf, type DashboardContext } from "../context.ts";
import { ButtonLink, csvResponse, ExportLink } from "../parts/actions.tsx";
import { Shares, ViewsChart } from "../parts/charts.tsx";
import { searchOf, Stats } from "../parts/lists.tsx";
import { streamPage } from "../parts/page.tsx";
import { RangePicker, rangeQuery, readRange } from "./day-range.tsx";
import { FilterChips, FilteredVisits, readVisitFilter, TOP_VALUES, VisitLists } from "./visits.tsx";

type Reading = Pick<AnalyticsSummary["data"][number], "avgScroll" | "avgSeconds">;

/** Whether no view has reported how it was read: any report includes at least a part of the page. */
export function isUnread({ avgScroll, avgSeconds }: Reading): boolean {
  return avgScroll === 0 && avgSeconds === 0;
}

/** Average scroll depth; a dash if no view has reported it. */
export function Scroll({ of }: { readonly of: Reading }) {
  return <span class="number">{isUnread(of) ? "–" : `${Math.round(of.avgScroll)}%`}</span>;
}

/** Average reading time in minutes and seconds; a dash if no view has reported it. */
export function Duration({ of }: { readonly of: Reading }) {
  const whole = Math.round(of.avgSeconds);
  const minutes = Math.floor(whole / 60);
  const text = minutes === 0 ? `${whole}\u00A0s` : `${minutes}\u00A0min ${whole % 60}\u00A0s`;
  return <span class="number">{isUnread(of) ? "–" : text}</span>;
}

/** Shows the views, visitors and reading stats of a page. */
export async function showPageAnalytics(context: DashboardContext): Promise<Response> {
  const range = readRange(context);
  const span = { from: range.from, to: range.to };
  const { records } = context.var;
  const page = await getAnalyzedPage(records, paramOf(context, "pageId"));
  const { page: _page, entryPage: _entry, exitPage: _exit, goal: _goal, ...filter } = readVisitFilter(context);
  const days = rangeQuery(range);
  const search = searchOf(days);
  const path = `/analytics/${page.id}`;
  const isFiltered = Object.keys(filter).length > 0;
  const actions = (
    <>
      <ButtonLink to={`${path}/heatmap${search}`} label="Clicks and scrolling" />
      <ExportLink
        to={`/analytics/visits.csv${searchOf({ ...days, ...filter, page: page.id })}`}
        label="Visits as CSV"
      />
      <ExportLink to={`${path}/days.csv${search}`} label="Days as CSV" />
    </>
  );
  const parent = { title: "Analytics", path: `/analytics${search}` };
  return streamPage(context, { title: page.title, parent, actions }, async () => {
    const [visits, analysis] = await Promise.all([
      analyzeVisits(records, { ...span, ...filter, page: page.id }, { limit: TOP_VALUES }),
      isFiltered ? undefined : analyzePage(records, page.id, span),
    ]);
    return (
      <>
        <p class="soft">
          <a href={`/edit/${page.id}`}>The page</a> <code>{page.slug}</code>
        </p>
        <RangePicker range={range} kept={filter} />
        <FilterChips filter={filter} kept={days} />
        {analysis === undefined ? (
          <FilteredVisits visits={visits} filter={filter} />
        ) : (
          <PageViews analysis={analysis} visits={visits} />
        )}
        {analysis !== undefined && visits.totals.visits === 0 ? (
          <Origins referrers={analysis.referrers} devices={analysis.devices} />
        ) : (
          <VisitLists visits={visits} filter={filter} kept={days} without="places" />
        )}
      </>
    );
  });
}

interface PageViewsProps {
  readonly analysis: PageAnalytics;
  readonly visits: VisitAnalytics;
}

function PageViews({ analysis: { totals, series }, visits }: PageViewsProps) {
  return (
    <>
      <Stats
        rows={[
          ["views", totals.views],
          ["daily visitors, total", totals.visitors],
          ["visits that began here", visits.entryPage[0]?.visits ?? 0],
          ["visits that ended here", visits.exitPage[0]?.visits ?? 0],
          ["clicks", totals.clicks],
          ["form submissions", totals.submissions],
          ["average scroll depth", <Scroll of={totals} />],
          ["average time on page", <Duration of={totals} />],
        ]}
      />
      <ViewsChart steps={series} title="Views by day (UTC)" />
    </>
  );
}

export function Origins({ referrers, devices }: Pick<Overview, "referrers" | "devices">) {
  const used = Object.entries(devices)
    .map(([name, count]) => ({ name, count }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
  return (
    <div class="halves">
      <section>
        <h2>Referrers</h2>
        <Shares
          rows={referrers.map(({ host, views }) => ({ name: host, count: views }))}
          empty="No one followed a link from another site."
        />
      </section>
      <section>
        <h2>Devices</h2>
        <Shares rows={used} empty="No visits." />
      </section>
    </div>
  );
}

/** Exports a page's stats by day. */
export async function exportDays(context: DashboardContext): Promise<Response> {
  const { from, to } = readRange(context);
  const { page, series } = await analyzePage(context.var.records, paramOf(context, "pageId"), { from, to });
  const rows = series.map(({ at, views, visitors }) => [at.slice(0, 10), String(views), String(visitors)]);
  return csvResponse([renderLines([["day", "views", "visitors"], ...rows])], `${page.slug}-${from}-${to}`);
}
