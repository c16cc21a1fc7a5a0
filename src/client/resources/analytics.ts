import { readList } from "../listing.ts";
import { parseHeatmap, parsePageAnalytics, parsePageStats, parseScrollDepth } from "../records/visitor-records.ts";
import { findOrUndefined } from "../request-parts.ts";
import type { Session } from "../session.ts";
import type { AnalyticsApi } from "../visitors-api.ts";

export function createAnalytics(session: Session): AnalyticsApi {
  return {
    summary({ from, to, siteId, sort } = {}, options) {
      return readList(session, {
        operation: "analytics.summary",
        filters: { from, to, siteId, sort },
        names: ["pages"],
        parse: parsePageStats,
        options,
      });
    },
    async page(idOrSlug, query = {}, { signal } = {}) {
      const call = { parameters: [idOrSlug], query: queryOf(query), signal };
      const reply = await findOrUndefined(session.call("analytics.page", call));
      return reply && parsePageAnalytics(reply.json, { ...reply.context, asked: idOrSlug });
    },
    async heatmap(query, { signal } = {}) {
      const { json, context } = await session.call("analytics.heatmap", { query: queryOf(query), signal });
      return parseHeatmap(json, context);
    },
    async scrollDepth(query, { signal } = {}) {
      const { json, context } = await session.call("analytics.scrollDepth", { query: queryOf(query), signal });
      return parseScrollDepth(json, context);
    },
  };
}

function queryOf(fields: object): Readonly<Record<string, string>> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
