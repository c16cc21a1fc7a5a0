import { isFile, sizeOf } from "../../base/bytes.ts";
import { ImprintError } from "../../base/error.ts";
import { createGate } from "../../base/gate.ts";
import { pollUntil, SHOWN_AFTER_MS } from "../../base/poll-until.ts";
import { mapPool } from "../../base/pool.ts";
import type { Asset, AssetInput, ListedAsset } from "../../client/api.ts";
import { failureOf, outcomeOf, type RequestFailure } from "../../client/transport/outcome.ts";
import { fillPlaceholders } from "../../html/fill-placeholders.ts";
import { EMPTY_ADDRESS } from "../../html/placeholders.ts";
import { LARGE_BYTES } from "../../site/images/optimize-image.ts";
import type { SiteAsset } from "../../site/model.ts";
import type { ApplyContext, PreparedAsset } from "../apply.ts";
import { assetName, identifyAsset } from "../asset-name.ts";
import type { AssetChange } from "../changes.ts";
import { isLibraryCut } from "../seen.ts";
import { isTooLargeToInline, refuseAsset } from "../plan/assets.ts";
import { TOO_LARGE } from "../state.ts";
import { keepApart, type FileChange } from "./keep-apart.ts";
import { findLack, type LibraryReading } from "../served-length.ts";
import { isOutOfRoom } from "../../client/out-of-room.ts";
import { isAreaRefusal, attempt, type Outcome } from "../../base/outcome.ts";

export type Creation = Extract<AssetChange, { kind: "create" }>;
export type Inline = Extract<AssetChange, { kind: "inline" }>;

/** Address by asset hash: in the library, or a `data:` URL if the file is inlined in pages. */
export type Addresses = ReadonlyMap<string, string>;

// A file is in memory while it is sent, unless it is so large that it is streamed.
const MAX_BYTES_AT_ONCE = 16 * LARGE_BYTES;

/**
 * Uploads what the library lacks: files first, then texts that contain their addresses.
 *
 * @param placed Addresses of files that were uploaded before, which texts may contain too
 */
export async function applyAssets(
  changes: readonly AssetChange[],
  context: ApplyContext,
  placed: Addresses = new Map(),
): Promise<Map<string, string>> {
  const addresses = new Map(placed);
  const added = new Set<string>();
  const uploading = {
    ...context,
    addresses,
    added,
    types: new Map<string, TypeRecord>(),
    places: new Map(),
    library: {},
  };
  for (const hash of context.seen.goneAssets) context.store.forgetAsset(hash);
  for (const change of changes) {
    if (change.kind === "keep") keep(change, uploading);
    if (change.kind === "blocked") leaveOut(change, uploading);
  }
  const sending = createGate(MAX_BYTES_AT_ONCE);
  let waiting = changes.filter((change) => change.kind === "create" || change.kind === "inline");
  while (waiting.length > 0) {
    const ready = waiting.filter((change) => isReady(change, addresses));
    if (ready.length === 0) break;
    waiting = waiting.filter((change) => !ready.includes(change));
    await mapPool<Creation | Inline, void>(ready, context.concurrency, (change) =>
      sending.run(() => place(change, uploading), heldBytes(change.asset)),
    );
  }
  for (const change of waiting) {
    const reason = "a file it uses could not be uploaded";
    context.onOutcome?.({ resource: "asset", kind: "blocked", name: change.name, reason, status: "skipped" });
  }
  const isChanging = context.api.dialect.fileAddresses === "changing";
  if (isChanging || context.seen.isCut === true || (await isCutNow(added, context))) {
    context.store.rememberIds({ locksFiles: true });
  }
  if (added.size === 0) context.store.rememberIds({ library: context.seen.library });
  else context.records.added(added.size, context.seen.library);
  return addresses;
}

// A list that was complete before this run may be truncated after it.
async function isCutNow(added: ReadonlySet<string>, { api, store }: ApplyContext): Promise<boolean> {
  const counts = api.capabilities.account !== undefined;
  return added.size > 0 && !counts && store.ids.locksFiles !== true && (await isLibraryCut(api, added));
}

