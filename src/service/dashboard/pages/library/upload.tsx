import { assetUploadFields } from "../../../../contract/requests.ts";
import { addAsset, inspectFile, type AcceptedFile } from "../../../resources/library.ts";
import { ProblemError } from "../../../http/problem.ts";
import type { Asset } from "../../../store/assets.ts";
import { freshForm, type FormState } from "../../form-state.ts";
import { attempt, parseInput, readForm, type SentForm } from "../../forms.ts";
import { FormProblem, TextField } from "../../parts/fields.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Bytes } from "../../parts/values.tsx";
import { write, type DashboardApp, type Scene } from "../../scene.ts";
import { splitTags } from "./tags.ts";

// As for uploads by the API: files are held in memory whole.
const MAX_FULL_FILES = 4;

export function registerUpload(app: DashboardApp): void {
  app.get("/library/new", (context) => renderForm(context.var.scene, freshForm()));

  app.post("/library", async (context) => {
    const { scene } = context.var;
    const maxBytes = MAX_FULL_FILES * scene.records.limits.maxAssetBytes;
    return await scene.core.uploads.run(async () => {
      const form = await readForm(context, { maxBytes, code: "asset_too_large" });
      return await attempt({
        values: form.values,
        async accept() {
          const assets = await store(scene, form);
          const only = assets.length === 1 ? assets[0] : undefined;
          const path = only === undefined ? "/library" : `/library/${only.id}`;
          return context.redirect(`${path}?notice=assets-added`, 303);
        },
        again: (state) => renderForm(scene, state),
      });
    });
  });
}

/** Looks at all files before any is stored, so that one that is refused leaves nothing behind. */
async function store(scene: Scene, { files, values }: SentForm): Promise<readonly Asset[]> {
  const { records } = scene;
  const tags = splitTags(values["tags"] ?? "");
  const alt = files.length === 1 && values["alt"] !== "" ? values["alt"] : undefined;
  const fields = parseInput(assetUploadFields, { alt, tags });
  if (files.length === 0) throw new ProblemError("invalid_body", { detail: "Please choose a file first." });
  const accepted: { readonly file: AcceptedFile; readonly bytes: Uint8Array }[] = [];
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    accepted.push({ bytes, file: await inspectFile(records, { name: file.name, bytes }, "any") });
  }
  for (const { file, bytes } of accepted) await records.blobs.write(file.hash, bytes);
  return await write(scene, async (context) => {
    const assets: Asset[] = [];
    for (const { file } of accepted) assets.push((await addAsset(context, file, fields)).asset);
    return assets;
  });
}

function renderForm(scene: Scene, state: FormState): Response {
  return renderShell(
    scene,
    { title: "Add files", section: "/library", parent: { title: "Library", path: "/library" }, status: state.status },
    <form method="post" action="/library" enctype="multipart/form-data">
      <FormProblem state={state} />
      <div class="field">
        <label for="file">Files</label>
        <input id="file" name="file" type="file" multiple required aria-describedby="file-hint" />
        <p class="hint" id="file-hint">
          Up to <Bytes count={scene.records.limits.maxAssetBytes} /> each. A file that the library has already is not
          stored twice.
        </p>
      </div>
      <TextField
        state={state}
        name="alt"
        label="What it shows"
        hint="For people who can’t see the picture. Only with a single file."
      />
      <TextField state={state} name="tags" label="Tags" hint="Words to find it by, with commas between them." />
      <button type="submit">Add to the library</button>
    </form>,
  );
}
