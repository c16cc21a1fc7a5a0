import { describeAccount } from "../../../resources/account.ts";
import type { DashboardApp } from "../../scene.ts";
import { renderFirstRun } from "./first-run.tsx";
import { renderOverview } from "./overview.tsx";

/** The first page of the dashboard: what there is, or how to begin. */
export function registerOverview(app: DashboardApp): void {
  app.get("/", async (context) => {
    const { scene } = context.var;
    const { usage } = await describeAccount(scene.records, scene.core.settings.routeSet);
    const isEmpty = usage.pages + usage.posts + usage.assets === 0;
    return isEmpty ? renderFirstRun(scene) : await renderOverview(scene, usage);
  });
}