/** The context for preparing files. */
export interface PlacingContext extends Pick<ApplyContext, "prepare"> {
  readonly addresses: Map<string, string>;
}

interface UploadContext extends ApplyContext, PlacingContext, LibraryReading {
  /** IDs of uploaded files. */
  readonly added: Set<string>;
  /** The file at each address of the library. */
  readonly places: Map<string, FileChange>;
  /** What the library accepted and refused in this run, by type. */
  readonly types: Map<string, TypeRecord>;
}

interface TypeRecord {
  readonly taken: number;
  readonly refused: number;
  readonly refusal?: Refusal;
}

interface Refusal {
  readonly reason: string;
  /** `account` if another key, or the account once it has room, may still be able to upload the file. */
  readonly of: "file" | "account";
  /** How to resolve it. Default: the advice for files that the library never accepts. */
  readonly hint?: string;
}

function keep(change: Extract<AssetChange, { kind: "keep" }>, context: UploadContext): void {
  remember(change, change.known, context);
  context.onOutcome?.({ resource: "asset", ...summary(change), status: "done", url: change.known.url });
}

/** Returns the addresses of files that need no upload, by hash of the asset. */
export function knownAddresses(changes: readonly AssetChange[]): Map<string, string> {
  const addresses = new Map<string, string>();
  for (const change of changes) {
    if (change.kind === "keep") addresses.set(change.asset.hash, change.known.url);
    if (change.kind === "blocked") addresses.set(change.asset.hash, addressWithout(change.asset));
  }
  return addresses;
}

/**
 * Returns the replacement for a file that can't be published: a link keeps the site's own address; otherwise pages use
 * an empty file, which causes no request.
 */
export function addressWithout({ ownAddress = EMPTY_ADDRESS }: SiteAsset): string {
  return ownAddress;
}

function leaveOut(change: Extract<AssetChange, { kind: "blocked" }>, { addresses, onOutcome }: UploadContext): void {
  addresses.set(change.asset.hash, addressWithout(change.asset));
  const { hint, counts } = change;
  const advice = { ...(hint === undefined ? {} : { hint }), ...(counts === undefined ? {} : { counts }) };
  onOutcome?.({ resource: "asset", ...summary(change), ...advice, status: "skipped" });
}

export function isReady({ asset }: AssetChange, addresses: Addresses): boolean {
  return asset.source.kind === "file" || asset.source.assets.every((hash) => addresses.has(hash));
}

function heldBytes({ source }: SiteAsset): number {
  return source.kind === "file" ? Math.min(source.bytes, LARGE_BYTES) : source.text.length;
}

async function place(change: Creation | Inline, context: UploadContext): Promise<void> {
  context.onOutcome?.(change.kind === "inline" ? await putInline(change, context) : await upload(change, context));
}

// If a library has refused two files of a type and accepted none, no others of that type are sent.
const REFUSALS_TO_LEARN = 2;

async function upload(change: Creation, context: UploadContext): Promise<Outcome> {
  const { asset } = change;
  const type = context.types.get(asset.contentType);
  if (type?.refusal !== undefined && type.taken === 0 && type.refused >= REFUSALS_TO_LEARN) {
    return await refuse(change, type.refusal, context);
  }
  let refusal: Refusal | undefined;
  const outcome = await attempt({ resource: "asset", ...summary(change) }, async () => {
    const prepared = await prepareUpload(change, context);
    try {
      const stored = await sendApart(change, prepared, context);
      if (stored === undefined) {
        refusal = { reason: REPLACES, of: "file" };
        return {};
      }
      context.places.set(stored.url, change);
      const lack = await findLack(prepared, stored.url, context);
      if (lack !== undefined) {
        refusal = { reason: lack, of: "file" };
        return {};
      }
      count(asset.contentType, { taken: 1, refused: 0 }, context);
      remember(change, stored, context);
      context.added.add(stored.id);
      return { url: stored.url, bytes: sizeOf(prepared.bytes), bytesBefore: prepared.bytesBefore };
    } catch (error) {
      refusal = findRefusal(error);
      if (refusal === undefined) throw error;
      return {};
    }
  });
  if (refusal === undefined) return outcome;
  count(asset.contentType, { taken: 0, refused: 1, refusal }, context);
  return await refuse(change, refusal, context);
}

