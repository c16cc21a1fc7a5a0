import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { lookup } from "mrmime";
import { ImprintError, messageOf } from "../../base/error.ts";
import type { Asset, AssetInput, ImprintApi } from "../../client/api.ts";
import { countsUses } from "../../sync/unused-assets.ts";
import { assetHashPrefix } from "../../sync/asset-name.ts";
import { formatBytes } from "../../sync/report/words.ts";
import { confirmDeletion, type DeletionFlags } from "../confirm.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { print } from "../print.ts";
import { printable } from "../printable.ts";
import { requireOperation } from "../require-operation.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { shorten } from "../site-texts.ts";
import { renderTable } from "../table.ts";
import { withApi } from "../with-api.ts";

/** `imprint assets list`: all files, or those with a text in their name. */
export async function listAssetsCommand(
  text: string | undefined,
  flags: PublishFlags,
  context: CliContext,
): Promise<ExitCode> {
  const { items } = await withApi(flags, context, (api) => api.assets.list({}, { signal: context.signal }));
  const wanted = text?.toLowerCase();
  const found = wanted === undefined ? items : items.filter(({ name }) => name?.toLowerCase().includes(wanted));
  const none = text === undefined ? "The library is empty.\n" : "There is no such file in the library.\n";
  print(found, { flags, context, text: found.length === 0 ? none : renderAssets(found) });
  return 0;
}

export interface UploadFlags extends PublishFlags {
  readonly alt?: string;
}

/** `imprint assets upload`: says under which address each file is from now on. */
export async function uploadAssetsCommand(
  files: readonly string[],
  flags: UploadFlags,
  context: CliContext,
): Promise<ExitCode> {
  if (flags.alt !== undefined && files.length > 1) {
    throw new ImprintError("USAGE", "--alt describes one picture: upload it by itself.");
  }
  const inputs = await Promise.all(files.map((file) => readInput(file, flags, context)));
  const assets = await withApi(flags, context, async (api) => {
    for (const input of inputs) checkInput(input, api);
    const uploaded: Asset[] = [];
    for (const input of inputs) uploaded.push(await api.assets.upload(input, { signal: context.signal }));
    return uploaded;
  });
  print(assets, { flags, context, text: renderAddresses(assets) });
  return 0;
}

export interface ImportFlags extends PublishFlags {
  readonly name?: string;
  readonly alt?: string;
}

/** `imprint assets import`: lets the service fetch a file. */
export async function importAssetCommand(url: string, flags: ImportFlags, context: CliContext): Promise<ExitCode> {
  const { name, alt } = flags;
  const asset = await withApi(flags, context, async (api) => {
    requireOperation(api, {
      operation: "assets.import",
      deed: "fetch a file from elsewhere",
      hint: "Download the file, then use `imprint assets upload <file>`.",
    });
    return await api.assets.importFrom({ url, name, alt }, { signal: context.signal });
  });
  print(asset, { flags, context, text: renderAddresses([asset]) });
  return 0;
}

export interface RemoveAssetFlags extends DeletionFlags {
  readonly force?: boolean;
}

/** `imprint assets remove`: asks first, and says what imprint did not upload. */
export async function removeAssetsCommand(
  names: readonly string[],
  flags: RemoveAssetFlags,
  context: CliContext,
): Promise<ExitCode> {
  return await withApi(flags, context, async (api) => {
    requireOperation(api, { operation: "assets.delete", deed: "delete a file of the library" });
    const { items } = await api.assets.list({}, { signal: context.signal });
    const assets = [...new Set(names.map((name) => findAsset(items, name)))];
    const question = removalQuestion(assets, countsUses(api));
    const isConfirmed = await confirmDeletion(question, flags, context);
    if (!isConfirmed) context.out.write("Nothing is deleted.\n");
    if (!isConfirmed) return 1;
    const failed: string[] = [];
    for (const asset of assets) {
      await removeAsset(asset, { api, flags, context }).catch((error: unknown) => {
        failed.push(asset.id);
        context.error.write(`  ${nameAsset(asset)} stays: ${printable(messageOf(error))}\n`);
      });
    }
    const removed = assets.map(({ id }) => id).filter((id) => !failed.includes(id));
    print({ removed, failed }, { flags, context, text: `Deleted: ${countFiles(removed.length)}.\n` });
    return failed.length > 0 ? 1 : 0;
  });
}

