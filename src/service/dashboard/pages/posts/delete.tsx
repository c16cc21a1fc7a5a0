import { getPost, removePost } from "../../../resources/posts.ts";
import { readForm, versionOf } from "../../forms.ts";
import { renderConfirmation } from "../../parts/confirm.tsx";
import { write, type DashboardApp } from "../../scene.ts";
import { postPath } from "./paths.ts";
import { namesOf } from "./view.tsx";

/** Asks whether a post is to be deleted, and deletes it. */
export function registerPostDeletion(app: DashboardApp): void {
  app.get("/blogs/:blog/posts/:slug/delete", async (context) => {
    const { scene } = context.var;
    const shown = await getPost(scene.records, namesOf(context));
    const { title, version } = shown.post;
    const confirmation = {
      title: `Delete “${title}”?`,
      section: "/blogs",
      parent: { title, path: postPath(shown) },
      to: `${postPath(shown)}/delete`,
      label: "Delete the post",
      fields: { version: String(version) },
    };
    return renderConfirmation(
      scene,
      confirmation,
      <p>Its text is lost unless it stands elsewhere, such as in the files that it was published from.</p>,
    );
  });

  app.post("/blogs/:blog/posts/:slug/delete", async (context) => {
    const { scene } = context.var;
    const { values } = await readForm(context);
    const removal = { ...namesOf(context), preconditions: versionOf(values) };
    await write(scene, (records) => removePost(records, removal));
    return context.redirect(`/blogs/${removal.blogName}?notice=post-deleted`, 303);
  });
}