const REPLACES = "the library stores it under the address of another file";

async function sendApart(
  change: Creation,
  prepared: PreparedAsset,
  context: UploadContext,
): Promise<Asset | undefined> {
  const stored = await send(change, { prepared, context });
  return await keepApart({
    ...{ change, prepared, stored, other: context.places.get(stored.url) },
    prepare: (other) => prepareUpload(other, context),
    send: (each, content) => send(each, { prepared: content, context }),
  });
}

function findRefusal(error: unknown): Refusal | undefined {
  if (!(error instanceof ImprintError)) return undefined;
  const { message } = error;
  if (isOutOfRoom(error))
    return { reason: message, of: "account", hint: "Free up space in the library, then run again." };
  if (!isAreaRefusal(error)) return undefined;
  const status = failureOf(error)?.status ?? 0;
  // A redirect, such as one to a page to sign in, doesn't concern this file either.
  const isOfAccount = status === 401 || status === 403 || (status >= 300 && status < 400);
  return { reason: status === 413 ? `${TOO_LARGE}: ${message}` : message, of: isOfAccount ? "account" : "file" };
}

function count(contentType: string, { taken, refused, refusal }: TypeRecord, { types }: UploadContext): void {
  const before = types.get(contentType) ?? { taken: 0, refused: 0 };
  const known = refusal ?? before.refusal;
  types.set(contentType, {
    taken: before.taken + taken,
    refused: before.refused + refused,
    ...(known === undefined ? {} : { refusal: known }),
  });
}

// The key is for this attempt only: a later run has another, so that a service that stores responses never repeats one
// about a file that was deleted since. Only a resumed run reuses it.
async function send(
  { asset }: FileChange,
  { prepared, context }: { readonly prepared: PreparedAsset; readonly context: UploadContext },
): Promise<Asset> {
  const { api, state, store, newKey, clock, project } = context;
  const input = { ...prepared, name: assetName(prepared.name, { hash: asset.hash, project }), alt: asset.alt };
  const begun = state.uploading[asset.hash]?.key;
  const key = begun ?? newKey();
  store.rememberIds({ uploadedAt: clock.now().toISOString() });
  await store.announceUpload(asset.hash, { key });
  const stored = await uploadOnce(input, key, { hash: asset.hash, context });
  store.rememberIds({ uploadedAt: clock.now().toISOString() });
  if (begun !== undefined && stored.replayed === true && (await api.visit(stored.url))?.status !== 200) {
    return await api.assets.upload(input, { idempotencyKey: newKey(), repeat: "always" });
  }
  if (identifyAsset(stored) === undefined) store.rememberIds({ locksFiles: true });
  return stored;
}

const MOST_TRIES = 5;

/**
 * Uploads a file. If the response is lost, the library may have the file, so it is looked up before it is sent again,
 * unless the service is known to repeat the first response to a repeated key.
 */
