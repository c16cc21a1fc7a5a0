import type { DashboardApp } from "../../scene.ts";
import { registerSiteDeletion } from "./delete.tsx";
import { registerSiteEditing } from "./edit.tsx";
import { registerSiteList } from "./list.tsx";
import { registerNewSite } from "./new.tsx";

/** Sites: what groups pages, names their home page and gives them a look. */
export function registerSitePages(app: DashboardApp): void {
  registerSiteList(app);
  registerNewSite(app);
  registerSiteEditing(app);
  registerSiteDeletion(app);
}
