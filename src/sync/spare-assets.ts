import type { Asset } from "../client/api.ts";
import { assetHashPrefix } from "./asset-name.ts";

/** Files of ours in the library that seem to be used by nothing. */
export interface SpareAssets {
  readonly count: number;
  /** Their size as far as the service shows it. */
  readonly bytes: number;
}

/**
 * Assets that imprint uploaded and that the built site does not want, the tiny files that asked what the library takes
 * among them.
 *
 * @param wanted first 16 digits of the hashes of the assets that are wanted
 */
export function findOwnAssets(listed: readonly Asset[], wanted: ReadonlySet<string>): readonly Asset[] {
  return listed.filter(({ name = "" }) => {
    const prefix = assetHashPrefix(name);
    return prefix !== undefined && !wanted.has(prefix);
  });
}

/** What a report says of them; `undefined` when there are none, or when the service does not count uses. */
export function countSpareAssets(listed: readonly Asset[], hashes: Iterable<string>): SpareAssets | undefined {
  const wanted = new Set(Array.from(hashes, (hash) => hash.slice(0, 16)));
  // The files by which a library is asked what it can do are found again by the next question.
  const spare = findOwnAssets(listed, wanted).filter(
    ({ name = "", usedBy }) => usedBy === 0 && !name.startsWith("imprint-probe."),
  );
  const bytes = spare.reduce((sum, { size = 0 }) => sum + size, 0);
  return spare.length === 0 ? undefined : { count: spare.length, bytes };
}