async function uploadOnce(
  input: AssetInput,
  idempotencyKey: string,
  { hash, context }: { readonly hash: string; readonly context: UploadContext },
): Promise<Asset> {
  const { api, clock, project, seen, signal } = context;
  if (api.capabilities.account !== undefined)
    return await api.assets.upload(input, { idempotencyKey, repeat: "always" });
  const isWanted = (asset: ListedAsset) => {
    const found = identifyAsset(asset);
    return found?.project === project && hash.startsWith(found.prefix);
  };
  const find = async () => (await api.assets.list()).items.find(isWanted);
  const isSent = seen.processing?.has(input.name) === true;
  const earlier = isSent ? await api.assets.awaitAddress(isWanted, { signal }) : undefined;
  if (earlier !== undefined) return earlier;
  for (let tries = 1; ; tries++) {
    try {
      return await api.assets.upload(input, { idempotencyKey, repeat: "unsent" });
    } catch (error) {
      if (error instanceof ImprintError && error.code === "NOT_LIVE") seen.processing?.add(input.name);
      const failure = failureOf(error);
      if (failure === undefined || outcomeOf(error) !== "ambiguous" || !mayPass(failure)) throw error;
      const sleep = (ms: number) => clock.sleep(ms, signal);
      await sleep(failure.retryAfterMs ?? 0);
      const isEnough = (asset: Asset | undefined) => asset !== undefined;
      const found = await pollUntil(find, { isEnough, pausesMs: SHOWN_AFTER_MS, sleep });
      if (found !== undefined) return found;
      if (tries === MOST_TRIES) throw error;
    }
  }
}

// A lost response, or a temporary failure of the service. A full library (507) stays full.
function mayPass({ status = 0, code }: RequestFailure): boolean {
  return code !== undefined || (status >= 500 && status !== 507) || status === 408 || status === 425;
}

/** Inlines a file that the library refused in the pages that use it, or omits it if it is too large for that. */
async function refuse(change: Creation, { reason, of, hint }: Refusal, context: UploadContext): Promise<Outcome> {
  context.store.refuse(change.asset.hash, reason, of);
  // Pages are sent without its former address, and have to be sent again once the library accepts it.
  context.store.forgetAsset(change.asset.hash);
  const isMeasured = isTooLargeToInline(change.asset) && !context.isSentAsIs(change.asset);
  const bytes = isMeasured ? sizeOf((await prepareUpload(change, context)).bytes) : undefined;
  const refused = refuseAsset(change.asset, reason, { bytes, hint });
  if (refused.kind === "inline") return await putInline(refused, context);
  context.addresses.set(change.asset.hash, addressWithout(change.asset));
  return { resource: "asset", ...refused, status: "skipped" };
}

/** Inlines a file in the pages that use it. */
export async function putInline(change: Inline, context: PlacingContext): Promise<Outcome> {
  const { asset } = change;
  return await attempt({ resource: "asset", ...summary(change) }, async () => {
    const { bytes, contentType, bytesBefore } = await prepareUpload(change, context);
    // Only files that are much larger than any page may be are streamed.
    if (isFile(bytes)) throw new ImprintError("ASSET_TOO_LARGE", `${asset.name} is too large to be inlined in a page.`);
    context.addresses.set(asset.hash, `data:${contentType};base64,${Buffer.from(bytes).toString("base64")}`);
    return { bytesBefore, bytes: sizeOf(bytes) };
  });
}

/** Returns the content of a file with the addresses of the files that it uses filled in. */
export async function prepareUpload({ asset }: FileChange, context: PlacingContext): Promise<PreparedAsset> {
  if (asset.source.kind === "file") return context.prepare(asset);
  const text = fillPlaceholders(asset.source.text, (hash) => context.addresses.get(hash) ?? "");
  const bytes = new TextEncoder().encode(text);
  return { name: asset.name, contentType: asset.contentType, bytes, bytesBefore: bytes.byteLength };
}

function remember(
  change: FileChange,
  { id, url, mayBeOther }: Asset,
  { addresses, places, store, clock, added, state }: UploadContext,
): void {
  const { hash } = change.asset;
  const isOwn = () => added.has(id) || Object.values(state.assets).some((asset) => asset.id === id);
  if (mayBeOther === true && !isOwn()) {
    store.rememberIds({ otherFiles: [...new Set([...(store.ids.otherFiles ?? []), id])] });
  }
  addresses.set(hash, url);
  places.set(url, change);
  store.rememberAsset(hash, { id, url }, clock.now());
}

export function summary({ kind, name, reason }: AssetChange) {
  return { kind, name, reason };
}
