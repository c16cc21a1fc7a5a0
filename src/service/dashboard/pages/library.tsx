import { titlesOf } from "../../../contract/fields.ts";
import { assetRecord } from "../../../contract/records.ts";
import { assetPatchBody, assetUploadFields } from "../../../contract/operations/library.ts";
import { assetUrl } from "../../resources/addresses.ts";
import { readUnreadTexts } from "../../resources/asset-uses.ts";
import { THUMBNAIL } from "../../resources/thumbnails.ts";
import { acceptsJson, isFresh } from "../../http/messages.ts";
import {
  addAsset,
  getAsset,
  inspectFile,
  patchAsset,
  removeAsset,
  type AcceptedFile,
  type AssetWritten,
} from "../../resources/library.ts";
import { ProblemError } from "../../http/problem.ts";
import { listAssetUsers } from "../../store/asset-uses.ts";
import type { Asset } from "../../store/assets.ts";
import { checkRight, paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import {
  attempt,
  freshForm,
  parseFields,
  readForm,
  valuesOf,
  type Fields,
  type FormState,
  type SentForm,
} from "../forms.ts";
import { ButtonLink, FormLink, type Question } from "../parts/actions.tsx";
import { registerBulk } from "../parts/bulk.tsx";
import { FieldList, FieldsForm } from "../parts/fields.tsx";
import { Bytes, Facts } from "../parts/lists.tsx";
import { renderPage, Section } from "../parts/page.tsx";
import { AssetPicture, pixelsOf } from "../parts/previews.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";
import { AssetUsers } from "./asset-users.tsx";
import { LIBRARY, showLibrary } from "./library-list.tsx";
import { canCrop, registerCrop } from "./crop-file.tsx";
import { registerReplacement } from "./replace-file.tsx";
import { fileTitle } from "../parts/titles.ts";

const TITLES = titlesOf(assetRecord);
// Same limit as for API uploads: files are held in memory.
const MAX_FULL_FILES = 4;

const TAGS = { label: TITLES.tags, hint: "Search terms, separated by commas." };

const UPLOAD_FIELDS: Fields = {
  alt: { label: TITLES.alt, hint: "For people who can’t see the picture. Only with a single file." },
  tags: TAGS,
};

const FIELDS: Fields = {
  name: {
    label: TITLES.name,
    required: true,
    hint: "Part of the file’s address: letters from A to Z, digits, dots, hyphens, and underscores.",
  },
  alt: {
    label: TITLES.alt,
    kind: "lines",
    hint: "For people who can’t see the picture. Pages keep their own texts.",
  },
  tags: TAGS,
};

/** Registers the library: images and other files that pages use. */
export function registerLibraryPages(app: DashboardApp): void {
  app.get("/library/new", (context) => {
    checkRight(context, "writes");
    return showUpload(context, freshForm());
  });
  app.post("/library", saveUpload);
  app.get(`/library/:assetId/${THUMBNAIL}`, answerThumbnail);
  registerBulk(app, "/library", LIBRARY);
  registerReplacement(app);
  registerCrop(app);
  resourcePages(app, {
    section: "/library",
    route: "/library/:assetId",
    find: (context) => getAsset(context.var.records, paramOf(context, "assetId")),
    list: showLibrary,
    edit: {
      render: showAsset,
      values: (asset) => valuesOf(FIELDS, asset),
      async save(context, { id }, values) {
        const patch = parseFields(assetPatchBody, { fields: FIELDS, values });
        const { name } = await write(context, (records) => patchAsset(records, id, patch));
        return `/library/${id}?notice=saved${name === patch.name ? "" : ",asset-name-changed"}`;
      },
    },
    questions: { delete: { ask: askToDelete, answer: deleteAsset } },
  });
}

function showUpload(context: DashboardContext, form: FormState): Response {
  return renderPage(
    context,
    { title: "Add files", form },
    <form method="post" action="/library" enctype="multipart/form-data">
      <div class="field">
        <label for="file">Files</label>
        <input id="file" name="file" type="file" multiple required aria-describedby="file-hint" />
        <p class="hint" id="file-hint">
          Up to <Bytes count={context.var.records.limits.maxAssetBytes} /> each. Files that the library already has
          aren’t stored twice.
        </p>
      </div>
      <FieldList fields={UPLOAD_FIELDS} state={form} />
      <button type="submit">Add to library</button>
    </form>,
  );
}

async function saveUpload(context: DashboardContext): Promise<Response> {
  const { core, records } = context.var;
  const maxBytes = MAX_FULL_FILES * records.limits.maxAssetBytes;
  return await core.uploads.run(async () => {
    const form = await readForm(context, { maxBytes, code: "asset_too_large" });
    if (acceptsJson(context.req.raw)) return Response.json({ added: noticesOf(await storeFiles(context, form)) });
    return await attempt(context, {
      values: form.values,
      async accept() {
        const stored = await storeFiles(context, form);
        const [first, ...others] = stored;
        const path = first === undefined || others.length > 0 ? "/library" : `/library/${first.asset.id}`;
        return `${path}?notice=${noticesOf(stored).join(",")}`;
      },
      again: (state) => showUpload(context, state),
    });
  });
}

interface StoredFile extends AssetWritten {
  /** The name that the user's file has. */
  readonly sentName: string;
}

/** Returns the names of the notices about added files. */
function noticesOf(stored: readonly StoredFile[]): readonly string[] {
  const added = stored.filter(({ outcome }) => outcome === "created");
  return [
    ...(added.length > 0 ? ["assets-added"] : []),
    ...(added.length < stored.length ? ["assets-known"] : []),
    ...(added.some(({ asset, sentName }) => asset.name !== sentName) ? ["asset-name-changed"] : []),
  ];
}

/** Checks all files before storing any, so that a rejected one leaves nothing behind. */
async function storeFiles(context: DashboardContext, { files, values }: SentForm): Promise<readonly StoredFile[]> {
  const { records } = context.var;
  const alt = files.length === 1 ? (values["alt"] ?? "") : "";
  const fields = parseFields(assetUploadFields, { fields: UPLOAD_FIELDS, values: { ...values, alt } });
  if (files.length === 0) throw new ProblemError("invalid_body", { detail: "Choose a file first." });
  const accepted: { readonly file: AcceptedFile; readonly bytes: Uint8Array; readonly sentName: string }[] = [];
  for (const file of files) {
    const [sentName, bytes] = [fileTitle(file), new Uint8Array(await file.arrayBuffer())];
    accepted.push({ sentName, bytes, file: await inspectFile(records, { name: sentName, bytes }, "any") });
  }
  for (const { file, bytes } of accepted) await records.blobs.write(file.hash, bytes);
  return await write(context, async (transaction) => {
    const stored: StoredFile[] = [];
    for (const { file, sentName } of accepted) {
      stored.push({ ...(await addAsset(transaction, file, fields)), sentName });
    }
    return stored;
  });
}

/** Serves a thumbnail. Its URL identifies the unchanging file and the thumbnail's format. */
async function answerThumbnail(context: DashboardContext): Promise<Response> {
  const { core, records } = context.var;
  const asset = await getAsset(records, paramOf(context, "assetId"));
  const headers = { "Cache-Control": "private, max-age=31536000, immutable", ETag: `"${asset.hash}-${THUMBNAIL}"` };
  if (isFresh(context.req.header("If-None-Match"), headers.ETag)) return new Response(null, { status: 304, headers });
  const isPicture = asset.contentType.startsWith("image/");
  const thumbnail = isPicture ? await core.thumbnails.find(asset.hash) : undefined;
  if (thumbnail === undefined) {
    // Browsers may support images that can't be resized here.
    const location = { Location: assetUrl(records.addresses, asset), "Cache-Control": "private, max-age=600" };
    return new Response(null, { status: 302, headers: location });
  }
  return new Response(thumbnail, { headers: { ...headers, "Content-Type": "image/webp" } });
}

/** Shows a file and its details. */
async function showAsset(context: DashboardContext, asset: Asset, form: FormState): Promise<Response> {
  const { database, addresses } = context.var.records;
  const users = await listAssetUsers(database, asset.id);
  const url = assetUrl(addresses, asset);
  const actions = (
    <>
      <ButtonLink to={url} variant="quiet" label="Open the file" />
      {canCrop(asset) && <FormLink to={`/library/${asset.id}/crop`} variant="quiet" label="Crop" />}
      <FormLink to={`/library/${asset.id}/replace`} variant="quiet" label="Replace" />
      <ButtonLink to={`/library/${asset.id}/delete`} variant="danger" label="Delete" />
    </>
  );
  return renderPage(
    context,
    { title: fileTitle(asset), form, actions },
    <>
      <div class="columns even">
        <div class="shown">
          <AssetPicture asset={asset} url={url} />
          <Facts
            rows={[
              [TITLES.contentType, asset.contentType],
              [TITLES.size, <Bytes count={asset.size} />],
              ["Pixels", pixelsOf(asset)],
              [TITLES.url, <code>{url}</code>],
              ["Added", asset.createdAt],
            ]}
          />
        </div>
        <FieldsForm to={`/library/${asset.id}`} fields={FIELDS} state={form} button="Save" />
      </div>
      <Section id="users" title={TITLES.usedBy}>
        {users.length === 0 ? <p class="soft">Nothing.</p> : <AssetUsers users={users} />}
      </Section>
    </>,
  );
}

/** Asks for confirmation to delete a file, with a different question if it is in use. */
async function askToDelete(context: DashboardContext, asset: Asset): Promise<Question> {
  const { id } = asset;
  const title = fileTitle(asset);
  const users = await listAssetUsers(context.var.records.database, id);
  const question = { title: `Delete “${title}”?`, parent: { title, path: `/library/${id}` } };
  if (users.length === 0) {
    return { ...question, button: "Delete file", main: <p>Nothing uses it. Its address will stop working.</p> };
  }
  return {
    ...question,
    button: "Delete anyway",
    fields: { force: "yes" },
    main: (
      <>
        <p>Used by:</p>
        <AssetUsers users={users} />
      </>
    ),
  };
}

async function deleteAsset(context: DashboardContext): Promise<string> {
  const { values } = await readForm(context);
  const id = paramOf(context, "assetId");
  await readUnreadTexts(context.var.records);
  await write(context, (records) => removeAsset(records, { id, force: values["force"] === "yes" }));
  return "/library?notice=asset-deleted";
}
