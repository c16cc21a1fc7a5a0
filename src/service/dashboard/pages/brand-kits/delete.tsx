import { getBrandKit, removeBrandKit } from "../../../resources/brand-kits.ts";
import { listSitesOfKit } from "../../../store/sites.ts";
import { renderConfirmation } from "../../parts/confirm.tsx";
import { write, type DashboardContext } from "../../scene.ts";

export async function askToDelete(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { database, accountId } = scene.records;
  const { id, name } = await getBrandKit(scene.records, context.req.param("kitId") ?? "");
  const sites = await listSitesOfKit(database, accountId, id);
  return renderConfirmation(
    scene,
    {
      title: `Delete “${name}”?`,
      section: "/brand-kits",
      parent: { title: name, path: `/brand-kits/${id}` },
      to: `/brand-kits/${id}/delete`,
      label: "Delete the brand kit",
    },
    <p>
      {sites.length === 0
        ? "No site uses it. Its logos stay in the library."
        : `${sites.map((site) => site.name).join(", ")} will have no brand kit any more. Its logos stay in the library.`}
    </p>,
  );
}

export async function deleteKit(context: DashboardContext): Promise<Response> {
  await write(context.var.scene, (records) => removeBrandKit(records, context.req.param("kitId") ?? "", {}));
  return context.redirect("/brand-kits?notice=kit-deleted", 303);
}
