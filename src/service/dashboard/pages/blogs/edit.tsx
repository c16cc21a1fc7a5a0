import { createBlog, getBlog } from "../../../resources/blogs.ts";
import type { Blog } from "../../../store/blogs.ts";
import { freshForm } from "../../form-state.ts";
import { attempt, readForm } from "../../forms.ts";
import { write, type DashboardApp } from "../../scene.ts";
import { parseBlogFields } from "./fields.tsx";
import { renderBlogView } from "./view.tsx";

/** One blog with its posts, and the form that changes what it is called. */
export function registerBlogEditing(app: DashboardApp): void {
  app.get("/blogs/:blog", async (context) => {
    const blog = await getBlog(context.var.scene.records, context.req.param("blog"));
    return await renderBlogView(context, blog, freshForm(valuesOf(blog)));
  });

  app.post("/blogs/:blog", async (context) => {
    const { scene } = context.var;
    const { values } = await readForm(context);
    const blog = await getBlog(scene.records, context.req.param("blog"));
    return await attempt({
      values,
      async accept() {
        // Creating a blog under a slug that there is changes that blog.
        const body = parseBlogFields(values, blog.slug);
        await write(scene, (records) => createBlog(records, body));
        return context.redirect(`/blogs/${blog.slug}?notice=saved`, 303);
      },
      again: async (state) => await renderBlogView(context, blog, state),
    });
  });
}

function valuesOf({ name, description, siteId }: Blog): Readonly<Record<string, string>> {
  return { name, description: description ?? "", siteId: siteId ?? "" };
}
