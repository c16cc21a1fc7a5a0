import type { DashboardApp } from "../../scene.ts";
import { exportPages, exportSeries } from "./export.ts";
import { showHeatmap } from "./heatmap.tsx";
import { previewLayout } from "./layout-preview.ts";
import { showOverview } from "./overview.tsx";
import { showPageAnalytics } from "./page.tsx";

/** What visitors did: on all pages, on one page, and where on it. */
export function registerAnalyticsPages(app: DashboardApp): void {
  app.get("/analytics", showOverview);
  app.get("/analytics/pages.csv", exportPages);
  app.get("/analytics/:pageId", showPageAnalytics);
  app.get("/analytics/:pageId/days.csv", exportSeries);
  app.get("/analytics/:pageId/heatmap", showHeatmap);
  app.get("/analytics/:pageId/layout", previewLayout);
}
