import { assetPatchBody } from "../../../../contract/requests.ts";
import { getAsset, patchAsset } from "../../../resources/library.ts";
import type { Asset } from "../../../store/assets.ts";
import { freshForm } from "../../form-state.ts";
import { attempt, parseInput, readForm, textOrNull } from "../../forms.ts";
import { write, type DashboardApp } from "../../scene.ts";
import { splitTags } from "./tags.ts";
import { renderAssetView } from "./view.tsx";

/** One file, and what can be said about it. */
export function registerAssetEditing(app: DashboardApp): void {
  app.get("/library/:assetId", async (context) => {
    const asset = await getAsset(context.var.scene.records, context.req.param("assetId"));
    return await renderAssetView(context, asset, freshForm(valuesOf(asset)));
  });

  app.post("/library/:assetId", async (context) => {
    const { scene } = context.var;
    const { values } = await readForm(context);
    const asset = await getAsset(scene.records, context.req.param("assetId"));
    return await attempt({
      values,
      async accept() {
        const { name, alt, tags } = values;
        const input = { name: name ?? "", alt: textOrNull(alt), tags: splitTags(tags ?? "") };
        const patch = parseInput(assetPatchBody, input);
        await write(scene, (records) => patchAsset(records, asset.id, patch));
        return context.redirect(`/library/${asset.id}?notice=saved`, 303);
      },
      again: async (state) => await renderAssetView(context, asset, state),
    });
  });
}

function valuesOf({ name, alt, tags }: Asset): Readonly<Record<string, string>> {
  return { name, alt: alt ?? "", tags: tags.join(", ") };
}
