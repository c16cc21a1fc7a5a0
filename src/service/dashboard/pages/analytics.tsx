import { titlesOf } from "../../../contract/fields.ts";
import { pageStatsRecord } from "../../../contract/records.ts";
import { renderLines } from "../../../contract/submission-csv.ts";
import type { AnalyticsSummary, VisitAnalytics } from "../../../contract/operations/visitors.ts";
import { analyzeVisits, nameVisitPlace } from "../../resources/visits.ts";
import { countLeftOut, overviewPages, summarize } from "../../resources/analytics.ts";
import type { Position } from "../../store/keyset.ts";
import { countRows } from "../../store/rows.ts";
import { readSiteNames, type DashboardApp, type DashboardContext } from "../context.ts";
import type { Fields } from "../forms.ts";
import { csvResponse, ExportLink } from "../parts/actions.tsx";
import { CountBar, ViewsChart } from "../parts/charts.tsx";
import { Filter } from "../parts/fields.tsx";
import { COUNT_FORMAT, countOf, Empty, List, type Query, searchOf, Stats, Table, windowOf } from "../parts/lists.tsx";
import { streamPage } from "../parts/page.tsx";
import { CompareLink, daysBefore, RangePicker, rangeQuery, readRange } from "./day-range.tsx";
import { showHeatmap, showLayout } from "./heatmap.tsx";
import { Duration, exportDays, isUnread, Origins, Scroll, showPageAnalytics } from "./page-analytics.tsx";
import {
  bounceRate,
  exportVisits,
  FilterChips,
  FilteredVisits,
  readVisitFilter,
  TOP_VALUES,
  VisitLists,
} from "./visits.tsx";

const TITLES = titlesOf(pageStatsRecord);
const TOP_PAGES = 25;
const EXPORTED_AT_ONCE = 100;

export function registerAnalyticsPages(app: DashboardApp): void {
  app.get("/analytics", showAnalytics);
  app.get("/analytics/pages.csv", exportPages);
  app.get("/analytics/visits.csv", exportVisits);
  app.get("/analytics/:pageId", showPageAnalytics);
  app.get("/analytics/:pageId/days.csv", exportDays);
  app.get("/analytics/:pageId/heatmap", showHeatmap);
  app.get("/analytics/:pageId/layout", showLayout);
}

const SITE_PICKER: Fields = { site: { label: "Site", kind: "choice" } };

/** Shows all pages or those of a site. */
async function showAnalytics(context: DashboardContext): Promise<Response> {
  const { records } = context.var;
  const range = readRange(context);
  const days = rangeQuery(range);
  const sites = await readSiteNames(context);
  const asked = context.req.query("site") ?? "";
  const site = sites.has(asked) ? asked : undefined;
  const query = { from: range.from, to: range.to, siteId: site };
  const filter = readVisitFilter(context);
  const isFiltered = Object.keys(filter).length > 0;
  const compare = context.req.query("compare") === "previous" && !isFiltered ? "previous" : undefined;
  const kept = { ...days, site, compare };
  const actions = (
    <>
      <ExportLink to={`/analytics/visits.csv${searchOf({ ...kept, ...filter })}`} label="Visits as CSV" />
      <ExportLink to={`/analytics/pages.csv${searchOf(kept)}`} label="Pages as CSV" />
    </>
  );
  const readVisits = () => analyzeVisits(records, { ...query, ...filter }, { limit: TOP_VALUES });
  const parts = { query, kept, before: compare && daysBefore(range) };
  // A filter's page or form may not exist, which affects the status.
  const placeName = await nameVisitPlace(records, filter);
  return streamPage(context, { actions }, async () => {
    const [visits, overview] = await Promise.all([readVisits(), isFiltered ? undefined : readOverview(context, parts)]);
    return (
      <>
        {/* With one site there is nothing to choose. */}
        {sites.size > 1 && (
          <Filter
            fields={SITE_PICKER}
            offers={{ site: [["", "All pages"], ...sites] }}
            values={{ site: site ?? "" }}
            kept={{ ...days, compare, ...filter }}
          />
        )}
        <RangePicker range={range} kept={{ site, compare, ...filter }} />
        <FilterChips placeName={placeName} filter={filter} kept={kept} />
        {overview === undefined ? (
          <>
            <FilteredVisits visits={visits} filter={filter} />
            <VisitLists visits={visits} filter={filter} kept={kept} />
          </>
        ) : (
          <AllVisits {...parts} {...overview} visits={visits} />
        )}
      </>
    );
  });
}

interface OverviewParts {
  readonly query: { readonly from: string; readonly to: string; readonly siteId: string | undefined };
  readonly kept: Query;
  readonly before: ReturnType<typeof daysBefore> | undefined;
}

/** Reads the data shown next to the visits without filters. */
async function readOverview(context: DashboardContext, { query, before }: OverviewParts) {
  const { records } = context.var;
  const [pages, views, earlier, leftOut, blogs] = await Promise.all([
    summarize(records, { ...query, sort: "views" }, windowOf(context, TOP_PAGES)),
    overviewPages(records, query),
    before && summarize(records, { ...before, siteId: query.siteId }, { limit: 1 }),
    countLeftOut(records, query),
    countRows(records.reader, "blog", { accountId: records.accountId }),
  ]);
  return { pages, views, earlier, leftOut, hasBlogs: blogs > 0 };
}

