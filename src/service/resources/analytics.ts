import type { AnalyticsSummary, Heatmap, PageAnalytics, ScrollDepth } from "../../contract/operations/visitors.ts";
import { ProblemError } from "../http/problem.ts";
import {
  countSubmitted,
  countVisitors,
  findCounted,
  listPagesByViews,
  readHeight,
  readPageStats,
  readSums,
  readVisitorHours,
  type PageName,
  type PagesScope,
  type PageStats,
  type Span,
} from "../store/analytics.ts";
import type { Slice, Window } from "../store/keyset.ts";
import { readLeftOut, type LeftOutReason } from "../store/left-out.ts";
import { findPage, listPages, type Page } from "../store/pages.ts";
import { findRow } from "../store/rows.ts";
import { publicPageUrl } from "./addresses.ts";
import type { Device } from "./beacon.ts";
import type { Context } from "./context.ts";
import { found } from "./fields.ts";
import { DAY_MS, formatDay, HOUR_MS, parseDayRange, type GivenRange } from "./time-range.ts";

/** A part of the list of all pages with their stats. */
export interface SummaryPart extends Omit<AnalyticsSummary, "nextCursor"> {
  readonly next: Slice<PageName>["next"];
}

export interface SummaryQuery extends GivenRange {
  readonly siteId?: string | undefined;
  /** Default: newest first. */
  readonly sort?: "views" | undefined;
}

export async function summarize(context: Context, query: SummaryQuery, window: Window): Promise<SummaryPart> {
  const { reader, accountId, now } = context;
  const { siteId } = query;
  const span = parseDayRange(query, now);
  const { items, next } =
    query.sort === "views"
      ? await listPagesByViews(reader, accountId, { siteId, span, window })
      : await listPages(reader, accountId, { filter: { siteId, part: "live" }, window });
  const ids = items.map(({ id }) => id);
  const stats = await readPageStats(reader, ids, span);
  const scope = { accountId, siteId };
  const visited = siteId ?? accountId;
  const viewed = await readViews(context, scope, span);
  return {
    data: items.flatMap((page, index) => describeStats(page, stats[index])),
    totals: {
      views: totalOf(viewed),
      submissions: await countSubmitted(reader, scope, span),
      visitors: (await countVisitors(reader, [visited], span)).get(visited) ?? 0,
    },
    ...daysOf(span),
    next,
  };
}

export interface PageQuery extends GivenRange {
  readonly interval?: "day" | "hour" | undefined;
}

// A response with more hours would be too long to be useful.
const MAX_DAYS_BY_HOUR = 31;

export async function analyzePage(context: Context, idOrSlug: string, query: PageQuery): Promise<PageAnalytics> {
  const { reader, addresses, now } = context;
  const page = await getAnalyzedPage(context, idOrSlug);
  const span = parseDayRange(query, now);
  const stepMs = query.interval === "hour" ? HOUR_MS : DAY_MS;
  if (stepMs === HOUR_MS && span.until - span.from > MAX_DAYS_BY_HOUR * DAY_MS) {
    throw new ProblemError("invalid_range", { detail: `Hours are available for at most ${MAX_DAYS_BY_HOUR} days.` });
  }
  const [stats] = await readPageStats(reader, [page.id], span);
  const [totals] = describeStats(page, stats);
  if (totals === undefined) throw new ProblemError("page_not_found");
  return {
    page: { id: page.id, slug: page.slug, title: page.title, url: publicPageUrl(addresses, page.slug) },
    ...daysOf(span),
    totals,
    ...(await describeViews(context, {
      scope: { pageId: page.id },
      visited: page.id,
      span,
      stepMs,
      maxReferrers: 100,
    })),
  };
}

/** Returns a page by id or slug. Throws `page_not_found`. */
export async function getAnalyzedPage({ database, accountId }: Context, idOrSlug: string): Promise<Page> {
  const page = await findRow(database, "page", { accountId, id: idOrSlug });
  return page ?? found(await findPage(database, { accountId, slug: idOrSlug }), "page_not_found");
}

