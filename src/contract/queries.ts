import * as z from "zod";
import { EVENT_TYPES } from "./events.ts";
import { DELIVERY_STATUSES } from "./extension-records.ts";
import { LIMITS } from "./limits.ts";
import { PAGE_STATUSES, POST_STATUSES } from "./records.ts";

// Query fields arrive as text. Unknown fields are refused, so that a misspelled filter never lists everything.

const text = z.string().max(500).optional();
const flag = z
  .enum(["true", "false"])
  .transform((value) => value === "true")
  .optional();
const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).optional();
const limit = z.coerce.number().int().min(1).max(LIMITS.maxListLimit).optional();
const paging = {
  limit: limit.describe("Number of records, 1 to 100. Default: 50."),
  cursor: text.describe("`nextCursor` of the previous response, to continue a list."),
};
const ofSite = text.describe("Only those of this site, by its ID.");

export const noQuery = z.strictObject({});
export const listQuery = z.strictObject(paging);

export const pagesQuery = z.strictObject({
  ...paging,
  status: z.enum(PAGE_STATUSES).optional().describe("Only pages with this status."),
  siteId: ofSite,
  q: text.describe("Text to search for in slugs and titles."),
  updatedSince: moment.describe("Only pages that changed since then, ISO 8601."),
  fields: text.describe("Names of the fields to return, separated by commas. Default: all."),
});

export const pageQuery = z.strictObject({ include: z.literal("html").optional().describe("Return the HTML too.") });
export const siteDeleteQuery = z.strictObject({
  pages: z.enum(["keep", "delete"]).optional().describe("What happens to the pages of the site. Default: keep."),
});
export const assetsQuery = z.strictObject({
  ...paging,
  q: text.describe("Text to search for in names."),
  type: text.describe("Content type, or its first part: image/png or image."),
  hash: text.describe("SHA-256 of the bytes in hexadecimal digits, to find out whether a file exists."),
});
export const assetDeleteQuery = z.strictObject({
  force: flag.describe("Delete the file even if it is in use. Default: false."),
});

export const postsQuery = z.strictObject({
  ...paging,
  status: z.enum(POST_STATUSES).optional().describe("Only posts with this status."),
  include: z.literal("content").optional().describe("Return the bodies too."),
  slug: text.describe("Only the post with this slug."),
});

const range = {
  from: moment.describe("First day or moment, ISO 8601 in UTC. Default: 30 days ago for analytics, else no limit."),
  to: moment.describe("Last day or moment, ISO 8601 in UTC. Default: now."),
};
const device = z.enum(["all", "mobile", "tablet", "desktop"]).optional();

export const analyticsPagesQuery = z.strictObject({
  ...paging,
  ...range,
  siteId: ofSite,
  sort: z.enum(["views"]).optional().describe("Order of the list. Default: newest first."),
});
export const analyticsPageQuery = z.strictObject({
  ...range,
  interval: z
    .enum(["day", "hour"])
    .optional()
    .describe("Length of one entry of the series. Hours are available for at most 31 days. Default: day."),
});
export const heatmapQuery = z.strictObject({
  ...range,
  pageId: text.describe("ID of the page. Give this or slug."),
  slug: text.describe("Slug of the page. Give this or pageId."),
  device: device.describe("Kind of device. Default: all."),
  version: z.coerce.number().int().positive().optional().describe("Only this version of the page. Default: all."),
});

export const formsQuery = z.strictObject({
  ...paging,
  pageSlug: text.describe("Only forms of the page with this slug."),
});
export const submissionsQuery = z.strictObject({
  ...paging,
  ...range,
  form: text.describe("Name of one form of the page. Default: all of them."),
  spam: flag.describe("List only what was classified as spam. Default: false."),
});
export const deliveriesQuery = z.strictObject({
  ...paging,
  status: z.enum(DELIVERY_STATUSES).optional().describe("Only deliveries with this status."),
});
export const eventsQuery = z.strictObject({
  ...paging,
  type: z.enum(EVENT_TYPES).optional().describe("Only events of this type."),
});
