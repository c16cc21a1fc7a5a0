import { createSite } from "../../../resources/sites.ts";
import { freshForm, type FormState } from "../../form-state.ts";
import { attempt, readForm } from "../../forms.ts";
import { renderShell } from "../../parts/shell.tsx";
import { write, type DashboardApp, type Scene } from "../../scene.ts";
import { parseSiteFields, readSiteOffers, SiteFields } from "./fields.tsx";

export function registerNewSite(app: DashboardApp): void {
  app.get("/sites/new", async (context) => await renderForm(context.var.scene, freshForm()));

  app.post("/sites", async (context) => {
    const { scene } = context.var;
    const { values } = await readForm(context);
    return await attempt({
      values,
      async accept() {
        const body = parseSiteFields(values);
        const { site } = await write(scene, (records) => createSite(records, body));
        return context.redirect(`/sites/${site.id}?notice=site-created`, 303);
      },
      again: async (state) => await renderForm(scene, state),
    });
  });
}

async function renderForm(scene: Scene, state: FormState): Promise<Response> {
  const offers = await readSiteOffers(scene.records);
  return renderShell(
    scene,
    { title: "New site", section: "/sites", parent: { title: "Sites", path: "/sites" }, status: state.status },
    <form method="post" action="/sites">
      <SiteFields state={state} offers={offers} />
      <button type="submit">Make the site</button>
    </form>,
  );
}
