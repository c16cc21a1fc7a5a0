import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { mapPool } from "../../src/base/pool.ts";
import { runHistory, type HistoryResult } from "./history.ts";
import { HOSTS } from "./hosts.ts";
import { planHistory } from "./plan-history.ts";
import { renderCells, renderLabel, renderResults } from "./table.ts";

// IMPRINT_RENAMES=150 runs the first 150 histories, IMPRINT_RENAMES=1000-1999 others, IMPRINT_RENAMES=seed:17 that one.
const asked = process.env["IMPRINT_RENAMES"] ?? "1000";
const isOne = asked.startsWith("seed:");
const seeds = readSeeds(asked);
const results: HistoryResult[] = [];

afterAll(async () => {
  const file = join(tmpdir(), `imprint-renames-${process.pid}.txt`);
  const sorted = results.toSorted((one, other) => one.plan.seed - other.plan.seed);
  await writeFile(file, `${renderCells(sorted)}\n`);
  process.stdout.write(
    `\n${renderResults(sorted, { shows: isOne ? "all" : 5 })}\nEvery cell and every failure: ${file}\n`,
  );
});

describe.concurrent("an editor's posts keep their identity", () => {
  it.each(HOSTS)("$name", async ({ name, atOnce }) => {
    const plans = seeds.map(planHistory).filter(({ host }) => host.name === name);
    const own = await mapPool(plans, atOnce, runHistory);
    results.push(...own);
    expect(own.filter(({ failures }) => failures.length > 0).map(renderLabel)).toEqual([]);
  });
});

function readSeeds(asked: string): readonly number[] {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(asked) ?? [];
  if (from !== undefined)
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index);
  return isOne ? [Number(asked.slice("seed:".length))] : [...Array(Number(asked)).keys()];
}
