import { sha256 } from "../../base/hash.ts";
import { isProbeFile } from "../../contract/probe-file.ts";
import type { AssetPatchBody, AssetUploadFields, AssetImportBody } from "../../contract/operations/library.ts";
import { recordAssetUses } from "../store/asset-uses.ts";
import { findAsset, type Asset } from "../store/assets.ts";
import { findNamedAsset } from "../store/releases.ts";
import { deleteRecord, saveRow } from "../store/rows.ts";
import { holdName } from "../store/transactions.ts";
import { findAssetIds, refuseWhenUsed } from "./asset-uses.ts";
import { audit } from "./audit.ts";
import type { Context } from "./context.ts";
import { applyPatch, found } from "./fields.ts";
import { detectContentType, isTextType, readImageSize, type ImageSize } from "./file-type.ts";
import { ProblemError } from "../http/problem.ts";
import { FetchError, type Fetched } from "../guarded-fetch/guarded-fetch.ts";
import { decodeComponent } from "../../base/decode-component.ts";

/** An uploaded file. */
export interface IncomingFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface AcceptedFile extends ImageSize {
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly hash: string;
  /** Ids of library files that it refers to. */
  readonly assetIds: readonly string[];
}

/** File types that the library accepts: anything except HTML, or images only. */
export type AcceptedTypes = "any" | "images";

export interface AssetWritten {
  readonly asset: Asset;
  readonly outcome: "created" | "existing";
}

/**
 * Checks a file, which is slow and therefore done before the transaction. Throws `asset_too_large`,
 * `unsupported_asset_type`, `image_unreadable` or `image_too_many_pixels`.
 */
export async function inspectFile(
  { limits }: Context,
  { name, bytes }: IncomingFile,
  types: AcceptedTypes,
): Promise<AcceptedFile> {
  if (bytes.byteLength > limits.maxAssetBytes) {
    throw new ProblemError("asset_too_large", {
      detail: `The file has ${bytes.byteLength} bytes; the maximum is ${limits.maxAssetBytes}.`,
    });
  }
  const safeName = toSafeName(name);
  const contentType = await detectContentType(safeName, bytes);
  if (types === "images" && !contentType.startsWith("image/")) {
    throw new ProblemError("unsupported_asset_type", {
      detail: `${safeName} is ${contentType}; only images are accepted.`,
    });
  }
  const imageSize = await readImageSize(contentType, { name: safeName, bytes, maxPixels: limits.maxImagePixels });
  // Style sheets, scripts and SVG images may load other files.
  const assetIds = isTextType(contentType) ? findAssetIds([Buffer.from(bytes).toString()]) : [];
  return { name: safeName, contentType, size: bytes.byteLength, hash: sha256(bytes), ...imageSize, assetIds };
}

/** Creates the record of a stored file. A file that the library already has is returned unchanged. */
export async function addAsset(
  context: Context,
  { assetIds, ...file }: AcceptedFile,
  fields: AssetUploadFields,
): Promise<AssetWritten> {
  const { database, accountId, newId, now } = context;
  await holdName(database, `asset ${accountId} ${file.hash}`);
  const existing = await findAsset(database, { accountId, hash: file.hash });
  if (existing !== undefined) return { asset: existing, outcome: "existing" };
  // Pages of a release may already refer to it by the name in its URL.
  const named = await findNamedAsset(database, { accountId, hash: file.hash });
  const row = {
    id: named?.assetId ?? newId("as"),
    ...file,
    name: named?.name ?? (fields.name === undefined ? file.name : toSafeName(fields.name)),
    alt: fields.alt ?? null,
    tags: fields.tags ?? [],
    createdAt: now,
    updatedAt: now,
  };
  await saveRow(database, "asset", { ...row, accountId });
  if (assetIds.length > 0) await recordAssetUses(database, { kind: "file", id: row.id, accountId }, assetIds);
  return { asset: { ...row, usedBy: 0 }, outcome: "created" };
}

export async function patchAsset(context: Context, id: string, patch: AssetPatchBody): Promise<Asset> {
  const { usedBy, ...asset } = await getAsset(context, id);
  const name = patch.name === undefined ? undefined : toSafeName(patch.name);
  const changed = { ...applyPatch(asset, { ...patch, name }), updatedAt: context.now };
  await saveRow(context.database, "asset", { ...changed, accountId: context.accountId });
  return { ...changed, usedBy };
}

/**
 * Deletes an asset; one in use only with `force`. Call `readUnreadTexts` before the transaction, so that all uses are
 * known.
 */
export async function removeAsset(context: Context, { id, force }: { readonly id: string; readonly force: boolean }) {
  const asset = await getAsset(context, id);
  if (!force) await refuseWhenUsed(context, asset);
  await deleteRecord(context.database, "asset", { id });
  if (isProbeFile(asset)) return;
  await audit(context, { action: "asset.deleted", subject: asset.name, subjectId: id });
}

export async function getAsset({ database, accountId }: Context, id: string): Promise<Asset> {
  return found(await findAsset(database, { accountId, id }), "asset_not_found");
}

const MAX_NAME_LENGTH = 120;

/** Returns a file name that is safe in URLs and has no path. Different names in other scripts stay different. */
export function toSafeName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? "";
  const unnamed = /[^.\s]/.test(base) ? `file-${sha256(base).slice(0, 8)}` : "file";
  const safe = base
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[.-]+(?=\.\w+$)/, unnamed)
    .replaceAll(/-+(?=\.\w)/g, "")
    .slice(-MAX_NAME_LENGTH)
    .replaceAll(/^[.-]+|-+$/g, "");
  return safe === "" ? unnamed : safe;
}

const TIMEOUT_MS = 15_000;
const MAX_REDIRECTS = 5;

/**
 * Fetches a file from another host and stores its bytes; `addAsset` creates the record. Throws `import_refused` for a
 * non-public URL, `import_failed` if there is no acceptable file, and `asset_too_large`.
 */
export async function importFile(context: Context, { url, name }: AssetImportBody): Promise<AcceptedFile> {
  const fetched = await fetchFile(context, url);
  if (fetched.status !== 200) {
    throw new ProblemError("import_failed", { detail: `The URL returned HTTP status ${fetched.status}.` });
  }
  const file = { name: name ?? nameOf(fetched.url), bytes: fetched.bytes };
  const accepted = await inspectFile(context, file, "any").catch(refuseFile);
  await context.blobs.write(accepted.hash, file.bytes);
  return accepted;
}

async function fetchFile({ remote, limits }: Context, url: string): Promise<Fetched> {
  try {
    return await remote.fetch(url, {
      maxBytes: limits.maxAssetBytes,
      whenLarger: "refuse",
      timeoutMs: TIMEOUT_MS,
      maxRedirects: MAX_REDIRECTS,
    });
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const codes = { refused: "import_refused", "too-large": "asset_too_large" } as const;
    const code = error.kind === "refused" || error.kind === "too-large" ? codes[error.kind] : "import_failed";
    throw new ProblemError(code, {
      detail: error.message,
      errors: [{ pointer: "/body/url", detail: error.message }],
      cause: error,
    });
  }
}

// The file at the URL is at fault, not the request.
function refuseFile(error: unknown): never {
  const isAboutFile = error instanceof ProblemError && error.code !== "asset_too_large";
  if (!isAboutFile) throw error;
  throw new ProblemError("import_failed", { detail: error.message, cause: error });
}

function nameOf(url: string): string {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  // A name with invalid escapes is still usable after it was made safe.
  return decodeComponent(last);
}
