import * as z from "zod";
import { EVENT_TYPES } from "./events.ts";
import { DELIVERY_STATUSES } from "./extension-records.ts";
import { LIMITS } from "./limits.ts";
import { PAGE_STATUSES, POST_STATUSES } from "./records.ts";

// Query fields arrive as text. Unknown fields are refused, so that a misspelled filter never lists everything.

const limit = z.coerce.number().int().min(1).max(LIMITS.maxListLimit).optional();
const cursor = z.string().max(500).optional();
const text = z.string().max(500).optional();
const flag = z
  .enum(["true", "false"])
  .transform((value) => value === "true")
  .optional();
const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).optional();
const paging = { limit, cursor };

export const noQuery = z.strictObject({});
export const listQuery = z.strictObject(paging);

export const pagesQuery = z.strictObject({
  ...paging,
  status: z.enum(PAGE_STATUSES).optional(),
  siteId: text,
  q: text,
  updatedSince: moment,
  fields: text,
});

export const pageQuery = z.strictObject({ include: z.literal("html").optional() });
export const siteDeleteQuery = z.strictObject({ pages: z.enum(["keep", "delete"]).optional() });
export const assetsQuery = z.strictObject({ ...paging, q: text, type: text, hash: text });
export const assetDeleteQuery = z.strictObject({ force: flag });

export const postsQuery = z.strictObject({
  ...paging,
  status: z.enum(POST_STATUSES).optional(),
  include: z.literal("content").optional(),
  slug: text,
});

const range = { from: moment, to: moment };
const device = z.enum(["all", "mobile", "tablet", "desktop"]).optional();

export const analyticsPagesQuery = z.strictObject({
  ...paging,
  ...range,
  siteId: text,
  sort: z.enum(["views"]).optional(),
});
export const analyticsPageQuery = z.strictObject({ ...range, interval: z.enum(["day", "hour"]).optional() });
export const heatmapQuery = z.strictObject({
  ...range,
  pageId: text,
  slug: text,
  device,
  version: z.coerce.number().int().positive().optional(),
});

export const formsQuery = z.strictObject({ ...paging, pageSlug: text });
export const submissionsQuery = z.strictObject({ ...paging, ...range, form: text, spam: flag });
export const deliveriesQuery = z.strictObject({ ...paging, status: z.enum(DELIVERY_STATUSES).optional() });
export const eventsQuery = z.strictObject({ ...paging, type: z.enum(EVENT_TYPES).optional() });
