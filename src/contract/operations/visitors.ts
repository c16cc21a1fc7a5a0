import * as z from "zod";
import { bodyOf, flag, listQuery, moment, ofSite, paging, text } from "../inputs.ts";
import { domainRecord, formRecord, pageStatsRecord, submissionRecord } from "../records.ts";
import { documentOf, empty, json, listOf, many, one, type OperationRows } from "../route.ts";

const count = z.int().nonnegative();
// Both days are inclusive and in UTC.
const days = { from: z.iso.date(), to: z.iso.date() };
const device = z.enum(["all", "mobile", "tablet", "desktop"]);

export const analyticsSummarySchema = listOf(pageStatsRecord.full)
  .extend({ totals: z.strictObject({ views: count, visitors: count, submissions: count }), ...days })
  .strict();

export const pageAnalyticsSchema = z.strictObject({
  page: z.strictObject({ id: z.string(), slug: z.string(), title: z.string(), url: z.string() }),
  ...days,
  totals: pageStatsRecord.full,
  /** One entry for each day or hour of the range, including those without views. */
  series: z.array(z.strictObject({ at: z.iso.datetime(), views: count, visitors: count })),
  referrers: z.array(z.strictObject({ host: z.string(), views: count })),
  devices: z.strictObject({ mobile: count, tablet: count, desktop: count }),
});

export const heatmapSchema = z.strictObject({
  pageId: z.string(),
  device,
  views: count,
  grid: z.strictObject({ x: z.literal("permille of width"), y: z.literal("px"), cell: z.literal(16) }),
  /** The top left corner of each cell that was clicked. */
  points: z.array(z.strictObject({ x: count, y: count, count })),
  elements: z.array(z.strictObject({ selector: z.string(), count })),
  /** Height of the page in pixels; 0 if no view has reported it. */
  height: count,
});

export const scrollDepthSchema = z.strictObject({
  pageId: z.string(),
  device,
  views: count,
  average: z.number(),
  median: z.number(),
  /** For every 5 % of the page: the number and share of views that scrolled at least that far. */
  buckets: z.array(z.strictObject({ depth: count, reached: count, share: z.number() })),
});

/** Values of visits, the most frequent first. */
const facetSchema = z.array(z.strictObject({ value: z.string(), name: z.string(), visits: count }));

export const visitsSchema = z.strictObject({
  ...days,
  totals: z.strictObject({
    visits: count,
    /** Visits with the same traits, regardless of pages and goals: the base of conversion rates. */
    all: count,
    /** Null if only visits that began or ended on a page are counted. */
    views: count.nullable(),
    /** Visits with a single view; null if it is unknown how they began. */
    bounces: count.nullable(),
  }),
  series: z.array(z.strictObject({ at: z.iso.datetime(), visits: count, views: count.nullable() })),
  /** A host without `www.`, or the `utm_source` of the link in lowercase; `direct` without either. */
  source: facetSchema,
  medium: facetSchema,
  campaign: facetSchema,
  term: facetSchema,
  content: facetSchema,
  browser: facetSchema,
  system: facetSchema,
  device: facetSchema,
  /** Pages by slug, with the title as name. */
  page: facetSchema,
  entryPage: facetSchema,
  exitPage: facetSchema,
  /** Forms that were sent, by ID. */
  goal: facetSchema,
});

export const pageDetailsSchema = z.strictObject({
  ...pageAnalyticsSchema.shape,
  scrollDepth: scrollDepthSchema,
  heatmap: heatmapSchema,
});

const daysQuery = {
  from: moment.describe("First day (UTC). Default: 30 days ago."),
  to: moment.describe("Last day (UTC). Default: today."),
};

const timesQuery = {
  from: moment.describe("First day or time (UTC). Default: no limit."),
  to: moment.describe("Last day or time (UTC). Default: now."),
};

const heatmapQuery = z.strictObject({
  ...daysQuery,
  pageId: text.describe("ID of the page. Specify this or slug."),
  slug: text.describe("Slug of the page. Specify this or pageId."),
  device: device.optional().describe("Kind of device. Default: all."),
  version: z.coerce.number().int().positive().optional().describe("Only this version of the page. Default: all."),
});

