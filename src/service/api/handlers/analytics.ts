import { analyzePage, summarize, drawHeatmap, measureScrollDepth } from "../../resources/analytics.ts";
import { formatCursor } from "../../store/keyset.ts";
import type { Handlers } from "../call.ts";
import { windowOf } from "../reply.ts";

export const ANALYTICS_HANDLERS = {
  async "analytics.summary"({ context, query }) {
    const { next, ...summary } = await summarize(context, query, windowOf(query, context));
    const nextCursor = next === undefined ? null : formatCursor(next);
    return { kind: "json", status: 200, body: { ...summary, nextCursor } };
  },

  async "analytics.page"({ context, query, target }) {
    return { kind: "json", status: 200, body: await analyzePage(context, target, query) };
  },

  async "analytics.heatmap"({ context, query }) {
    return { kind: "json", status: 200, body: await drawHeatmap(context, query) };
  },

  async "analytics.scrollDepth"({ context, query }) {
    return { kind: "json", status: 200, body: await measureScrollDepth(context, query) };
  },
} as const satisfies Handlers;
