import { sizeOf } from "../../base/bytes.ts";
import { mapPool } from "../../base/pool.ts";
import type { Asset } from "../../client/api.ts";
import { fillPlaceholders } from "../../html/placeholders.ts";
import type { ApplyContext, PreparedAsset } from "../apply.ts";
import { assetName } from "../asset-name.ts";
import type { AssetChange } from "../changes.ts";
import { lookAtLibrary } from "../list-assets.ts";
import { attempt } from "./attempt.ts";

type Creation = Extract<AssetChange, { kind: "create" }>;

/** Address by asset hash, for every asset that is in the library after this step. */
export type Addresses = ReadonlyMap<string, string>;

/** Uploads what the library lacks: files first, then texts that name them by address. */
export async function applyAssets(changes: readonly AssetChange[], context: ApplyContext): Promise<Addresses> {
  const addresses = new Map<string, string>();
  const added = new Set<string>();
  for (const hash of context.seen.goneAssets) context.keeper.forgetAsset(hash);
  for (const change of changes) {
    if (change.kind === "keep") keep(change, { ...context, addresses });
    if (change.kind === "blocked") context.onOutcome?.({ resource: "asset", ...summary(change), status: "skipped" });
  }
  let waiting = changes.filter((change) => change.kind === "create");
  while (waiting.length > 0) {
    const ready = waiting.filter((change) => isReady(change, addresses));
    if (ready.length === 0) break;
    waiting = waiting.filter((change) => !ready.includes(change));
    await mapPool(ready, context.concurrency, (change) => upload(change, { ...context, addresses, added }));
  }
  for (const change of waiting) {
    context.onOutcome?.({
      resource: "asset",
      ...summary(change),
      kind: "blocked",
      status: "skipped",
      reason: "a file it uses could not be uploaded",
    });
  }
  const isChanged = changes.some((change) => change.kind === "create");
  const before = context.seen.library;
  const library = isChanged ? await lookAtLibrary(context.api, { before, added: added.size }) : before;
  context.keeper.rememberIds({ library });
  return addresses;
}

interface PlaceContext extends ApplyContext {
  readonly addresses: Map<string, string>;
}

interface UploadContext extends PlaceContext {
  /** Ids of the files that were uploaded. */
  readonly added: Set<string>;
}

function keep(change: Extract<AssetChange, { kind: "keep" }>, context: PlaceContext): void {
  place(change.asset.hash, change.known, context);
  context.onOutcome?.({ resource: "asset", ...summary(change), status: "done", url: change.known.url });
}

function isReady({ asset }: Creation, addresses: Addresses): boolean {
  return asset.source.kind === "file" || asset.source.assets.every((hash) => addresses.has(hash));
}

async function upload(change: Creation, context: UploadContext): Promise<void> {
  const { api } = context;
  const { asset } = change;
  const outcome = await attempt({ resource: "asset", ...summary(change) }, async () => {
    const prepared = await prepareUpload(change, context);
    const stored = await api.assets.upload(
      { ...prepared, name: assetName(prepared.name, asset.hash), alt: asset.alt },
      { idempotencyKey: `imprint-asset-${asset.hash}`, repeat: "always" },
    );
    place(asset.hash, stored, context);
    context.added.add(stored.id);
    return { url: stored.url, bytes: sizeOf(prepared.bytes), bytesBefore: prepared.bytesBefore };
  });
  context.onOutcome?.(outcome);
}

async function prepareUpload({ asset }: Creation, context: UploadContext): Promise<PreparedAsset> {
  if (asset.source.kind === "file") return context.prepare(asset);
  const text = fillPlaceholders(asset.source.text, (hash) => context.addresses.get(hash) ?? "");
  const bytes = new TextEncoder().encode(text);
  return { name: asset.name, contentType: asset.contentType, bytes, bytesBefore: bytes.byteLength };
}

function place(hash: string, { id, url }: Asset, { addresses, keeper }: PlaceContext): void {
  addresses.set(hash, url);
  keeper.rememberAsset(hash, { id, url });
}

function summary({ kind, name, reason }: AssetChange) {
  return { kind, name, reason };
}