export function daysOf({ from, until }: Span): { readonly from: string; readonly to: string } {
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

/** Counts uncounted views by reason: by users signed in to the dashboard, by programs, and of previews. */
export async function countLeftOut(
  { reader, accountId, now }: Context,
  { siteId, ...range }: Omit<SummaryQuery, "sort">,
): Promise<ReadonlyMap<LeftOutReason, number>> {
  return await readLeftOut(reader, { accountId, siteId, span: parseDayRange(range, now) });
}

/** Stats of one page, or of all pages of the account or a site. */
export type Overview = Pick<PageAnalytics, "series" | "referrers" | "devices">;

export async function overviewPages(context: Context, query: Omit<SummaryQuery, "sort">): Promise<Overview> {
  const { accountId, now } = context;
  const { siteId } = query;
  const span = parseDayRange(query, now);
  const scope = { accountId, siteId };
  return await describeViews(context, { scope, visited: siteId ?? accountId, span, stepMs: DAY_MS, maxReferrers: 20 });
}

interface ViewsQuery {
  readonly scope: PagesScope;
  /** Id of the page, site or account whose visitors are counted. */
  readonly visited: string;
  readonly span: Span;
  readonly stepMs: number;
  readonly maxReferrers: number;
}

async function describeViews(
  context: Context,
  { scope, visited, span, stepMs, maxReferrers }: ViewsQuery,
): Promise<Overview> {
  const { reader } = context;
  const viewed = await readViews(context, scope, span);
  const visitors = await readVisitorHours(reader, visited, span);
  const steps = Array.from({ length: (span.until - span.from) / stepMs }, () => ({ views: 0, visitors: 0 }));
  const stepOf = (at: number) => steps[Math.floor((at - span.from) / stepMs)];
  for (const { at, views } of viewed) {
    const step = stepOf(at);
    if (step !== undefined) step.views += views;
  }
  for (const { hour, visitors: count } of visitors) {
    const step = stepOf(hour);
    if (step !== undefined) step.visitors += count;
  }
  const ofDevice = (device: Device) => totalOf(viewed.filter((views) => views.device === device));
  const counted = await findCounted(reader, scope);
  const wanted = { span, sum: "views", by: ["host"], limit: maxReferrers } as const;
  const referrers =
    counted === undefined
      ? await readSums(reader, "referrerDay", { ...wanted, scope })
      : await readSums(reader, "sourceDay", { ...wanted, scope: counted });
  return {
    series: steps.map((step, index) => ({ at: new Date(span.from + index * stepMs).toISOString(), ...step })),
    referrers: [...referrers],
    devices: { mobile: ofDevice("mobile"), tablet: ofDevice("tablet"), desktop: ofDevice("desktop") },
  };
}

/** Reads views by device and time: by day for several pages, by hour for one. */
async function readViews({ reader }: Context, scope: PagesScope, span: Span) {
  const wanted = { span, sum: "views" } as const;
  const counted = await findCounted(reader, scope);
  if (counted === undefined) {
    const rows = await readSums(reader, "viewHour", { ...wanted, scope, by: ["hour", "device"] });
    return rows.map(({ hour, device, views }) => ({ at: hour, device, views }));
  }
  const rows = await readSums(reader, "viewDay", { ...wanted, scope: counted, by: ["day", "device"] });
  return rows.map(({ day, device, views }) => ({ at: day, device, views }));
}

function totalOf(rows: readonly { readonly views: number }[]): number {
  return rows.reduce((sum, { views }) => sum + views, 0);
}

/** Selects views by device and version; default: all. */
export interface LayoutQuery extends GivenRange {
  readonly pageId?: string | undefined;
  readonly slug?: string | undefined;
  readonly device?: "all" | Device | undefined;
  readonly version?: number | undefined;
}

const CELL = 16;
const MAX_POINTS = 5000;
const MAX_ELEMENTS = 100;

export async function drawHeatmap(context: Context, query: LayoutQuery): Promise<Heatmap> {
  const { reader } = context;
  const { scope, span } = await findLayout(context, query);
  const views = await readSums(reader, "viewHour", { scope, span, sum: "views", by: ["device"] });
  const clicks = { scope, span, sum: "clicks" } as const;
  const cells = await readSums(reader, "clickCellDay", { ...clicks, by: ["cellY", "cellX"], limit: MAX_POINTS });
  const elements = await readSums(reader, "clickElementDay", { ...clicks, by: ["selector"], limit: MAX_ELEMENTS });
  return {
    pageId: scope.pageId,
    device: query.device ?? "all",
    views: totalOf(views),
    grid: { x: "permille of width", y: "px", cell: CELL },
    points: cells.map(({ cellX, cellY, clicks: count }) => ({ x: cellX * CELL, y: cellY * CELL, count })),
    elements: elements.map(({ selector, clicks: count }) => ({ selector, count })),
    height: await readHeight(reader, scope),
  };
}

export async function measureScrollDepth(context: Context, query: LayoutQuery): Promise<ScrollDepth> {
  const { scope, span } = await findLayout(context, query);
  const read = await readSums(context.reader, "scrollDay", { scope, span, sum: "views", by: ["depth"] });
  const depths = read.toSorted((one, other) => one.depth - other.depth);
  const views = totalOf(depths);
  const total = depths.reduce((sum, { depth, views }) => sum + depth * views, 0);
  return {
    pageId: scope.pageId,
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

async function findLayout(context: Context, query: LayoutQuery) {
  const named = query.pageId ?? query.slug;
  if (named === undefined) {
    throw new ProblemError("page_required", { errors: [{ pointer: "/query/pageId", detail: "is missing" }] });
  }
  const { id: pageId } = await getAnalyzedPage(context, named);
  const { device, version } = query;
  const span = parseDayRange(query, context.now);
  return { scope: { pageId, device: device === "all" ? undefined : device, version }, span };
}

interface DepthCount {
  readonly depth: number;
  readonly views: number;
}

function medianOf(depths: readonly DepthCount[], views: number): number {
  if (views === 0) return 0;
  return (depthAt(depths, Math.ceil(views / 2)) + depthAt(depths, Math.floor(views / 2) + 1)) / 2;
}

/** Returns the depth of the view with this rank, counted from 1 in ascending order. */
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
