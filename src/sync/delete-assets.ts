import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../base/error.ts";
import { pollUntil } from "../base/poll-until.ts";
import { mapPool } from "../base/pool.ts";
import type { ImprintApi, ListedAsset } from "../client/api.ts";
import { pausesAt } from "./lateness.ts";

export interface DeletionOptions {
  readonly api: ImprintApi;
  /** Deletes one file. Default: whether or not something uses it. */
  readonly remove?: (asset: ListedAsset) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

const AT_ONCE = 16;
const STILL_LISTED = "the service confirmed that it deleted it, but still lists it";

/**
 * Deletes files. Retries refused files after the others, because those may use them. Returns why files were kept, by
 * file.
 */
export async function deleteAssets(
  assets: readonly ListedAsset[],
  { api, remove = ({ id }) => api.assets.delete(id), signal }: DeletionOptions,
): Promise<ReadonlyMap<ListedAsset, string>> {
  let left = assets;
  for (;;) {
    const refused = new Map<ListedAsset, string>();
    await mapPool(left, AT_ONCE, async (asset) => {
      await remove(asset).catch((error: unknown) => refused.set(asset, messageOf(error)));
    });
    const isOver = refused.size === 0 || refused.size === left.length;
    left = left.filter((asset) => refused.has(asset));
    if (!isOver) continue;
    const acknowledged = assets.filter((asset) => !refused.has(asset));
    const still = await findStillListed(acknowledged, { api, signal });
    return new Map([...refused, ...still.map((asset) => [asset, STILL_LISTED] as const)]);
  }
}

// Our own service has deleted what it acknowledges. A list may be late.
async function findStillListed(
  assets: readonly ListedAsset[],
  { api, signal }: Pick<DeletionOptions, "api" | "signal">,
): Promise<readonly ListedAsset[]> {
  if (assets.length === 0 || api.capabilities.account !== undefined) return [];
  const find = async () => {
    const { items, unaddressed } = await api.assets.list({}, { signal });
    const listed = new Set([...items, ...unaddressed].map(({ id }) => id));
    return assets.filter(({ id }) => listed.has(id));
  };
  return await pollUntil(find, {
    isEnough: (still) => still.length === 0,
    pausesMs: pausesAt(api.dialect),
    sleep: (ms) => delay(ms, undefined, { signal }),
  });
}
