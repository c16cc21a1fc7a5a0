import type { Asset } from "../client/api.ts";
import { assetHashPrefix } from "./asset-name.ts";

/** Files of ours in the library that seem to be used by nothing. */
export interface SpareAssets {
  readonly count: number;
  /** Their size as far as the service tells it. */
  readonly bytes: number;
}

/**
 * Assets that imprint uploaded, that nothing wants any more and that the service does not count as used by a page. A
 * service that does not count has each of them here.
 *
 * @param wanted first 16 digits of the hashes of the assets that are wanted
 */
export function findSpareAssets(listed: readonly Asset[], wanted: ReadonlySet<string>): readonly Asset[] {
  return listed.filter(({ name = "", usedBy = 0 }) => {
    const prefix = assetHashPrefix(name);
    // The files by which a library is asked what it can do are found again by the next question.
    return prefix !== undefined && !name.startsWith("imprint-probe.") && !wanted.has(prefix) && usedBy === 0;
  });
}

/** What a report says of them; `undefined` when there are none, or when the service does not count uses. */
export function countSpareAssets(listed: readonly Asset[], hashes: Iterable<string>): SpareAssets | undefined {
  const wanted = new Set(Array.from(hashes, (hash) => hash.slice(0, 16)));
  const spare = findSpareAssets(listed, wanted).filter(({ usedBy }) => usedBy !== undefined);
  const bytes = spare.reduce((sum, { size = 0 }) => sum + size, 0);
  return spare.length === 0 ? undefined : { count: spare.length, bytes };
}
