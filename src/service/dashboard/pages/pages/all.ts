import type { DashboardApp } from "../../scene.ts";
import { registerPageDeletion } from "./delete.tsx";
import { registerPageEditing } from "./edit.tsx";
import { registerPageList } from "./list.tsx";
import { registerPagePreview } from "./preview.ts";

/** Published pages: the list, one page with its preview, and what can be done with it. */
export function registerPagePages(app: DashboardApp): void {
  registerPageList(app);
  registerPageEditing(app);
  registerPageDeletion(app);
  registerPagePreview(app);
}
