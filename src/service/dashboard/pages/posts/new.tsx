import { postCreateBody } from "../../../../contract/requests.ts";
import { getBlog } from "../../../resources/blogs.ts";
import { createPost } from "../../../resources/posts.ts";
import { slugFrom } from "../../../resources/slugs.ts";
import type { Blog } from "../../../store/blogs.ts";
import { freshForm, type FormState } from "../../form-state.ts";
import { attempt, parseInput, readForm } from "../../forms.ts";
import { TextField } from "../../parts/fields.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { write, type DashboardApp, type Scene } from "../../scene.ts";
import { PostFields, readPostFields } from "./fields.tsx";
import { postPath } from "./paths.ts";

export function registerNewPost(app: DashboardApp): void {
  app.get("/blogs/:blog/new", async (context) => {
    const { scene } = context.var;
    const blog = await getBlog(scene.records, context.req.param("blog"));
    return renderForm(scene, { blog, state: freshForm({ status: "draft" }) });
  });

  app.post("/blogs/:blog/posts", async (context) => {
    const { scene } = context.var;
    const { values } = await readForm(context);
    const blog = await getBlog(scene.records, context.req.param("blog"));
    return await attempt({
      values,
      async accept() {
        const { slug = "", title = "" } = values;
        const named = slug.trim() === "" ? slugFrom(title, "post") : slug.trim();
        const body = parseInput(postCreateBody, { slug: named, ...readPostFields(values) });
        const created = await write(scene, (records) => createPost(records, blog.id, body));
        return context.redirect(`${postPath(created)}?notice=post-created`, 303);
      },
      again: (state) => renderForm(scene, { blog, state }),
    });
  });
}

interface NewPost {
  readonly blog: Blog;
  readonly state: FormState;
}

function renderForm(scene: Scene, { blog, state }: NewPost): Response {
  const page = {
    title: "New post",
    section: "/blogs",
    parent: { title: blog.name, path: `/blogs/${blog.slug}` },
    status: state.status,
  };
  return renderShell(
    scene,
    page,
    <form method="post" action={`/blogs/${blog.slug}/posts`}>
      <PostFields state={state} />
      <TextField
        state={state}
        name="slug"
        label="Slug"
        hint="Part of the post’s address. Without one it is made of the title; it stays as it is then."
      />
      <button type="submit">Save the post</button>
    </form>,
  );
}
