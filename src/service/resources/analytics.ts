import type { AnalyticsSummary, Heatmap, PageAnalytics, ScrollDepth } from "../../contract/operations/visitors.ts";
import {
  countVisitors,
  listPagesByViews,
  type PageName,
  type PageStats,
  readDevices,
  readPageStats,
  readReferrers,
  readTotals,
  readViewHours,
  readVisitorHours,
  type Span,
} from "../store/page-analytics.ts";
import { findPage, findPageById, listPages, type Page } from "../store/pages.ts";
import type { Slice, Window } from "../store/keyset.ts";
import { publicPageUrl } from "./addresses.ts";
import type { Context } from "./context.ts";
import { ProblemError } from "../http/problem.ts";
import { DAY_MS, formatDay, HOUR_MS, parseDayRange, type GivenRange } from "./time-range.ts";
import { readScopeHours, readScopeReferrers } from "../store/account-analytics.ts";
import { DEVICES, type Device } from "./beacon.ts";
import {
  countViews,
  readCells,
  readDepths,
  readElements,
  readHeight,
  type LayoutFilter,
} from "../store/layout-analytics.ts";

/** One part of the list of all pages with their numbers. */
export interface SummaryPart extends Omit<AnalyticsSummary, "nextCursor"> {
  readonly next: Slice<PageName>["next"];
}

export interface SummaryQuery extends GivenRange {
  readonly siteId?: string | undefined;
  /** Default: newest first. */
  readonly sort?: "views" | undefined;
}

export async function summarize(context: Context, query: SummaryQuery, window: Window): Promise<SummaryPart> {
  const { database, accountId, now } = context;
  const { siteId } = query;
  const span = parseDayRange(query, now);
  const { items, next } =
    query.sort === "views"
      ? await listPagesByViews(database, accountId, { siteId, span, window })
      : await listPages(database, accountId, { filter: { siteId }, window });
  const ids = items.map(({ id }) => id);
  const stats = await readPageStats(database, ids, span);
  const scope = siteId ?? accountId;
  const visitors = (await countVisitors(database, [scope], span)).get(scope) ?? 0;
  return {
    data: items.flatMap((page, index) => describeStats(page, stats[index])),
    totals: { ...(await readTotals(database, { accountId, siteId }, span)), visitors },
    ...daysOf(span),
    next,
  };
}

export interface PageQuery extends GivenRange {
  readonly interval?: "day" | "hour" | undefined;
}

// An answer for more hours would be too long to be of use.
const MAX_DAYS_BY_HOUR = 31;

export async function analyzePage(context: Context, idOrSlug: string, query: PageQuery): Promise<PageAnalytics> {
  const { database, addresses, now } = context;
  const page = await getAnalyzedPage(context, idOrSlug);
  const span = parseDayRange(query, now);
  const stepMs = query.interval === "hour" ? HOUR_MS : DAY_MS;
  if (stepMs === HOUR_MS && span.until - span.from > MAX_DAYS_BY_HOUR * DAY_MS) {
    throw new ProblemError("invalid_range", { detail: `Hours are available for at most ${MAX_DAYS_BY_HOUR} days.` });
  }
  const [stats] = await readPageStats(database, [page.id], span);
  const [totals] = describeStats(page, stats);
  if (totals === undefined) throw new ProblemError("page_not_found");
  const devices = await readDevices(database, page.id, span);
  const views = await readViewHours(database, page.id, span);
  const visitors = await readVisitorHours(database, page.id, span);
  return {
    page: { id: page.id, slug: page.slug, title: page.title, url: publicPageUrl(addresses, page.slug) },
    ...daysOf(span),
    totals,
    series: seriesOf(span, { stepMs, views, visitors }),
    referrers: [...(await readReferrers(database, page.id, span))],
    devices: {
      mobile: devices.get("mobile") ?? 0,
      tablet: devices.get("tablet") ?? 0,
      desktop: devices.get("desktop") ?? 0,
    },
  };
}

/** A page by its id or its slug; throws `page_not_found`. */
export async function getAnalyzedPage({ database, accountId }: Context, idOrSlug: string): Promise<Page> {
  const page =
    (await findPageById(database, { accountId, id: idOrSlug })) ??
    (await findPage(database, { accountId, slug: idOrSlug }));
  if (page === undefined) throw new ProblemError("page_not_found");
  return page;
}

function daysOf({ from, until }: Span): { readonly from: string; readonly to: string } {
  return { from: formatDay(from), to: formatDay(until - DAY_MS) };
}

function describeStats({ id, slug, title }: PageName, stats: PageStats | undefined): AnalyticsSummary["data"] {
  if (stats === undefined) return [];
  const { views, visitors, clicks, submissions, reads, depth, seconds } = stats;
  const averages = { avgScroll: average(depth, reads), avgSeconds: average(seconds, reads) };
  return [{ id, slug, title, views, visitors, clicks, submissions, ...averages }];
}

function average(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round((10 * sum) / count) / 10;
}

