import * as z from "zod";
import { json, listOf } from "../answers.ts";
import * as query from "../queries.ts";
import { pageStatsRecord } from "../records.ts";
import type { Operation } from "../route.ts";

const count = z.int().nonnegative();
// Both days belong to the range; they are days in UTC.
const range = { from: z.iso.date(), to: z.iso.date() };
const device = z.enum(["all", "mobile", "tablet", "desktop"]);

export const analyticsSummarySchema = listOf(pageStatsRecord.full)
  .extend({ totals: z.strictObject({ views: count, visitors: count, submissions: count }), ...range })
  .strict();

export const pageAnalyticsSchema = z.strictObject({
  page: z.strictObject({ id: z.string(), slug: z.string(), title: z.string(), url: z.string() }),
  ...range,
  totals: pageStatsRecord.full,
  /** One entry for each day or hour of the range, also for those without a view. */
  series: z.array(z.strictObject({ at: z.iso.datetime(), views: count, visitors: count })),
  referrers: z.array(z.strictObject({ host: z.string(), views: count })),
  devices: z.strictObject({ mobile: count, tablet: count, desktop: count }),
});

export const heatmapSchema = z.strictObject({
  pageId: z.string(),
  device,
  views: count,
  grid: z.strictObject({ x: z.literal("permille of width"), y: z.literal("px"), cell: z.literal(16) }),
  /** The upper left corner of each cell that was clicked. */
  points: z.array(z.strictObject({ x: count, y: count, count })),
  elements: z.array(z.strictObject({ selector: z.string(), count })),
  /** Of the page, in pixels; 0 when no view has told it. */
  height: count,
});

export const scrollDepthSchema = z.strictObject({
  pageId: z.string(),
  device,
  /** Views that told how far they went. */
  views: count,
  average: z.number(),
  median: z.number(),
  /** For every fifth per cent of the page: how many views, and which share of them, came at least as far. */
  buckets: z.array(z.strictObject({ depth: count, reached: count, share: z.number() })),
});

/** What visitors did. */
export const ANALYTICS_OPERATIONS = {
  "analytics.summary": {
    scope: "analytics:read",
    query: query.analyticsPagesQuery,
    answers: { 200: json(analyticsSummarySchema) },
    problems: ["invalid_range"],
  },
  "analytics.page": {
    scope: "analytics:read",
    query: query.analyticsPageQuery,
    answers: { 200: json(pageAnalyticsSchema) },
    problems: ["page_not_found", "invalid_range"],
  },
  "analytics.heatmap": {
    scope: "analytics:read",
    query: query.heatmapQuery,
    answers: { 200: json(heatmapSchema) },
    problems: ["page_required", "page_not_found", "invalid_range"],
  },
  "analytics.scrollDepth": {
    scope: "analytics:read",
    query: query.heatmapQuery,
    answers: { 200: json(scrollDepthSchema) },
    problems: ["page_required", "page_not_found", "invalid_range"],
  },
} as const satisfies Readonly<Record<string, Operation>>;

export type AnalyticsSummary = z.infer<typeof analyticsSummarySchema>;
export type PageAnalytics = z.infer<typeof pageAnalyticsSchema>;
export type Heatmap = z.infer<typeof heatmapSchema>;
export type ScrollDepth = z.infer<typeof scrollDepthSchema>;