type AllVisitsProps = OverviewParts & Awaited<ReturnType<typeof readOverview>> & { readonly visits: VisitAnalytics };

function AllVisits({ kept, before, visits, pages, views, earlier, leftOut, hasBlogs }: AllVisitsProps) {
  const { series, referrers, devices } = views;
  const { compare: _compare, ...others } = kept;
  const { site: _site, ...days } = others;
  return (
    <>
      <CompareLink query={others} before={before} />
      <Stats
        rows={[
          comparedStat("views", pages.totals.views, earlier?.totals.views),
          comparedStat("daily visitors, total", pages.totals.visitors, earlier?.totals.visitors),
          ["visits", visits.totals.visits],
          ["bounce rate", bounceRate(visits.totals)],
          comparedStat("form submissions", pages.totals.submissions, earlier?.totals.submissions),
        ]}
      />
      <LeftOut views={leftOut} />
      <UncountedBlogs hasBlogs={hasBlogs} />
      {pages.data.length === 0 ? (
        <Empty>
          Visits of published pages are counted here, without cookies. <a href="/">Publish your first page</a>.
        </Empty>
      ) : (
        <>
          <ViewsChart steps={series} title="Views by day (UTC)" />
          {/* Views from before there were visits. */}
          {visits.totals.visits === 0 ? (
            <Origins referrers={referrers} devices={devices} />
          ) : (
            <VisitLists visits={visits} filter={{}} kept={kept} />
          )}
          <h2>Pages</h2>
          <List of={{ items: pages.data, next: pages.next }} query={kept} empty="" more="More pages">
            <PageTable pages={pages.data} search={searchOf(days)} />
          </List>
        </>
      )}
    </>
  );
}

/** A labeled count and its change; a dash if there is nothing to compare with. */
function comparedStat(name: string, count: number, before: number | undefined): readonly [string, number] {
  if (before === undefined) return [name, count];
  return [`${name} (${changeOf(count, before)}, before: ${COUNT_FORMAT.format(before)})`, count];
}

function changeOf(count: number, before: number): string {
  if (before === 0) return "–";
  const percent = Math.round((100 * (count - before)) / before);
  return `${percent > 0 ? "+" : percent < 0 ? "−" : "±"}${Math.abs(percent)}%`;
}

const REASONS = { own: "by people signed in here", bot: "by bots", preview: "of previews" } as const;

/** Shows views that aren't counted; nothing if there are none. */
function LeftOut({ views }: { readonly views: Awaited<ReturnType<typeof countLeftOut>> }) {
  const parts = (["own", "bot", "preview"] as const).flatMap((reason) => {
    const count = views.get(reason) ?? 0;
    return count === 0 ? [] : [`${countOf(count, "view")} ${REASONS[reason]}`];
  });
  return parts.length === 0 ? null : <p class="soft">Not counted: {parts.join(", ")}.</p>;
}

/** Only published pages have the script that counts. */
function UncountedBlogs({ hasBlogs }: { readonly hasBlogs: boolean }) {
  if (!hasBlogs) return null;
  return <p class="soft">Views of blogs and posts that the service itself shows aren’t counted.</p>;
}

function PageTable({ pages, search }: { readonly pages: AnalyticsSummary["data"]; readonly search: string }) {
  const top = Math.max(1, ...pages.map(({ views }) => views));
  return (
    <Table
      caption="Pages, most viewed first"
      rows={pages}
      columns={[
        ["Page", ({ id, title }) => <a href={`/analytics/${id}${search}`}>{title}</a>],
        [TITLES.views, ({ views }) => <CountBar count={views} top={top} />],
        [TITLES.visitors, ({ visitors }) => visitors],
        [TITLES.clicks, ({ clicks }) => clicks],
        [TITLES.submissions, ({ submissions }) => submissions],
        [TITLES.avgScroll, (page) => <Scroll of={page} />],
        [TITLES.avgSeconds, (page) => <Duration of={page} />],
      ]}
    />
  );
}

const EXPORTED = ["slug", "title", "views", "visitors", "clicks", "submissions", "avgScroll", "avgSeconds"] as const;

/** Exports the stats of all pages, most viewed first. What no view has reported is empty. */
async function exportPages(context: DashboardContext): Promise<Response> {
  const { records } = context.var;
  const { from, to } = readRange(context);
  const query = { from, to, siteId: context.req.query("site"), sort: "views" } as const;

  async function* lines(): AsyncGenerator<string> {
    yield renderLines([EXPORTED]);
    let after: Position | undefined;
    do {
      const { data, next } = await summarize(records, query, { limit: EXPORTED_AT_ONCE, after });
      yield renderLines(
        data.map((page) =>
          EXPORTED.map((name) => (name.startsWith("avg") && isUnread(page) ? "" : String(page[name]))),
        ),
      );
      after = next;
    } while (after !== undefined);
  }

  return csvResponse(lines(), `pages-${from}-${to}`);
}
