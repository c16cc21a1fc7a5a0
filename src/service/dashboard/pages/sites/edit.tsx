import { getSite, patchSite } from "../../../resources/sites.ts";
import type { Site } from "../../../store/sites.ts";
import { freshForm, overtakenForm } from "../../form-state.ts";
import { attempt, readForm, versionOf } from "../../forms.ts";
import { write, type DashboardApp } from "../../scene.ts";
import { parseSiteFields } from "./fields.tsx";
import { renderSiteView } from "./view.tsx";

/** One site, and the form that changes it. */
export function registerSiteEditing(app: DashboardApp): void {
  app.get("/sites/:siteId", async (context) => {
    const site = await getSite(context.var.scene.records, context.req.param("siteId"));
    return await renderSiteView(context, site, freshForm(valuesOf(site)));
  });

  app.post("/sites/:siteId", async (context) => {
    const { scene } = context.var;
    const { values } = await readForm(context);
    const site = await getSite(scene.records, context.req.param("siteId"));
    return await attempt({
      values,
      async accept() {
        const patch = parseSiteFields(values);
        const change = { id: site.id, patch, preconditions: versionOf(values) };
        await write(scene, (records) => patchSite(records, change));
        return context.redirect(`/sites/${site.id}?notice=saved`, 303);
      },
      again: async (state, problem) =>
        await renderSiteView(
          context,
          site,
          problem.code === "version_mismatch" ? overtakenForm(state, valuesOf(site)) : state,
        ),
    });
  });
}

function valuesOf({ name, slug, homeSlug, brandKitId, version }: Site): Readonly<Record<string, string>> {
  return { name, slug, homeSlug: homeSlug ?? "", brandKitId: brandKitId ?? "", version: String(version) };
}