interface Counts {
  readonly stepMs: number;
  readonly views: readonly { readonly hour: number; readonly views: number }[];
  readonly visitors: readonly { readonly hour: number; readonly visitors: number }[];
}

/** Views and visitors for each step of a span, also for those without any. */
export function seriesOf({ from, until }: Span, { stepMs, views, visitors }: Counts): PageAnalytics["series"] {
  const steps = Array.from({ length: (until - from) / stepMs }, () => ({ views: 0, visitors: 0 }));
  for (const { hour, views: count } of views) {
    const step = steps[Math.floor((hour - from) / stepMs)];
    if (step !== undefined) step.views += count;
  }
  for (const { hour, visitors: count } of visitors) {
    const step = steps[Math.floor((hour - from) / stepMs)];
    if (step !== undefined) step.visitors += count;
  }
  return steps.map((step, index) => ({ at: new Date(from + index * stepMs).toISOString(), ...step }));
}

export interface OverviewQuery extends GivenRange {
  readonly siteId?: string | undefined;
}

/** What `analyzePage` reports of one page, summed up over all pages of the account or of one site. */
export type Overview = Pick<PageAnalytics, "series" | "referrers" | "devices">;

export async function overviewPages(context: Context, query: OverviewQuery): Promise<Overview> {
  const { database, accountId, now } = context;
  const { siteId } = query;
  const span = parseDayRange(query, now);
  const scope = { accountId, siteId };
  const hours = await readScopeHours(database, scope, span);
  const visitors = await readVisitorHours(database, siteId ?? accountId, span);
  const [mobile, tablet, desktop] = DEVICES.map((device) =>
    hours.reduce((sum, hour) => sum + (hour.device === device ? hour.views : 0), 0),
  );
  return {
    series: seriesOf(span, { stepMs: DAY_MS, views: hours, visitors }),
    referrers: [...(await readScopeReferrers(database, scope, span))],
    devices: { mobile: mobile ?? 0, tablet: tablet ?? 0, desktop: desktop ?? 0 },
  };
}

/** What a page looked like where something is asked for: one kind of device, one version; default: all of them. */
export interface LayoutQuery extends GivenRange {
  readonly pageId?: string | undefined;
  readonly slug?: string | undefined;
  readonly device?: "all" | Device | undefined;
  readonly version?: number | undefined;
}

const CELL = 16;

export async function drawHeatmap(context: Context, query: LayoutQuery): Promise<Heatmap> {
  const { database } = context;
  const filter = await findLayout(context, query);
  const cells = await readCells(database, filter);
  const elements = await readElements(database, filter);
  return {
    pageId: filter.pageId,
    device: query.device ?? "all",
    views: await countViews(database, filter),
    grid: { x: "permille of width", y: "px", cell: CELL },
    points: cells.map(({ cellX, cellY, clicks }) => ({ x: cellX * CELL, y: cellY * CELL, count: clicks })),
    elements: elements.map(({ selector, clicks }) => ({ selector, count: clicks })),
    height: await readHeight(database, filter),
  };
}

export async function measureScrollDepth(context: Context, query: LayoutQuery): Promise<ScrollDepth> {
  const filter = await findLayout(context, query);
  const depths = await readDepths(context.database, filter);
  const views = depths.reduce((sum, { views }) => sum + views, 0);
  const total = depths.reduce((sum, { depth, views }) => sum + depth * views, 0);
  return {
    pageId: filter.pageId,
    device: query.device ?? "all",
    views,
    average: views === 0 ? 0 : round(total / views, 10),
    median: medianOf(depths, views),
    buckets: Array.from({ length: 20 }, (_, index) => {
      const depth = (index + 1) * 5;
      const reached = depths.reduce((sum, entry) => sum + (entry.depth >= depth ? entry.views : 0), 0);
      return { depth, reached, share: views === 0 ? 0 : round(reached / views, 10_000) };
    }),
  };
}

async function findLayout(context: Context, query: LayoutQuery): Promise<LayoutFilter> {
  const named = query.pageId ?? query.slug;
  if (named === undefined) {
    throw new ProblemError("page_required", { errors: [{ pointer: "/query/pageId", detail: "is missing" }] });
  }
  const page = await getAnalyzedPage(context, named);
  const { device, version } = query;
  const span = parseDayRange(query, context.now);
  return { pageId: page.id, device: device === "all" ? undefined : device, version, span };
}

interface DepthCount {
  readonly depth: number;
  readonly views: number;
}

/** The depth in the middle of all views; between the two middle ones of an even number. */
function medianOf(depths: readonly DepthCount[], views: number): number {
  if (views === 0) return 0;
  return (depthAt(depths, Math.ceil(views / 2)) + depthAt(depths, Math.floor(views / 2) + 1)) / 2;
}

/** The depth of the view with this rank, counted from 1 and from the least depth. */
function depthAt(depths: readonly DepthCount[], rank: number): number {
  let passed = 0;
  for (const { depth, views } of depths) {
    passed += views;
    if (passed >= rank) return depth;
  }
  return 0;
}

function round(value: number, steps: number): number {
  return Math.round(value * steps) / steps;
}
