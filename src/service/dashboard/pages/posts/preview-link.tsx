import { getPost } from "../../../resources/posts.ts";
import { createPreviewLink } from "../../../resources/preview-links.ts";
import { Secret } from "../../parts/secret.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Time } from "../../parts/values.tsx";
import { write, type DashboardApp } from "../../scene.ts";
import { postPath } from "./paths.ts";
import { namesOf } from "./view.tsx";

/** Makes links that show a draft to others, each shown once. */
export function registerPreviewLinks(app: DashboardApp): void {
  app.post("/blogs/:blog/posts/:slug/preview-links", async (context) => {
    const { scene } = context.var;
    const names = namesOf(context);
    const shown = await getPost(scene.records, names);
    const { url, expiresAt } = await write(scene, (records) => createPreviewLink(records, names));
    const path = postPath(shown);
    return renderShell(
      scene,
      { title: "Preview link", section: "/blogs", parent: { title: shown.post.title, path }, status: 201 },
      <>
        <p>
          Anyone with this link can read the draft until <Time at={expiresAt} />. The link always shows the latest
          version, and stops working when the post is deleted.
        </p>
        <Secret label="Preview link" text={url} hint="Copy it now: it isn't stored and can't be shown again." />
        <p>
          <a class="button quiet" href={path}>
            Done
          </a>
        </p>
      </>,
    );
  });
}
