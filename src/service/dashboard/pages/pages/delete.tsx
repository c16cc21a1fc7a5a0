import { getPageById, removePage } from "../../../resources/pages.ts";
import { renderConfirmation } from "../../parts/confirm.tsx";
import { write, type DashboardApp } from "../../scene.ts";

/** Asks whether a page is to be deleted, and deletes it. */
export function registerPageDeletion(app: DashboardApp): void {
  app.get("/pages/:pageId/delete", async (context) => {
    const { scene } = context.var;
    const { id, title, slug } = await getPageById(scene.records, context.req.param("pageId"));
    const confirmation = {
      title: `Delete “${title}”?`,
      section: "/pages",
      parent: { title, path: `/edit/${id}` },
      to: `/pages/${id}/delete`,
      label: "Delete the page",
    };
    return renderConfirmation(
      scene,
      confirmation,
      <p>
        Visitors of <code>/p/{slug}</code> will read that the page is gone. Its numbers go with it; what was sent
        through its forms stays. This can’t be undone here: publishing the page again makes a new one.
      </p>,
    );
  });

  app.post("/pages/:pageId/delete", async (context) => {
    const { scene } = context.var;
    const page = await getPageById(scene.records, context.req.param("pageId"));
    await write(scene, (records) => removePage(records, page.slug, {}));
    return context.redirect("/pages?notice=page-deleted", 303);
  });
}
