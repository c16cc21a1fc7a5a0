import { isFile, sizeOf } from "../../base/bytes.ts";
import type { Asset } from "../../client/api.ts";
import type { PreparedAsset } from "../apply.ts";
import type { AssetChange } from "../changes.ts";

/** A planned change, as far as it names a file to upload. */
export type FileChange = Pick<AssetChange, "asset">;

/** An uploaded file, and what uploading again takes. */
export interface Uploaded {
  readonly change: FileChange;
  readonly prepared: PreparedAsset;
  readonly stored: Asset;
  /** The file that had the address before; `undefined` if there was none. */
  readonly other: FileChange | undefined;
  readonly prepare: (change: FileChange) => Promise<PreparedAsset>;
  readonly send: (change: FileChange, prepared: PreparedAsset) => Promise<Asset>;
}

/**
 * Uploads two files again if a library stored one in place of the other: it cuts names, and keeps one file of each. The
 * new file gets a short name, and the other its content again. Returns `undefined` if the library still stores both at
 * one address. A library that keeps equal contents once doesn't count.
 */
export async function keepApart(uploaded: Uploaded): Promise<Asset | undefined> {
  const { change, prepared, stored, other, prepare, send } = uploaded;
  if (other === undefined || other.asset.hash === change.asset.hash) return stored;
  const replaced = await prepare(other);
  if (isSameContent(prepared, replaced)) return stored;
  const apart = await send(change, { ...prepared, name: shortName(prepared.name) });
  await send(other, replaced);
  return apart.url === stored.url ? undefined : apart;
}

function shortName(name: string): string {
  const [ending = ""] = /\.[A-Za-z0-9]+$/.exec(name) ?? [];
  return `f${ending}`;
}

function isSameContent({ bytes: one }: PreparedAsset, { bytes: other }: PreparedAsset): boolean {
  if (sizeOf(one) !== sizeOf(other)) return false;
  return isFile(one) || isFile(other) || Buffer.compare(one, other) === 0;
}
