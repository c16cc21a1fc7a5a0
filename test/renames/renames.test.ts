import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { mapPool } from "../../src/base/pool.ts";
import { runHistory, type HistoryResult } from "./history.ts";
import { HOSTS } from "./hosts.ts";
import { planHistory } from "./plan-history.ts";
import { renderCells, renderFailure, renderResults } from "./table.ts";

// IMPRINT_RENAMES=150 runs the first 150 histories, IMPRINT_RENAMES=seed:17 that one alone.
const asked = process.env["IMPRINT_RENAMES"] ?? "1000";
const seed = /^seed:(\d+)$/.exec(asked)?.[1];
const seeds = seed === undefined ? [...Array(Number(asked)).keys()] : [Number(seed)];
const results: HistoryResult[] = [];

afterAll(async () => {
  const file = join(tmpdir(), "imprint-renames.txt");
  const sorted = results.toSorted((one, other) => one.plan.seed - other.plan.seed);
  await writeFile(file, `${renderCells(sorted)}\n`);
  process.stdout.write(`\n${renderResults(sorted, { details: 5 })}\nEvery cell and every failure: ${file}\n`);
});

describe.concurrent("an editor's posts keep their identity", () => {
  it.each(HOSTS)("$name", async ({ name, atOnce }) => {
    const failed: string[] = [];
    const plans = seeds.map(planHistory).filter(({ host }) => host.name === name);
    await mapPool(plans, atOnce, async (plan) => {
      const result = await runHistory(plan);
      results.push(result);
      if (result.failures.length > 0 || seed !== undefined) failed.push(renderFailure(result));
    });
    expect(seed === undefined ? failed : failed.filter((text) => text.includes("✗"))).toEqual([]);
  });
});
