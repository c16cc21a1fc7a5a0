import * as z from "zod";
import { documentOf, empty, json, listOf, many, one, type Operation } from "../route.ts";
import * as query from "../queries.ts";
import { domainRecord, formRecord, pageStatsRecord, submissionRecord } from "../records.ts";
import * as body from "../requests.ts";

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
  /** Of the page, in pixels; 0 when no view has reported it. */
  height: count,
});

export const scrollDepthSchema = z.strictObject({
  pageId: z.string(),
  device,
  /** Views that reported how far they were scrolled. */
  views: count,
  average: z.number(),
  median: z.number(),
  /** For every fifth per cent of the page: how many views, and which share of them, came at least as far. */
  buckets: z.array(z.strictObject({ depth: count, reached: count, share: z.number() })),
});

/** What visitors did. */
export const VISITOR_OPERATIONS = {
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

  // Forms on published pages and what was sent through them.
  "forms.list": {
    scope: "forms:read",
    query: query.formsQuery,
    answers: { 200: many(formRecord) },
    problems: [],
  },
  "submissions.list": {
    scope: "forms:read",
    query: query.submissionsQuery,
    answers: { 200: many(submissionRecord) },
    problems: ["page_not_found", "form_not_found", "invalid_range"],
  },
  "submissions.delete": {
    scope: "forms:write",
    query: query.noQuery,
    answers: { 204: empty },
    problems: ["page_not_found", "submission_not_found"],
  },
  "forms.export": {
    scope: "forms:read",
    query: query.noQuery,
    body: { kind: "json", schema: body.formsExportBody },
    answers: { 200: documentOf("text/csv") },
    problems: ["form_not_found", "page_not_found", "invalid_range"],
  },

  // Custom domains.
  "domains.list": {
    scope: "domains:read",
    query: query.listQuery,
    answers: { 200: many(domainRecord) },
    problems: [],
  },
  "domains.create": {
    scope: "domains:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.domainCreateBody },
    answers: { 200: one(domainRecord), 201: one(domainRecord) },
    problems: ["domain_taken", "invalid_domain", "site_not_found", "limit_reached"],
  },
  "domains.patch": {
    scope: "domains:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.domainPatchBody },
    answers: { 200: one(domainRecord) },
    problems: ["domain_not_found", "domain_taken", "site_not_found", "invalid_domain"],
  },
  "domains.delete": {
    scope: "domains:write",
    query: query.noQuery,
    answers: { 204: empty },
    problems: ["domain_not_found"],
  },
} as const satisfies Readonly<Record<string, Operation>>;

export type AnalyticsSummary = z.infer<typeof analyticsSummarySchema>;
export type PageAnalytics = z.infer<typeof pageAnalyticsSchema>;
export type Heatmap = z.infer<typeof heatmapSchema>;
export type ScrollDepth = z.infer<typeof scrollDepthSchema>;
