import { randomBytes } from "node:crypto";
import { extname } from "node:path";
import type { LibraryDialect } from "../dialect.ts";
import { hashOf, readFields, refuse, renderList, requireText, type Answer, type Call } from "./wire.ts";
import { signAddress } from "./signature.ts";
import { shownId, type AssetRecord } from "./world.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".svg": "image/svg+xml",
  ".ico": "image/x-icon",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".ttf": "font/ttf",
  ".otf": "font/otf",
  ".css": "text/css",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
};

export function listAssets(call: Call): Answer {
  const few = call.dialect.lists.fields === "few";
  const { listedAfterMs, lists, idField } = call.dialect.library;
  const listed = [...call.world.assets.values()].filter(
    ({ createdAt }) => call.world.now().getTime() - Date.parse(createdAt) >= listedAfterMs,
  );
  const shown = listed.map((asset) => {
    const full = lists === "names" ? { [idField]: shownId(call.dialect, asset.id) } : renderAsset(call, asset);
    const { name, type, bytes, deletedAt, usedBy } = asset;
    return few ? full : { ...full, name, contentType: type, size: bytes.length, deletedAt, usedBy };
  });
  return renderList(call, "assets", shown);
}

export async function uploadAsset(call: Call): Promise<Answer> {
  const { dialect, world } = call;
  const fields = await readFields(call, "multipart");
  const { part, takes, refusedType, room, uploaded } = dialect.library;
  const file = fields[part];
  if (!(file instanceof File)) refuse(dialect.missingField, `Upload the file as "${part}".`);
  const type = typeOf(file);
  if (!isTaken(type, takes)) refuse(refusedType, `Files of type ${type} are not accepted.`);
  if (room !== undefined && world.assets.size >= room.files) refuse(room.status, room.words);
  const asset = keepAsset(call, { name: file.name, type, bytes: new Uint8Array(await file.arrayBuffer()) });
  world.assets.set(asset.id, asset);
  const more = dialect.lists.fields === "few" ? {} : { name: asset.name };
  return { status: uploaded, json: { ...renderAsset(call, asset), ...more } };
}

export async function importAsset(call: Call): Promise<Answer> {
  const address = requireText(call, await readFields(call, "json"), "url");
  const response = await fetch(address).catch(() => undefined);
  if (response?.ok !== true) refuse(call.dialect.missingField, "The address can't be fetched.");
  const type = response.headers.get("content-type")?.split(";")[0] ?? "application/octet-stream";
  if (!isTaken(type, call.dialect.library.takes))
    refuse(call.dialect.library.refusedType, `Files of type ${type} are not accepted.`);
  const name = new URL(address).pathname.split("/").at(-1) ?? "file";
  const asset = keepAsset(call, { name, type, bytes: new Uint8Array(await response.arrayBuffer()) });
  call.world.assets.set(asset.id, asset);
  return { status: call.dialect.library.uploaded, json: renderAsset(call, asset) };
}

export async function patchAsset(call: Call): Promise<Answer> {
  const asset = findAsset(call);
  const name = requireText(call, await readFields(call, "json"), "name");
  call.world.assets.set(asset.id, { ...asset, name });
  return { status: 200, json: { ...renderAsset(call, asset), name } };
}

export function deleteAsset(call: Call): Answer {
  call.world.assets.delete(findAsset(call).id);
  return { status: 204 };
}

export function keepAsset(
  { dialect, world }: Pick<Call, "dialect" | "world">,
  { name, type, bytes }: { readonly name: string; readonly type: string; readonly bytes: Uint8Array },
): AssetRecord {
  const kept = nameOf(name, dialect.library.names);
  const same = [...world.assets.values()].find((asset) => asset.name === kept);
  if (dialect.library.names === "40 characters" && same !== undefined) {
    return { ...same, type, bytes, sha256: hashOf(bytes) };
  }
  const equal = [...world.assets.values()].find((asset) => asset.sha256 === hashOf(bytes));
  if (dialect.library.names === "of the last" && equal !== undefined) return { ...equal, name: kept };
  const id = world.newId("as");
  const path = `/files/${id}/${encodeURIComponent(kept)}`;
  return { id, name: kept, path, type, bytes, sha256: hashOf(bytes), createdAt: world.now().toISOString() };
}

function nameOf(name: string, names: LibraryDialect["names"]): string {
  if (names === "kept" || names === "of the last") return name;
  if (names === "40 characters") return name.slice(0, -extname(name).length).slice(0, 40) + extname(name);
  return names === "lower" ? name.toLowerCase() : `${randomBytes(8).toString("hex")}${extname(name).toLowerCase()}`;
}

function typeOf(file: File): string {
  const declared = file.type.split(";")[0] ?? "";
  const generic = declared === "" || declared === "application/octet-stream";
  return generic ? (TYPES[extname(file.name).toLowerCase()] ?? "application/octet-stream") : declared;
}

function isTaken(type: string, takes: LibraryDialect["takes"]): boolean {
  if (takes === "images") return type.startsWith("image/");
  if (takes === "no-svg") return type.startsWith("image/") && type !== "image/svg+xml";
  return takes === "all" || !/^(?:font\/|application\/(?:x-)?font)/.test(type);
}

function findAsset({ world, param }: Call): AssetRecord {
  const asset = world.assets.get(param);
  if (asset === undefined) refuse(404, "There is no such file.");
  return asset;
}

function renderAsset({ dialect, world }: Call, { id, path, createdAt }: AssetRecord) {
  const { addresses, addressField, idField, signs, processing } = dialect.library;
  const status = isProcessing({ dialect, world }, { createdAt }) ? { status: "processing" } : {};
  if ("status" in status && processing === "without an address") {
    return { [idField]: shownId(dialect, id), [addressField]: null, ...status };
  }
  const signed = signAddress(path, signs, world);
  const address = addresses === "absolute" ? world.addresses.api + signed : signed;
  const inDashboard = addressField === "publicUrl" && { url: `${world.addresses.api}/dashboard/files/${id}` };
  const field = addressField === "urls.original" ? { urls: { original: address } } : { [addressField]: address };
  return { [idField]: shownId(dialect, id), ...inDashboard, ...(addressField === "none" ? {} : field), ...status };
}

/** Whether a file isn't ready for readers yet. */
export function isProcessing(
  { dialect, world }: Pick<Call, "dialect" | "world">,
  { createdAt }: Pick<AssetRecord, "createdAt">,
): boolean {
  return world.now().getTime() - Date.parse(createdAt) < dialect.library.processesMs;
}
