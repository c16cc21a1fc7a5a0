import type { DashboardApp } from "../../scene.ts";
import { registerAssetDeletion } from "./delete.tsx";
import { registerAssetEditing } from "./edit.tsx";
import { registerAssetList } from "./list.tsx";
import { registerUpload } from "./upload.tsx";

/** The library: pictures and other files that pages use. */
export function registerLibraryPages(app: DashboardApp): void {
  registerAssetList(app);
  registerUpload(app);
  registerAssetEditing(app);
  registerAssetDeletion(app);
}
