import { titlesOf } from "../../../contract/fields.ts";
import { pageStatsRecord } from "../../../contract/records.ts";
import { renderLines } from "../../../contract/submission-csv.ts";
import type { AnalyticsSummary, VisitAnalytics } from "../../../contract/operations/visitors.ts";
import { analyzeVisits } from "../../resources/visits.ts";
import { analyzePage, countLeftOut, overviewPages, summarize } from "../../resources/analytics.ts";
import type { Position } from "../../store/keyset.ts";
import { newest, paramOf, readSiteNames, type DashboardApp, type DashboardContext } from "../context.ts";
import type { Fields } from "../forms.ts";
import { ButtonLink, csvResponse, ExportLink } from "../parts/actions.tsx";
import { CountBar, Shares, ViewsChart } from "../parts/charts.tsx";
import { Filter } from "../parts/fields.tsx";
import { COUNT_FORMAT, countOf, Empty, List, type Query, searchOf, Stats, Table, windowOf } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";
import { CompareLink, daysBefore, RangePicker, rangeQuery, readRange } from "./day-range.tsx";
import { showHeatmap, showLayout } from "./heatmap.tsx";
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

/** What visitors did: on all pages, on one page, and where on it. */
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

/** All pages, or those of a site. */
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
  const visits = await analyzeVisits(records, { ...query, ...filter }, { limit: TOP_VALUES });
  const compare = context.req.query("compare") === "previous" && !isFiltered ? "previous" : undefined;
  const kept = { ...days, site, compare };
  return renderPage(
    context,
    {
      actions: (
        <>
          <ExportLink to={`/analytics/visits.csv${searchOf({ ...kept, ...filter })}`} label="Visits as CSV" />
          <ExportLink to={`/analytics/pages.csv${searchOf(kept)}`} label="Pages as CSV" />
        </>
      ),
    },
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
      <FilterChips visits={visits} filter={filter} kept={kept} />
      {isFiltered ? (
        <>
          <FilteredVisits visits={visits} filter={filter} />
          <VisitLists visits={visits} filter={filter} kept={kept} />
        </>
      ) : (
        await renderOverview(context, { query, kept, visits, before: compare && daysBefore(range) })
      )}
    </>,
  );
}

interface OverviewParts {
  readonly query: { readonly from: string; readonly to: string; readonly siteId: string | undefined };
  readonly kept: Query;
  readonly visits: VisitAnalytics;
  readonly before: ReturnType<typeof daysBefore> | undefined;
}

/** All views and visits, and the pages. */
async function renderOverview(context: DashboardContext, { query, kept, visits, before }: OverviewParts) {
  const { records } = context.var;
  const pages = await summarize(records, { ...query, sort: "views" }, windowOf(context, TOP_PAGES));
  const { series, referrers, devices } = await overviewPages(records, query);
  const earlier = before && (await summarize(records, { ...before, siteId: query.siteId }, newest(1)));
  const { compare: _compare, ...others } = kept;
  const { site: _site, ...days } = others;
  return (
    <>
      <CompareLink query={others} before={before} />
      <Stats
        rows={[
          comparedStat("views", pages.totals.views, earlier?.totals.views),
          comparedStat("daily visitors, summed up", pages.totals.visitors, earlier?.totals.visitors),
          ["visits", visits.totals.visits],
          ["bounce rate", bounceRate(visits.totals)],
          comparedStat("form submissions", pages.totals.submissions, earlier?.totals.submissions),
        ]}
      />
      <LeftOut views={await countLeftOut(records, query)} />
      {pages.data.length === 0 ? (
        <Empty>No page is published yet. Visits of published pages are counted here, without cookies.</Empty>
      ) : (
        <>
          <ViewsChart steps={series} title="Views by day" />
          {/* Views from before there were visits. */}
          {visits.totals.visits === 0 ? (
            <Origins referrers={referrers} devices={devices} />
          ) : (
            <VisitLists visits={visits} filter={{}} kept={kept} />
          )}
          <h2>Pages</h2>
          <List of={{ items: pages.data, next: pages.next }} query={kept} empty="">
            <PageTable pages={pages.data} search={searchOf(days)} />
          </List>
        </>
      )}
    </>
  );
}

/** A number with its name, and how it changed; a dash where there was nothing to compare with. */
function comparedStat(name: string, count: number, before: number | undefined): readonly [string, number] {
  if (before === undefined) return [name, count];
  return [`${name} (${changeOf(count, before)}, before: ${COUNT_FORMAT.format(before)})`, count];
}

function changeOf(count: number, before: number): string {
  if (before === 0) return "–";
  const percent = Math.round((100 * (count - before)) / before);
  return `${percent > 0 ? "+" : percent < 0 ? "−" : "±"}${Math.abs(percent)} %`;
}

const REASONS = { own: "by people signed in here", bot: "by bots", preview: "of previews" } as const;

