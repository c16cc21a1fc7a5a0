import { readUnreadTexts } from "../../../resources/asset-uses.ts";
import { getAsset, removeAsset } from "../../../resources/library.ts";
import { listAssetUsers } from "../../../store/asset-uses.ts";
import { attempt, readForm } from "../../forms.ts";
import { renderConfirmation } from "../../parts/confirm.tsx";
import { write, type DashboardApp, type Scene } from "../../scene.ts";
import { AssetUsers } from "./view.tsx";

/** Asks whether a file is to be deleted; for one that is in use the question is another one. */
export function registerAssetDeletion(app: DashboardApp): void {
  app.get("/library/:assetId/delete", async (context) =>
    renderQuestion(context.var.scene, { id: context.req.param("assetId"), status: 200 }),
  );

  app.post("/library/:assetId/delete", async (context) => {
    const { scene } = context.var;
    const { values } = await readForm(context);
    const id = context.req.param("assetId");
    return await attempt({
      values,
      async accept() {
        await readUnreadTexts(scene.records);
        await write(scene, (records) => removeAsset(records, { id, force: values["force"] === "yes" }));
        return context.redirect("/library?notice=asset-deleted", 303);
      },
      // Something began to use the file after the question was asked.
      again: async () => await renderQuestion(scene, { id, status: 409 }),
    });
  });
}

async function renderQuestion(
  scene: Scene,
  { id, status }: { readonly id: string; readonly status: number },
): Promise<Response> {
  const { name } = await getAsset(scene.records, id);
  const users = await listAssetUsers(scene.records.database, id);
  const isUsed = users.length > 0;
  const confirmation = {
    title: `Delete “${name}”?`,
    section: "/library",
    parent: { title: name, path: `/library/${id}` },
    to: `/library/${id}/delete`,
    label: isUsed ? "Delete it all the same" : "Delete the file",
    ...(isUsed && { fields: { force: "yes" } }),
    status,
  };
  return renderConfirmation(
    scene,
    confirmation,
    !isUsed ? (
      <p>Nothing uses it. Its address stops working.</p>
    ) : (
      <>
        <p>Used by:</p>
        <AssetUsers users={users} />
      </>
    ),
  );
}
