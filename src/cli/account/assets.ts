import { pluralize } from "../../base/pluralize.ts";
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { lookup } from "mrmime";
import { ImprintError, messageOf } from "../../base/error.ts";
import type { Asset, AssetInput, ImprintApi, ListedAsset } from "../../client/api.ts";
import { assetRecord } from "../../contract/records.ts";
import { deleteAssets } from "../../sync/delete-assets.ts";
import { countShownUses } from "../../sync/shown-uses.ts";
import { countsUses, findUnusedAssets, type UnusedAssets } from "../../sync/unused-assets.ts";
import { assetHashPrefix } from "../../sync/asset-name.ts";
import { formatBytes } from "../../sync/report/words.ts";
import type { CliContext } from "../context.ts";
import { printable } from "../terminal.ts";
import { renderRecords, shorten } from "../table.ts";
import { publish, type PublishRequest } from "../../publish.ts";
import { withProject } from "../with-project.ts";
import { findOne, requireOperation, type AccountResult, type AccountRun } from "./account-command.ts";

/** `imprint assets list`: all files, or those whose names contain a text. */
export async function list({ args, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [text] = args;
  const items = await withApi((api) => listAll(api, signal));
  const wanted = text?.toLowerCase() ?? "";
  const found = text === undefined ? items : items.filter(({ name }) => name?.toLowerCase().includes(wanted));
  const none = text === undefined ? "The library is empty.\n" : "No file in the library matches.\n";
  return { json: found, text: found.length === 0 ? none : renderAssets(found) };
}

async function listAll(api: ImprintApi, signal: AbortSignal | undefined): Promise<readonly ListedAsset[]> {
  const { items, unaddressed } = await api.assets.list({}, { signal });
  return [...items, ...unaddressed];
}

/** `imprint assets upload`: shows the address of each file. */
export async function upload({ args, flags, context, withApi, signal }: AccountRun): Promise<AccountResult> {
  const { alt } = flags;
  if (alt !== undefined && args.length > 1) {
    throw new ImprintError("USAGE", "--alt describes one image: upload it on its own.");
  }
  const files = await Promise.all(args.map((file) => readInput(file, context)));
  const assets = await withApi(async (api) => {
    for (const file of files) checkInput(file, api);
    const uploaded: Asset[] = [];
    for (const file of files) {
      uploaded.push(await api.assets.upload({ ...file, alt }, { signal }).catch(advisePatience));
    }
    return uploaded;
  });
  return { json: assets, text: renderAddresses(assets) };
}

// Unlike a publish, these commands don't know what an earlier run has sent.
function advisePatience(error: unknown): never {
  if (!(error instanceof ImprintError) || error.code !== "NOT_LIVE") throw error;
  const hint =
    "`imprint assets list` shows its address once it is ready. Running this command again adds it once more.";
  throw new ImprintError(error.code, error.message, { hint, cause: error });
}

export { importAsset as import };

/** `imprint assets import`: has the service fetch a file. */
async function importAsset({ args, flags, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [url = ""] = args;
  const { name, alt } = flags;
  const asset = await withApi((api) => {
    requireOperation(api, {
      operation: "assets.import",
      action: "fetch a file from a URL",
      hint: "At the embedded service, add `--route-set b`. Elsewhere, download the file, then use `imprint assets upload <file>`.",
    });
    return api.assets.importFrom({ url, name, alt }, { signal }).catch(advisePatience);
  });
  return { json: asset, text: renderAddresses([asset]) };
}

/** `imprint assets remove`: asks first, and reports files that imprint didn't upload. */
export async function remove({ args, flags, context, withApi, confirm, signal }: AccountRun) {
  return withApi(async (api): Promise<AccountResult> => {
    requireOperation(api, { operation: "assets.delete", action: "delete a file of the library" });
    const items = await listAll(api, signal);
    const found = [...new Set(args.map((text) => findAsset(items, text)))];
    const isUnchecked = flags.force === true || countsUses(api);
    const assets = isUnchecked ? found : await countShownUses(found, api);
    if (!(await confirm(removalQuestion(assets, countsUses(api))))) {
      return { json: { removed: [], failed: [] }, text: "Nothing was deleted.\n", exitCode: 1 };
    }
    const ifUsed = flags.force === true ? "delete" : "refuse";
    const kept = await deleteAssets(assets, {
      api,
      signal,
      async remove({ id, usedBy = 0 }) {
        // A service that counts uses rejects the deletion itself, and lists the uses.
        if (ifUsed === "refuse" && !countsUses(api) && usedBy > 0) {
          throw new ImprintError("SERVICE_REFUSED", `it is in use (${usedBy}). Delete it with --force.`);
        }
        await api.assets.delete(id, { ifUsed, signal });
      },
    });
    for (const [asset, reason] of kept) {
      context.error.write(`  ${nameAsset(asset)} was kept: ${printable(reason)}\n`);
    }
    const failed = Array.from(kept.keys(), ({ id }) => id);
    const removed = assets.map(({ id }) => id).filter((id) => !failed.includes(id));
    const text = `Deleted: ${pluralize(removed.length, "file")}.\n`;
    return { json: { removed, failed }, text, exitCode: failed.length > 0 ? 1 : 0 };
  });
}

function removalQuestion(assets: readonly ListedAsset[], isCounted: boolean): string {
  const [only] = assets;
  const subject = assets.length === 1 && only !== undefined ? nameAsset(only) : pluralize(assets.length, "file");
  const used = assets.filter(({ usedBy = 0 }) => usedBy > 0).length;
  const foreign = assets.filter(({ name = "" }) => assetHashPrefix(name) === undefined).length;
  const remarks = [
    ...(used === 0 ? [] : [assets.length === 1 ? "It is in use." : `${used} of them are in use.`]),
    ...(isCounted ? [] : ["The service doesn't report all uses of a file."]),
    ...(foreign === 0 ? [] : [`imprint didn't upload ${assets.length === 1 ? "it" : `${foreign} of them`}.`]),
  ];
  return [`Delete ${subject} permanently?`, ...remarks].join(" ");
}

function findAsset(assets: readonly ListedAsset[], text: string): ListedAsset {
  return findOne(assets, text, {
    isExact: ({ id, url }) => id === text || url === text,
    none: `The library has no file "${text}".`,
    several: (count) => `${count} files are called "${text}"`,
    list: "imprint assets list",
  });
}

async function readInput(file: string, { cwd }: CliContext): Promise<AssetInput> {
  try {
    const bytes = await readFile(resolve(cwd, file));
    return { name: basename(file), contentType: lookup(file) ?? "application/octet-stream", bytes };
  } catch (error) {
    throw new ImprintError("USAGE", `${file} can't be read: ${messageOf(error)}`, { cause: error });
  }
}

// Checks all files before the first upload, so that nothing is sent if the service would reject one.
function checkInput({ name, bytes, contentType }: AssetInput, { capabilities, baseUrl }: ImprintApi): void {
  const size = bytes instanceof Uint8Array ? bytes.byteLength : bytes.size;
  const { maxAssetBytes = Number.POSITIVE_INFINITY } = capabilities.limits;
  if (size > maxAssetBytes) {
    const message = `${name} is ${formatBytes(size)}; ${baseUrl} accepts up to ${formatBytes(maxAssetBytes)}.`;
    throw new ImprintError("ASSET_TOO_LARGE", message);
  }
  if (capabilities.assetTypes === "any" || contentType.startsWith("image/")) return;
  throw new ImprintError(
    "NOT_SUPPORTED",
    `${name} isn't an image (${contentType}), and the library of ${baseUrl} accepts only images.`,
  );
}

const MAX_NAME = 30;

function renderAssets(assets: readonly ListedAsset[]): string {
  const name = (asset: ListedAsset) => shorten(asset.name ?? "", MAX_NAME);
  const size = (asset: ListedAsset) => (asset.size === undefined ? "" : formatBytes(asset.size));
  const table = renderRecords(assetRecord, assets, [["name", name], ["size", size], "usedBy", "id"]);
  return `${table}  ${pluralize(assets.length, "file")}\n`;
}

function renderAddresses(assets: readonly Asset[]): string {
  return assets.map((asset) => `  ${nameAsset(asset)}\n    ${printable(asset.url)}\n`).join("");
}

function nameAsset({ name, id }: ListedAsset): string {
  return printable(name ?? id);
}

/** `imprint assets prune`: lists files that this project uploaded and nothing uses anymore; `--yes` deletes them. */
export async function prune({ args, flags, context }: AccountRun): Promise<AccountResult> {
  const [dist] = args;
  let pruned: Pruned = { unused: [], recent: [], undated: [], deletion: undefined };
  const onPlanned: PublishRequest["onPlanned"] = async (planned) => {
    if (flags.yes === true) {
      requireOperation(planned.api, { operation: "assets.delete", action: "delete a file of the library" });
    }
    const found = await findUnusedAssets(planned, { now: new Date(), includeRecent: flags.force === true });
    const isDeleting = flags.yes === true && found.unused.length > 0;
    pruned = { ...found, deletion: isDeleting ? await deleteUnused(found.unused, planned.api) : undefined };
  };
  await withProject({ dist, flags }, context, (run) => publish({ ...run, dryRun: true, onPlanned }));
  const { deleted = 0, kept = [] } = pruned.deletion ?? {};
  if (flags.json !== true) for (const reason of kept) context.error.write(`  ${printable(reason)}\n`);
  const describe = ({ id, name, size }: Asset) => ({ id, name, size });
  const { unused, recent, undated } = pruned;
  const files = { unused: unused.map(describe), recent: recent.map(describe), undated: undated.map(describe) };
  return {
    json: { version: 1, ...files, deleted, kept },
    text: renderPruned(pruned),
    exitCode: kept.length > 0 ? 1 : 0,
  };
}

async function deleteUnused(assets: readonly Asset[], api: ImprintApi): Promise<Pruned["deletion"]> {
  const kept = await deleteAssets(assets, { api });
  return {
    deleted: assets.length - kept.size,
    kept: Array.from(kept, ([{ name, id }, reason]) => `${name ?? id}: ${reason}`),
  };
}

interface Pruned extends UnusedAssets {
  /** `undefined` without `--yes`, or if every file is in use. */
  readonly deletion: { readonly deleted: number; readonly kept: readonly string[] } | undefined;
}

function renderPruned({ unused, recent, undated, deletion }: Pruned): string {
  const lines = unused.map(({ name = "", size }) => {
    return `  ${printable(name)}${size === undefined ? "" : `  ${formatBytes(size)}`}`;
  });
  if (recent.length > 0) lines.push(recentNote(recent));
  if (undated.length > 0) lines.push(undatedNote(undated));
  if (lines.length === 0) lines.push("Every file that this project uploaded is in use.");
  if (deletion !== undefined) lines.push(`Deleted: ${pluralize(deletion.deleted, "file")}.`);
  else if (unused.length > 0) lines.push(`Not in use: ${describeFiles(unused)}. Delete with --yes.`);
  return `${lines.join("\n")}\n`;
}

function recentNote(recent: readonly Asset[]): string {
  const them = recent.length === 1 ? "it" : "them";
  return `Kept: ${describeFiles(recent)} uploaded in the last 24 hours, since an unfinished run may still use ${them}. Include ${them} with --force.`;
}

function undatedNote(undated: readonly Asset[]): string {
  const [has, them] = undated.length === 1 ? ["its", "it"] : ["their", "them"];
  return `Kept: ${describeFiles(undated)}, since the service's list doesn't show ${has} upload time (\`createdAt\`), and this machine hasn't known ${them} for 24 hours: an unfinished run may still use ${them}. Include ${them} with --force.`;
}

function describeFiles(assets: readonly Asset[]): string {
  return `${pluralize(assets.length, "file")} (${formatBytes(assets.reduce((sum, { size = 0 }) => sum + size, 0))})`;
}
