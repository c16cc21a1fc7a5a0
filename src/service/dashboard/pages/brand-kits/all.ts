import type { DashboardApp } from "../../scene.ts";
import { freshForm } from "../../form-state.ts";
import { askToDelete, deleteKit } from "./delete.tsx";
import { exportKit } from "./export.ts";
import { extractKit, showKits } from "./list.tsx";
import { renameKit, showRename } from "./rename.tsx";
import { showSheet } from "./sheet.ts";
import { showKit } from "./view.tsx";

/** Brand kits: colors, fonts and logos, to look at and to take along. */
export function registerBrandKitPages(app: DashboardApp): void {
  app.get("/brand-kits", (context) => showKits(context, freshForm()));
  app.post("/brand-kits", extractKit);
  app.get("/brand-kits/:kitId", showKit);
  app.get("/brand-kits/:kitId/sheet", showSheet);
  app.get("/brand-kits/:kitId/export/:format", exportKit);
  app.get("/brand-kits/:kitId/rename", showRename);
  app.post("/brand-kits/:kitId/rename", renameKit);
  app.get("/brand-kits/:kitId/delete", askToDelete);
  app.post("/brand-kits/:kitId/delete", deleteKit);
}