interface RemovalContext {
  readonly api: ImprintApi;
  readonly flags: RemoveAssetFlags;
  readonly context: CliContext;
}

async function removeAsset(asset: Asset, { api, flags, context }: RemovalContext): Promise<void> {
  const ifUsed = flags.force === true ? "delete" : "refuse";
  // A service that counts uses refuses by itself, and names them.
  if (ifUsed === "refuse" && !countsUses(api) && (asset.usedBy ?? 0) > 0) {
    throw new ImprintError("SERVICE_REFUSED", `it is in use (${asset.usedBy}). Delete it with --force.`);
  }
  await api.assets.delete(asset.id, { ifUsed, signal: context.signal });
}

function removalQuestion(assets: readonly Asset[], isCounted: boolean): string {
  const [only] = assets;
  const subject = assets.length === 1 && only !== undefined ? nameAsset(only) : countFiles(assets.length);
  const used = assets.filter(({ usedBy = 0 }) => usedBy > 0).length;
  const foreign = assets.filter(({ name = "" }) => assetHashPrefix(name) === undefined).length;
  const remarks = [
    ...(used === 0 ? [] : [assets.length === 1 ? "It is in use." : `${used} of them are in use.`]),
    ...(isCounted ? [] : ["The service doesn't report everything that may use a file."]),
    ...(foreign === 0 ? [] : [`imprint did not upload ${assets.length === 1 ? "it" : `${foreign} of them`}.`]),
  ];
  return [`Delete ${subject} for ever?`, ...remarks].join(" ");
}

function findAsset(assets: readonly Asset[], text: string): Asset {
  const byId = assets.find(({ id, url }) => id === text || url === text);
  const byName = assets.filter(({ name }) => name === text);
  const asset = byId ?? byName[0];
  if (asset === undefined) {
    throw new ImprintError("USAGE", `The library has no file "${text}".`, { hint: "See `imprint assets list`." });
  }
  if (byId === undefined && byName.length > 1) {
    const ids = byName.map(({ id }) => id).join(", ");
    throw new ImprintError("USAGE", `${byName.length} files are called "${text}": ${ids}.`, {
      hint: "Name it by its id.",
    });
  }
  return asset;
}

async function readInput(file: string, { alt }: UploadFlags, { cwd }: CliContext): Promise<AssetInput> {
  try {
    const bytes = await readFile(resolve(cwd, file));
    const contentType = lookup(file) ?? "application/octet-stream";
    return { name: basename(file), contentType, bytes, ...(alt !== undefined && { alt }) };
  } catch (error) {
    throw new ImprintError("USAGE", `${file} can't be read: ${messageOf(error)}`, { cause: error });
  }
}

// Nothing is sent when one of the files would be refused.
function checkInput({ name, bytes, contentType }: AssetInput, { capabilities, baseUrl }: ImprintApi): void {
  const size = bytes instanceof Uint8Array ? bytes.byteLength : bytes.size;
  const { maxAssetBytes = Number.POSITIVE_INFINITY } = capabilities.limits;
  if (size > maxAssetBytes) {
    const message = `${name} has ${formatBytes(size)}; ${baseUrl} takes ${formatBytes(maxAssetBytes)}.`;
    throw new ImprintError("ASSET_TOO_LARGE", message);
  }
  if (capabilities.assetTypes === "any" || contentType.startsWith("image/")) return;
  throw new ImprintError(
    "NOT_SUPPORTED",
    `${name} is no image (${contentType}), and the library of ${baseUrl} takes images only.`,
  );
}

const MAX_NAME = 30;

function renderAssets(assets: readonly Asset[]): string {
  const rows = assets.map(({ id, name = "", size, usedBy }) => [
    shorten(name, MAX_NAME),
    size === undefined ? "" : formatBytes(size),
    usedBy === undefined ? "" : String(usedBy),
    id,
  ]);
  return `${renderTable([["File", "Size", "Used", "Id"], ...rows])}  ${countFiles(assets.length)}\n`;
}

function renderAddresses(assets: readonly Asset[]): string {
  return assets.map((asset) => `  ${nameAsset(asset)}\n    ${printable(asset.url)}\n`).join("");
}

function nameAsset({ name, id }: Asset): string {
  return printable(name ?? id);
}

function countFiles(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}
