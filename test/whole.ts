/**
 * `npm run test:whole` runs all that `npm test` takes a sample of. It runs the files that import this module, so that
 * none imports it by a helper.
 */
export const IS_WHOLE = process.env["IMPRINT_WHOLE"] === "all";

/** All of a matrix, and in `npm test` those of its sample: one of each kind, and each that once failed. */
export function sampleOf<Item>(all: readonly Item[], isInSample: (item: Item) => boolean): readonly Item[] {
  return IS_WHOLE ? all : all.filter(isInSample);
}

/**
 * For a suite that runs in each of several worlds: in `npm test` the worlds take turns, so that each test runs in one
 * world, and each world has a test. Gives what is asked in each world for each test, in order: `it.runIf(isTurn())`.
 * With fewer tests than worlds, it has to know how many.
 */
export function takeTurns<World>(worlds: readonly World[], tests = worlds.length): (world: World) => () => boolean {
  const turns = Math.min(tests, worlds.length);
  return (world) => {
    const own = worlds.indexOf(world) % turns;
    let next = 0;
    return () => IS_WHOLE || next++ % turns === own;
  };
}
