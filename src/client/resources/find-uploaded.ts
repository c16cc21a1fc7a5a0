import { sizeOf } from "../../base/bytes.ts";
import { ImprintError } from "../../base/error.ts";
import { pollUntil } from "../../base/poll-until.ts";
import type { Asset, AssetInput, CallOptions, ImprintApi, ListedAsset } from "../api.ts";
import { unreadable } from "../records/read-record.ts";
import { findAssetParts } from "../records/records.ts";
import { reportsFailure } from "../records/reported-failure.ts";
import type { Session, SessionReply } from "../session.ts";
import { parseErrorBody } from "../transport/error-body.ts";
import { madeWithoutId, newestOf, replayed } from "./calls.ts";

/**
 * Finds uploaded files in the library's list if responses lack what pages need, as soon as the list shows them, and
 * waits for those that it is still processing.
 */
export function createUploadFinder(
  session: Session,
  { list, visit }: Pick<ImprintApi["assets"], "list"> & Pick<ImprintApi, "visit">,
) {
  // Files that wait at the same time share a list.
  let listing: ReturnType<typeof list> | undefined;
  const listOnce = (options: CallOptions) => (listing ??= list({}, options).finally(() => (listing = undefined)));

  // Whether a file wasn't served after the longest wait. Then no other one is waited for.
  let isVain = false;

  // `pending`: the file as it was just seen.
  async function awaitAddress(
    isWanted: (asset: ListedAsset) => boolean,
    { pending, signal }: CallOptions & { readonly pending?: ListedAsset } = {},
  ): Promise<Asset | undefined> {
    const look = async () => {
      const { items, unaddressed } = await listOnce({ signal });
      return { found: newestOf(items.filter(isWanted)), listed: unaddressed.find(isWanted) ?? pending };
    };
    const { found, listed } = await pollUntil(look, {
      first: pending && Promise.resolve({ found: undefined, listed: pending }),
      isEnough: (seen) => seen.found !== undefined || seen.listed?.isProcessing !== true,
      pausesMs: PROCESSED_AFTER_MS,
      sleep: (ms) => session.sleep(ms, signal),
    });
    if (found === undefined && listed?.isProcessing === true) throw stillProcessing(listed, session);
    return found;
  }

  // If the response to an upload lacks what a page needs, it is taken from the list.
  async function findUploaded(
    reply: SessionReply,
    { name, bytes }: Partial<AssetInput>,
    options: CallOptions = {},
  ): Promise<Asset> {
    const parts = findAssetParts(reply.json, reply);
    if (parts.id !== undefined && parts.url !== undefined)
      return replayed({ ...parts, id: parts.id, url: parts.url }, reply);
    if (parts.id !== undefined && reportsFailure(reply.json)) throw notProcessed(name, reply, session);
    if (reportsFailure(reply.json) || isNoRecord(reply.json)) {
      throw unreadable("asset with an ID and an address", { ...reply.context, json: reply.json });
    }
    const { items, unaddressed } = await list({}, options);
    const isSame = (asset: ListedAsset) => (parts.id === undefined ? asset.name === name : asset.id === parts.id);
    const pending = unaddressed.find(isSame) ?? { id: "", name, ...parts };
    const size = bytes === undefined ? undefined : sizeOf(bytes);
    const found =
      items.find(({ id, url }) => id === parts.id || url === parts.url) ??
      newestOf(items.filter((asset) => asset.name === name)) ??
      newestOf(items.filter((asset) => size !== undefined && asset.size === size && isRenamed(asset, name))) ??
      (pending.isProcessing === true ? await awaitAddress(isSame, { ...options, pending }) : undefined);
    if (found !== undefined) return replayed(found, reply);
    // A page needs only the address, but such a file can't be deleted again.
    if (parts.url !== undefined) return replayed({ ...parts, id: parts.url, url: parts.url }, reply);
    const isThere = parts.id !== undefined || unaddressed.some((asset) => asset.name === name);
    throw isThere ? withoutAddress(name, session) : madeWithoutId(name ?? "a file", reply);
  }

  // A library may name an address before readers get the file, or never change what it says of the file.
  async function awaitServed(asset: Asset, { signal }: CallOptions = {}): Promise<Asset> {
    if (asset.isProcessing !== true) return asset;
    const look = async () => {
      if ((await visit(asset.url, { signal }))?.status === 200) return { ready: asset };
      const { items, unaddressed } = await listOnce({ signal });
      const listed = [...items, ...unaddressed].find(({ id }) => id === asset.id);
      const isDone = listed !== undefined && listed.isProcessing !== true;
      return { ready: isDone ? { ...asset, ...listed } : undefined };
    };
    const isEnough = ({ ready }: Awaited<ReturnType<typeof look>>) => ready !== undefined || isVain;
    const sleep = (ms: number) => session.sleep(ms, signal);
    const { ready } = await pollUntil(look, { isEnough, pausesMs: PROCESSED_AFTER_MS, sleep });
    if (ready === undefined) isVain = true;
    return ready ?? asset;
  }

  return { findUploaded, awaitAddress, awaitServed };
}

// Half a minute: a library may resize a picture or look for viruses before it shows a file.
const PROCESSED_AFTER_MS: readonly number[] = [500, 1000, 2000, 4000, 8000, 15_000];

function stillProcessing({ name = "a file" }: ListedAsset, { baseUrl }: Session): ImprintError {
  return new ImprintError("NOT_LIVE", `${baseUrl} has ${name}, but is still processing it and shows no address yet.`, {
    hint: "Run again in a few minutes. The file is not uploaded again.",
  });
}

// Pages can't load such a file.
function withoutAddress(name = "a file", { baseUrl }: Session): ImprintError {
  return new ImprintError("NOT_SUPPORTED", `${baseUrl} keeps ${name} in its library without an address for readers.`);
}

/** The library took the file, and says that it can't show it. */
function notProcessed(name = "a file", { json, context }: SessionReply, { baseUrl }: Session): ImprintError {
  const said = parseErrorBody(JSON.stringify(json)).summary;
  const why = said === "" ? "" : `: "${context.redact(said)}"`;
  return new ImprintError("NOT_SUPPORTED", `${baseUrl} could not process ${name}${why}.`);
}

function isNoRecord(json: unknown): boolean {
  return Array.isArray(json) ? json.length !== 1 : typeof json === "number" || json === false;
}

// A library may extend a name to keep it unique: `a.png` becomes `a-7f3.png` or `7f3_a.png`.
function isRenamed({ name, url }: Asset, sent: string | undefined): boolean {
  const stem = sent?.replace(/\.[^.]*$/, "");
  return stem !== undefined && stem !== "" && (name ?? url).includes(stem);
}
