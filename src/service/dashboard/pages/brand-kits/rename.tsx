import { brandKitBody } from "../../../../contract/requests.ts";
import { getBrandKit, replaceBrandKit } from "../../../resources/brand-kits.ts";
import type { BrandKit } from "../../../store/brand-kits.ts";
import { freshForm, type FormState } from "../../form-state.ts";
import { attempt, parseInput, readForm, versionOf } from "../../forms.ts";
import { FormProblem, TextField } from "../../parts/fields.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { write, type DashboardContext, type Scene } from "../../scene.ts";
import { bodyOfKit } from "./kit-body.ts";

/** `/brand-kits/:kitId/rename` */
export async function showRename(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const kit = await getBrandKit(scene.records, context.req.param("kitId") ?? "");
  return renderRename(scene, kit, freshForm({ name: kit.name }));
}

export async function renameKit(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const kit = await getBrandKit(scene.records, context.req.param("kitId") ?? "");
  const { values } = await readForm(context);
  return await attempt({
    values,
    async accept() {
      const body = parseInput(brandKitBody, { ...bodyOfKit(kit), name: values["name"] });
      const change = { id: kit.id, body, preconditions: versionOf(values) };
      await write(scene, (records) => replaceBrandKit(records, change));
      return context.redirect(`/brand-kits/${kit.id}?notice=saved`, 303);
    },
    again: (state) => renderRename(scene, kit, state),
  });
}

function renderRename(scene: Scene, { id, name, version }: BrandKit, state: FormState): Response {
  const path = `/brand-kits/${id}`;
  return renderShell(
    scene,
    { title: "Rename the brand kit", section: "/brand-kits", parent: { title: name, path }, status: state.status },
    <form method="post" action={`${path}/rename`} class="panel">
      <FormProblem state={state} />
      <input type="hidden" name="version" value={state.values["version"] ?? version} />
      <TextField state={state} name="name" label="Name" required />
      <button type="submit">Save</button>
    </form>,
  );
}
