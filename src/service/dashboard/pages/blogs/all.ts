import type { DashboardApp } from "../../scene.ts";
import { registerBlogEditing } from "./edit.tsx";
import { registerBlogList } from "./list.tsx";
import { registerNewBlog } from "./new.tsx";

/** Blogs: the list, and one with its posts. */
export function registerBlogPages(app: DashboardApp): void {
  registerBlogList(app);
  registerNewBlog(app);
  registerBlogEditing(app);
}
