import type { AnalyticsSummary, PageAnalytics } from "../../contract/operations/analytics.ts";
import { listPagesByViews, readDevices, readReferrers, readViewHours, type PageName } from "../store/page-analytics.ts";
import {
  countVisitors,
  readPageStats,
  readTotals,
  readVisitorHours,
  type PageStats,
  type Span,
} from "../store/page-stats.ts";
import { findPage, findPageById, listPages, type Page } from "../store/pages.ts";
import type { Slice, Window } from "../store/keyset.ts";
import { publicPageUrl } from "./addresses.ts";
import type { Context } from "./context.ts";
import { ProblemError } from "./problem-error.ts";
import { DAY_MS, formatDay, HOUR_MS, parseDayRange, type GivenRange } from "./time-range.ts";

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
    throw new ProblemError("invalid_range", { detail: `Hours are told of at most ${MAX_DAYS_BY_HOUR} days.` });
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
