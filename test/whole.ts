/**
 * `npm run test:whole` runs all that `npm test` takes a sample of. It runs the files that import this module, so that
 * none imports it by a helper.
 */
export const IS_WHOLE = process.env["IMPRINT_WHOLE"] === "all";

/** All of a matrix, and in `npm test` those of its sample: one of each kind, and each that once failed. */
export function sampleOf<Item>(all: readonly Item[], isInSample: (item: Item) => boolean): readonly Item[] {
  return IS_WHOLE ? all : all.filter(isInSample);
}
