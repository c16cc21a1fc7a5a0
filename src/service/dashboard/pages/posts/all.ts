import type { DashboardApp } from "../../scene.ts";
import { registerPostDeletion } from "./delete.tsx";
import { registerPostEditing } from "./edit.tsx";
import { registerNewPost } from "./new.tsx";
import { registerPreviewLinks } from "./preview-link.tsx";
import { registerPostView } from "./view.tsx";

/** Posts of blogs: one with its preview, and the forms in which they are written. */
export function registerPostPages(app: DashboardApp): void {
  registerPostView(app);
  registerNewPost(app);
  registerPostEditing(app);
  registerPostDeletion(app);
  registerPreviewLinks(app);
}
