import type { Heatmap, ScrollDepth } from "../../contract/operations/analytics.ts";
import {
  countViews,
  readCells,
  readDepths,
  readElements,
  readHeight,
  type LayoutFilter,
} from "../store/layout-analytics.ts";
import { getAnalyzedPage } from "./analytics.ts";
import type { Context } from "./context.ts";
import type { Device } from "./device.ts";
import { ProblemError } from "./problem-error.ts";
import { parseDayRange, type GivenRange } from "./time-range.ts";

/** What a page looked like where something is asked for: one kind of device, one version; default: all of them. */
export interface LayoutQuery extends GivenRange {
  readonly pageId?: string | undefined;
  readonly slug?: string | undefined;
  readonly device?: "all" | Device | undefined;
  readonly version?: number | undefined;
}

const CELL = 16;

export async function drawHeatmap(context: Context, query: LayoutQuery): Promise<Heatmap> {
  const { database } = context;
  const filter = await findLayout(context, query);
  const cells = await readCells(database, filter);
  const elements = await readElements(database, filter);
  return {
    pageId: filter.pageId,
    device: query.device ?? "all",
    views: await countViews(database, filter),
    grid: { x: "permille of width", y: "px", cell: CELL },
    points: cells.map(({ cellX, cellY, clicks }) => ({ x: cellX * CELL, y: cellY * CELL, count: clicks })),
    elements: elements.map(({ selector, clicks }) => ({ selector, count: clicks })),
    height: await readHeight(database, filter),
  };
}

export async function measureScrollDepth(context: Context, query: LayoutQuery): Promise<ScrollDepth> {
  const filter = await findLayout(context, query);
  const depths = await readDepths(context.database, filter);
  const views = depths.reduce((sum, { views }) => sum + views, 0);
  const total = depths.reduce((sum, { depth, views }) => sum + depth * views, 0);
  return {
    pageId: filter.pageId,
    device: query.device ?? "all",
    views,
    average: views === 0 ? 0 : round(total / views, 10),
    median: medianOf(depths, views),
    buckets: Array.from({ length: 20 }, (_, index) => {
      const depth = (index + 1) * 5;
      const reached = depths.reduce((sum, entry) => sum + (entry.depth >= depth ? entry.views : 0), 0);
      return { depth, reached, share: views === 0 ? 0 : round(reached / views, 10_000) };
    }),
  };
}

async function findLayout(context: Context, query: LayoutQuery): Promise<LayoutFilter> {
  const named = query.pageId ?? query.slug;
  if (named === undefined) {
    throw new ProblemError("page_required", { errors: [{ pointer: "/query/pageId", detail: "is missing" }] });
  }
  const page = await getAnalyzedPage(context, named);
  const { device, version } = query;
  const span = parseDayRange(query, context.now);
  return { pageId: page.id, device: device === "all" ? undefined : device, version, span };
}

interface DepthCount {
  readonly depth: number;
  readonly views: number;
}

/** The depth in the middle of all views; between the two middle ones of an even number. */
function medianOf(depths: readonly DepthCount[], views: number): number {
  if (views === 0) return 0;
  return (depthAt(depths, Math.ceil(views / 2)) + depthAt(depths, Math.floor(views / 2) + 1)) / 2;
}

/** The depth of the view with this rank, counted from 1 and from the least depth. */
function depthAt(depths: readonly DepthCount[], rank: number): number {
  let passed = 0;
  for (const { depth, views } of depths) {
    passed += views;
    if (passed >= rank) return depth;
  }
  return 0;
}

function round(value: number, steps: number): number {
  return Math.round(value * steps) / steps;
}
