import { includesScope } from "../../../contract/people.ts";
import { ProblemError } from "../../http/problem.ts";
import { assetUrl, libraryPath } from "../../resources/addresses.ts";
import { isShownByBrowsers } from "../../resources/file-type.ts";
import { addAsset, getAsset, inspectFile, patchAsset, type AcceptedFile } from "../../resources/library.ts";
import { listAssets, type Asset } from "../../store/assets.ts";
import type { Position } from "../../store/keyset.ts";
import { write, type DashboardContext } from "../context.ts";
import { readForm, type SentForm } from "../forms.ts";
import { thumbnailUrl } from "../parts/previews.tsx";
import { fileTitle } from "../parts/titles.ts";
import { onePerPicture, USUAL_VARIANTS } from "./one-per-picture.ts";

/** Maximum number of images offered at once. */
export const SHOWN = 24;
const READ_AT_ONCE = USUAL_VARIANTS * SHOWN;
const MOST_READS = 5;

/** Lists library images for the editor, newest first, by name or alternative text. */
export async function listPictures(context: DashboardContext): Promise<Response> {
  const { reader, accountId, addresses } = context.var.records;
  const { q = "" } = context.req.query();
  const filter = { text: q === "" ? undefined : q, type: "image" };
  const read: Asset[] = [];
  let [shown, after, reads]: [readonly Asset[], Position | undefined, number] = [[], undefined, 0];
  do {
    const { items, next } = await listAssets(reader, accountId, { filter, window: { limit: READ_AT_ONCE, after } });
    read.push(...items.filter(({ contentType }) => isShownByBrowsers(contentType)));
    [shown, after, reads] = [onePerPicture(read), next, reads + 1];
  } while (after !== undefined && shown.length < SHOWN && reads < MOST_READS);
  return Response.json({ items: shown.slice(0, SHOWN).map((asset) => describe(asset, addresses.pagesUrl)) });
}

/** Redirects to the thumbnail of a library image, which is named by its URL. */
export async function showPicture(context: DashboardContext): Promise<Response> {
  const { records } = context.var;
  const { libraryUrl, pagesUrl } = records.addresses;
  const [, , id = ""] = libraryPath(context.req.query("address"), libraryUrl ?? pagesUrl)?.split("/") ?? [];
  return context.redirect(thumbnailUrl(await getAsset(records, id), pagesUrl), 302);
}

/** Adds an image to the library, or sets the alternative text of an existing one. */
export async function savePicture(context: DashboardContext): Promise<Response> {
  const { records, person } = context.var;
  return await receivePicture(context, async ({ values: { id, alt = "" }, files: [file] }) => {
    if (!includesScope(person.scopes, "library:write")) {
      throw new ProblemError("insufficient_scope", {
        detail: "Your role doesn't include adding files to the library.",
      });
    }
    const asset = file === undefined ? await describePicture(context, id ?? "", alt) : await addPicture(context, file);
    return describe(asset, records.addresses.pagesUrl);
  });
}

/** Handles an image upload from the editor; rejections become a sentence. */
export async function receivePicture(
  context: DashboardContext,
  receive: (sent: SentForm) => Promise<object>,
): Promise<Response> {
  const { core, records } = context.var;
  return await core.uploads.run(async () => {
    const limit = { maxBytes: 2 * records.limits.maxAssetBytes, code: "asset_too_large" } as const;
    return Response.json(await receive(await readForm(context, limit)));
  });
}

async function addPicture(context: DashboardContext, file: File): Promise<Asset> {
  const { records } = context.var;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const accepted = await inspectPicture(context, fileTitle(file), bytes);
  await records.blobs.write(accepted.hash, bytes);
  return await write(context, async (transaction) => (await addAsset(transaction, accepted, {})).asset);
}

/** Checks an image for a text. Throws `unsupported_asset_type` if readers' browsers wouldn't show it. */
export async function inspectPicture(
  { var: { records } }: DashboardContext,
  name: string,
  bytes: Uint8Array,
): Promise<AcceptedFile> {
  const accepted = await inspectFile(records, { name, bytes }, "images");
  if (isShownByBrowsers(accepted.contentType)) return accepted;
  const detail = `${name} is ${accepted.contentType}, which many browsers don’t show. Save it as JPEG, PNG, or WebP first.`;
  throw new ProblemError("unsupported_asset_type", { detail });
}

async function describePicture(context: DashboardContext, id: string, alt: string): Promise<Asset> {
  if (id === "") throw new ProblemError("invalid_body", { detail: "Choose a picture first." });
  const { alt: known } = await getAsset(context.var.records, id);
  const patch = { alt: alt === "" ? known : alt };
  return await write(context, (transaction) => patchAsset(transaction, id, patch));
}

function describe(asset: Asset, pagesUrl: string) {
  const { id, alt, width, height } = asset;
  return {
    id,
    name: fileTitle(asset),
    alt: alt ?? "",
    width,
    height,
    url: assetUrl({ appUrl: "", pagesUrl }, asset),
    thumbnail: thumbnailUrl(asset, pagesUrl),
  };
}
