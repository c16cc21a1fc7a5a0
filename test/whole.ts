/**
 * `npm run test:whole` runs everything of which `npm test` runs a sample. It selects the files that import this module,
 * so they have to import it directly.
 */
export const IS_WHOLE = process.env["IMPRINT_WHOLE"] === "all";

/** Returns a whole matrix, or its sample in `npm test`: one of each kind, and each that once failed. */
export function sampleOf<Item>(all: readonly Item[], isInSample: (item: Item) => boolean): readonly Item[] {
  return IS_WHOLE ? all : all.filter(isInSample);
}

/**
 * For a suite that runs in several worlds: in `npm test` the worlds take turns, so that each test runs in one world,
 * and each world has a test. Returns a function for each world, to be called once per test in order:
 * `it.runIf(isTurn())`. With fewer tests than worlds, `tests` has to be given.
 */
export function takeTurns<World>(worlds: readonly World[], tests = worlds.length): (world: World) => () => boolean {
  const turns = Math.min(tests, worlds.length);
  return (world) => {
    const own = worlds.indexOf(world) % turns;
    let next = 0;
    return () => IS_WHOLE || next++ % turns === own;
  };
}
