import type { BlogCreateBody } from "../../../../contract/requests.ts";
import { createBlog } from "../../../resources/blogs.ts";
import type { Context } from "../../../resources/context.ts";
import { ProblemError } from "../../../http/problem.ts";
import type { Blog } from "../../../store/blogs.ts";
import { freshForm, type FormState } from "../../form-state.ts";
import { attempt, readForm, textOrNull } from "../../forms.ts";
import { TextField } from "../../parts/fields.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { write, type DashboardApp, type Scene } from "../../scene.ts";
import { readSiteNames } from "../../site-names.ts";
import { BlogFields, parseBlogFields } from "./fields.tsx";

export function registerNewBlog(app: DashboardApp): void {
  app.get("/blogs/new", async (context) => await renderForm(context.var.scene, freshForm()));

  app.post("/blogs", async (context) => {
    const { scene } = context.var;
    const { values } = await readForm(context);
    return await attempt({
      values,
      async accept() {
        const body = parseBlogFields(values, textOrNull(values["slug"]) ?? undefined);
        const blog = await write(scene, (records) => createOther(records, body));
        return context.redirect(`/blogs/${blog.slug}?notice=blog-created`, 303);
      },
      again: async (state) => await renderForm(scene, state),
    });
  });
}

// To a program, making the same blog again is the same wish; a person who types a taken slug means another blog.
async function createOther(context: Context, body: BlogCreateBody): Promise<Blog> {
  const { blog, outcome } = await createBlog(context, body);
  if (outcome === "created") return blog;
  const detail = `There is a blog “${blog.slug}” already.`;
  throw new ProblemError("slug_taken", { detail, errors: [{ pointer: "/body/slug", detail: "is taken" }] });
}

async function renderForm(scene: Scene, state: FormState): Promise<Response> {
  const sites = await readSiteNames(scene.records);
  return renderShell(
    scene,
    { title: "New blog", section: "/blogs", parent: { title: "Blogs", path: "/blogs" }, status: state.status },
    <form method="post" action="/blogs">
      <BlogFields state={state} sites={sites} />
      <TextField
        state={state}
        name="slug"
        label="Slug"
        hint="Part of the blog’s address. Without one it is made of the name; it stays as it is then."
      />
      <button type="submit">Make the blog</button>
    </form>,
  );
}
