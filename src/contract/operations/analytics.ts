import * as z from "zod";
import { json, listOf } from "../answers.ts";
import * as query from "../queries.ts";
import { pageStatsRecord } from "../records.ts";
import type { Operation } from "../route.ts";

/** What visitors did. */
export const ANALYTICS_OPERATIONS = {
  "analytics.summary": {
    scope: "analytics:read",
    query: query.analyticsPagesQuery,
    answers: { 200: json(listOf(pageStatsRecord.full).loose()) },
    problems: ["invalid_range"],
  },
  "analytics.page": {
    scope: "analytics:read",
    query: query.analyticsPageQuery,
    answers: { 200: json(z.looseObject({})) },
    problems: ["page_not_found", "invalid_range"],
  },
  "analytics.heatmap": {
    scope: "analytics:read",
    query: query.heatmapQuery,
    answers: { 200: json(z.looseObject({})) },
    problems: ["page_required", "page_not_found", "invalid_range"],
  },
  "analytics.scrollDepth": {
    scope: "analytics:read",
    query: query.heatmapQuery,
    answers: { 200: json(z.looseObject({})) },
    problems: ["page_required", "page_not_found", "invalid_range"],
  },
} as const satisfies Readonly<Record<string, Operation>>;
