import { expect, it } from "vitest";
import { DIALECTS } from "./dialects.ts";
import { MEMORIES } from "./excuses.ts";
import { runOneProject, runTwoProjects } from "./histories.ts";
import { buildSites } from "./sites.ts";
import { listWrong, renderTable, type HistoryResult } from "./table.ts";

const HISTORIES = 4;

it("publishes to independent hosts: a sample", { timeout: 600_000 }, async () => {
  // The same in every run, so that a failure comes from the current change; `npm run test:strangers` tests all of them.
  const seed = readSeed() ?? 12;
  process.stdout.write(`\nAnother sample: IMPRINT_STRANGERS=seed:NUMBER (this one: ${seed})\n`);
  const all = DIALECTS.flatMap((dialect) =>
    MEMORIES.flatMap((memory) => [
      { dialect, memory, column: memory, run: runOneProject },
      { dialect, memory, column: `two, ${memory}`, run: runTwoProjects },
    ]),
  );
  const random = createRandom(seed);
  const drawn = all.map((history) => ({ history, order: random() })).toSorted((one, other) => one.order - other.order);
  const sites = await buildSites();
  const results = await Promise.all(
    drawn.slice(0, HISTORIES).map(async ({ history: { dialect, memory, column, run } }): Promise<HistoryResult> => {
      return { dialect: dialect.name, column, steps: await run({ dialect, memory, sites }) };
    }),
  );
  process.stdout.write(`${renderTable(results)}\n`);
  expect(listWrong(results)).toEqual([]);
});

function readSeed(): number | undefined {
  const found = /^seed:(\d+)$/.exec(process.env["IMPRINT_STRANGERS"] ?? "")?.[1];
  return found === undefined ? undefined : Number(found);
}

// Mulberry32: small, and the same on every machine.
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
