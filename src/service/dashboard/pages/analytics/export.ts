import { renderLines } from "../../../../contract/submission-csv.ts";
import { analyzePage, summarize } from "../../../resources/analytics.ts";
import type { Position } from "../../../store/keyset.ts";
import { csvResponse } from "../../parts/csv-response.ts";
import type { DashboardContext } from "../../scene.ts";
import { readRange } from "./range.tsx";

const PART = 100;

/** All pages with their numbers, the most viewed first. */
export async function exportPages(context: DashboardContext): Promise<Response> {
  const { records } = context.var.scene;
  const range = readRange(context);
  const query = { from: range.from, to: range.to, siteId: context.req.query("site"), sort: "views" } as const;

  async function* lines(): AsyncGenerator<string> {
    yield renderLines([["slug", "title", "views", "visitors", "clicks", "submissions", "avgScroll", "avgSeconds"]]);
    let after: Position | undefined;
    do {
      const { data, next } = await summarize(records, query, { after, limit: PART, visibleUntil: Infinity });
      yield renderLines(
        data.map(({ slug, title, views, visitors, clicks, submissions, avgScroll, avgSeconds }) => [
          ...[slug, title],
          ...[views, visitors, clicks, submissions, avgScroll, avgSeconds].map(String),
        ]),
      );
      after = next;
    } while (after !== undefined);
  }

  return csvResponse(lines(), `pages-${range.from}-${range.to}`);
}

/** One page by day. */
export async function exportSeries(context: DashboardContext): Promise<Response> {
  const range = readRange(context);
  const { page, series } = await analyzePage(context.var.scene.records, context.req.param("pageId") ?? "", {
    from: range.from,
    to: range.to,
  });
  const rows = series.map(({ at, views, visitors }) => [at.slice(0, 10), String(views), String(visitors)]);
  return csvResponse([renderLines([["day", "views", "visitors"], ...rows])], `${page.slug}-${range.from}-${range.to}`);
}