const visitsQuery = z.strictObject({
  ...daysQuery,
  siteId: ofSite,
  source: text.describe("Only visits from this source; `direct` for those without one."),
  medium: text.describe("Only visits with this utm_medium."),
  campaign: text.describe("Only visits with this utm_campaign."),
  term: text.describe("Only visits with this utm_term."),
  content: text.describe("Only visits with this utm_content."),
  browser: text.describe("Only visits with this browser, such as Firefox."),
  system: text.describe("Only visits with this operating system, such as iOS."),
  device: device.exclude(["all"]).optional().describe("Only visits with this kind of device."),
  page: text.describe("Only visits that saw this page, by its slug or ID."),
  entryPage: text.describe("Only visits that began on this page. Specify at most one page or goal."),
  exitPage: text.describe("Only visits that ended on this page."),
  goal: text.describe("Only visits in which this form was submitted, by its ID."),
});

export const domainCreateBody = bodyOf(domainRecord, {
  domain: z.string().min(1).max(253),
  siteId: z.string().nullish(),
});

export const domainPatchBody = bodyOf(domainRecord, {
  siteId: z.string().nullish(),
  verify: z.literal(true).optional().describe("Check the DNS records now."),
  redirectTo: z.string().max(253).nullish(),
});

export const submissionPatchBody = bodyOf(submissionRecord, {
  read: z.boolean(),
  spam: z.boolean(),
}).partial();

export const formsExportBody = z.object({
  formId: z.string().optional().describe("ID of the form. Specify this or pageSlug."),
  pageSlug: z.string().optional().describe("Slug of the page. Specify this or formId."),
  ...timesQuery,
  format: z.enum(["csv", "json"]).optional().describe("Format of the export. Default: csv."),
  leadsOnly: z.boolean().optional().describe("Export leads only. Default: false."),
});

