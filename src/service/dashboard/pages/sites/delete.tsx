import { getSite, removeSite } from "../../../resources/sites.ts";
import { readForm } from "../../forms.ts";
import { renderConfirmation } from "../../parts/confirm.tsx";
import { write, type DashboardApp } from "../../scene.ts";

/** Asks whether a site is to be deleted and what becomes of its pages, and does it. */
export function registerSiteDeletion(app: DashboardApp): void {
  app.get("/sites/:siteId/delete", async (context) => {
    const { scene } = context.var;
    const { id, name, pageCount } = await getSite(scene.records, context.req.param("siteId"));
    const confirmation = {
      title: `Delete “${name}”?`,
      section: "/sites",
      parent: { title: name, path: `/sites/${id}` },
      to: `/sites/${id}/delete`,
      label: "Delete the site",
    };
    return renderConfirmation(
      scene,
      confirmation,
      pageCount === 0 ? <p>No page belongs to it.</p> : <PagesChoice count={pageCount} />,
    );
  });

  app.post("/sites/:siteId/delete", async (context) => {
    const { scene } = context.var;
    const { values } = await readForm(context);
    const pages = values["pages"] === "delete" ? "delete" : "keep";
    const removal = { id: context.req.param("siteId"), pages, preconditions: {} } as const;
    await write(scene, (records) => removeSite(records, removal));
    return context.redirect("/sites?notice=site-deleted", 303);
  });
}

function PagesChoice({ count }: { readonly count: number }) {
  return (
    <fieldset>
      <legend>{count === 1 ? "Its page" : `Its ${count} pages`}</legend>
      <label class="choice">
        <input type="radio" name="pages" value="keep" checked /> stay where they are, without a site
      </label>
      <label class="choice">
        <input type="radio" name="pages" value="delete" /> are deleted too; visitors will read that they are gone
      </label>
    </fieldset>
  );
}