/** Views that are in none of the numbers; nothing where there are none. */
function LeftOut({ views }: { readonly views: Awaited<ReturnType<typeof countLeftOut>> }) {
  const parts = (["own", "bot", "preview"] as const).flatMap((reason) => {
    const count = views.get(reason) ?? 0;
    return count === 0 ? [] : [`${countOf(count, "view")} ${REASONS[reason]}`];
  });
  return parts.length === 0 ? null : <p class="soft">Not counted: {parts.join(", ")}.</p>;
}

function Origins({ referrers, devices }: Pick<Awaited<ReturnType<typeof overviewPages>>, "referrers" | "devices">) {
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
          empty="Nobody followed a link from another site."
        />
      </section>
      <section>
        <h2>Devices</h2>
        <Shares rows={used} empty="No visits." />
      </section>
    </div>
  );
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

type Reading = Pick<AnalyticsSummary["data"][number], "avgScroll" | "avgSeconds">;

// Whoever reported anything saw at least a part of the page.
function isUnknown({ avgScroll, avgSeconds }: Reading): boolean {
  return avgScroll === 0 && avgSeconds === 0;
}

/** How far people read; a dash where nobody has reported it yet. */
function Scroll({ of }: { readonly of: Reading }) {
  return <span class="number">{isUnknown(of) ? "–" : `${Math.round(of.avgScroll)} %`}</span>;
}

/** How long people stay, in minutes and seconds; a dash where nobody has reported it yet. */
function Duration({ of }: { readonly of: Reading }) {
  const whole = Math.round(of.avgSeconds);
  const minutes = Math.floor(whole / 60);
  const text = minutes === 0 ? `${whole} s` : `${minutes} min ${whole % 60} s`;
  return <span class="number">{isUnknown(of) ? "–" : text}</span>;
}

/** One page: how often it was viewed, by whom and how far. */
async function showPageAnalytics(context: DashboardContext): Promise<Response> {
  const range = readRange(context);
  const span = { from: range.from, to: range.to };
  const { records } = context.var;
  const analysis = await analyzePage(records, paramOf(context, "pageId"), span);
  const { page, totals, series, referrers, devices } = analysis;
  const { page: _page, entryPage: _entry, exitPage: _exit, goal: _goal, ...filter } = readVisitFilter(context);
  const visits = await analyzeVisits(records, { ...span, ...filter, page: page.id }, { limit: TOP_VALUES });
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
  return renderPage(
    context,
    { title: page.title, parent: { title: "Analytics", path: `/analytics${search}` }, actions },
    <>
      <p class="soft">
        <a href={`/edit/${page.id}`}>The page</a> <code>{page.slug}</code>
      </p>
      <RangePicker range={range} kept={filter} />
      <FilterChips visits={visits} filter={filter} kept={days} />
      {isFiltered ? (
        <FilteredVisits visits={visits} filter={filter} />
      ) : (
        <>
          <Stats
            rows={[
              ["views", totals.views],
              ["daily visitors, summed up", totals.visitors],
              ["visits began here", visits.entryPage[0]?.visits ?? 0],
              ["visits ended here", visits.exitPage[0]?.visits ?? 0],
              ["clicks", totals.clicks],
              ["form submissions", totals.submissions],
              ["read on average", <Scroll of={totals} />],
              ["on average", <Duration of={totals} />],
            ]}
          />
          <ViewsChart steps={series} title="Views by day" />
        </>
      )}
      {visits.totals.visits === 0 && !isFiltered ? (
        <Origins referrers={referrers} devices={devices} />
      ) : (
        <VisitLists visits={visits} filter={filter} kept={days} without="places" />
      )}
    </>,
  );
}

const EXPORTED = ["slug", "title", "views", "visitors", "clicks", "submissions", "avgScroll", "avgSeconds"] as const;

/** All pages with their numbers, the most viewed first. */
async function exportPages(context: DashboardContext): Promise<Response> {
  const { records } = context.var;
  const { from, to } = readRange(context);
  const query = { from, to, siteId: context.req.query("site"), sort: "views" } as const;

  async function* lines(): AsyncGenerator<string> {
    yield renderLines([EXPORTED]);
    let after: Position | undefined;
    do {
      const { data, next } = await summarize(records, query, { ...newest(EXPORTED_AT_ONCE), after });
      yield renderLines(data.map((page) => EXPORTED.map((name) => String(page[name]))));
      after = next;
    } while (after !== undefined);
  }

  return csvResponse(lines(), `pages-${from}-${to}`);
}

/** One page by day. */
async function exportDays(context: DashboardContext): Promise<Response> {
  const { from, to } = readRange(context);
  const { page, series } = await analyzePage(context.var.records, paramOf(context, "pageId"), { from, to });
  const rows = series.map(({ at, views, visitors }) => [at.slice(0, 10), String(views), String(visitors)]);
  return csvResponse([renderLines([["day", "views", "visitors"], ...rows])], `${page.slug}-${from}-${to}`);
}