export const VISITOR_OPERATIONS = {
  "analytics.summary": {
    summary: "Get analytics of all pages",
    description: "Views, visitors, clicks and form submissions of every page, and their totals.",
    scope: "analytics:read",
    query: z.strictObject({
      ...paging,
      ...daysQuery,
      siteId: ofSite,
      sort: z.enum(["views"]).optional().describe("Order of the list. Default: newest first."),
    }),
    answers: { 200: json(analyticsSummarySchema) },
    problems: ["invalid_range"],
  },
  "analytics.page": {
    summary: "Get analytics of a page",
    description: "Views and visitors over time, with referring hosts and kinds of devices.",
    scope: "analytics:read",
    query: z.strictObject({
      ...daysQuery,
      interval: z
        .enum(["day", "hour"])
        .optional()
        .describe("Length of one entry of the series. Hours are available for at most 31 days. Default: day."),
    }),
    answers: { 200: json(pageAnalyticsSchema) },
    problems: ["page_not_found", "invalid_range"],
  },
  "analytics.heatmap": {
    summary: "Get a page's click heatmap",
    description: "Where visitors clicked, in cells of 16 pixels, and which elements they hit.",
    scope: "analytics:read",
    query: heatmapQuery,
    answers: { 200: json(heatmapSchema) },
    problems: ["page_required", "page_not_found", "invalid_range"],
  },
  "analytics.scrollDepth": {
    summary: "Get a page's scroll depth",
    description: "How far visitors scrolled down the page, in steps of 5 % of its height.",
    scope: "analytics:read",
    query: heatmapQuery,
    answers: { 200: json(scrollDepthSchema) },
    problems: ["page_required", "page_not_found", "invalid_range"],
  },
  "analytics.visits": {
    summary: "Get visits by source, page, browser and system",
    description:
      "The number of visits by source, campaign, browser, system, device, entry and exit page, and submitted form; filterable by each of them.",
    scope: "analytics:read",
    query: visitsQuery,
    answers: { 200: json(visitsSchema) },
    problems: ["page_not_found", "form_not_found", "invalid_range"],
  },
  "pages.analytics": {
    summary: "Get everything visitors did on a page",
    description: "Analytics, scroll depth and click heatmap of one page in one response.",
    scope: "analytics:read",
    query: z.strictObject({ ...daysQuery, device: device.optional().describe("Kind of device. Default: all.") }),
    answers: { 200: json(pageDetailsSchema) },
    problems: ["page_not_found", "invalid_range"],
  },

  // Forms on published pages and what was sent through them.
  "forms.list": {
    summary: "List forms",
    description: "Forms on published pages, with their fields and number of submissions.",
    scope: "forms:read",
    query: z.strictObject({
      ...paging,
      pageSlug: text.describe("Only forms of the page with this slug."),
    }),
    answers: { 200: many(formRecord) },
  },
  "submissions.list": {
    summary: "List form submissions",
    description: "What visitors sent through forms, newest first.",
    scope: "forms:read",
    query: z.strictObject({
      ...paging,
      ...timesQuery,
      form: text.describe("Name of a form. Default: all."),
      spam: flag.describe("Only spam. Default: false."),
      unread: flag.describe("Only unread ones. Default: false."),
    }),
    answers: { 200: many(submissionRecord) },
    problems: ["page_not_found", "form_not_found", "invalid_range"],
  },
  "submissions.patch": {
    summary: "Mark a form submission",
    description:
      "Marks it as read or unread, and as spam or not. A submission that isn't spam counts again, but sends no events.",
    scope: "forms:write",
    body: { kind: "json", schema: submissionPatchBody },
    answers: { 200: one(submissionRecord) },
    problems: ["submission_not_found"],
  },
  "submissions.delete": {
    summary: "Delete a form submission",
    description: "Permanently deletes it with its events and webhook deliveries.",
    scope: "forms:write",
    answers: { 204: empty },
    problems: ["page_not_found", "submission_not_found"],
  },
  "forms.export": {
    summary: "Export form submissions",
    description: "As CSV that spreadsheets open safely, or as JSON.",
    scope: "forms:read",
    body: { kind: "json", schema: formsExportBody },
    answers: { 200: documentOf("text/csv", submissionRecord) },
    problems: ["form_not_found", "page_not_found", "invalid_range"],
  },

  // Custom domains.
  "domains.list": {
    summary: "List custom domains",
    description: "Domains with their status and the DNS records that each needs.",
    scope: "domains:read",
    query: listQuery,
    answers: { 200: many(domainRecord) },
  },
  "domains.create": {
    summary: "Add a custom domain",
    description: "Returns the DNS records to set. The domain is served once they are found.",
    scope: "domains:write",
    body: { kind: "json", schema: domainCreateBody },
    answers: { 200: one(domainRecord), 201: one(domainRecord) },
    problems: ["domain_taken", "invalid_domain", "site_not_found", "limit_reached"],
  },
  "domains.patch": {
    summary: "Change or check a custom domain",
    description: "With `verify` the DNS records are checked now.",
    scope: "domains:write",
    body: { kind: "json", schema: domainPatchBody },
    answers: { 200: one(domainRecord) },
    problems: ["domain_not_found", "domain_taken", "site_not_found", "invalid_domain"],
  },
  "domains.delete": {
    summary: "Remove a custom domain",
    description: "Also deletes its certificate. The site is no longer served there.",
    scope: "domains:write",
    answers: { 204: empty },
    problems: ["domain_not_found"],
  },
} as const satisfies OperationRows;

export type AnalyticsSummary = z.infer<typeof analyticsSummarySchema>;
export type PageAnalytics = z.infer<typeof pageAnalyticsSchema>;
export type VisitAnalytics = z.infer<typeof visitsSchema>;
export type Heatmap = z.infer<typeof heatmapSchema>;
export type ScrollDepth = z.infer<typeof scrollDepthSchema>;
export type DomainCreateBody = z.infer<typeof domainCreateBody>;
export type DomainPatchBody = z.infer<typeof domainPatchBody>;
export type SubmissionPatchBody = z.infer<typeof submissionPatchBody>;
export type FormsExportBody = z.infer<typeof formsExportBody>;
