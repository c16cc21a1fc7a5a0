import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { mapPool } from "../../src/base/pool.ts";
import { runHistory, type HistoryResult } from "./history.ts";
import { HOSTS } from "./hosts.ts";
import { planHistory } from "./plan-history.ts";
import { renderCells, renderLabel, renderResults } from "./table.ts";

// IMPRINT_RENAMES=150 runs the first 150 histories, IMPRINT_RENAMES=seed:17 that one alone.
const asked = process.env["IMPRINT_RENAMES"] ?? "1000";
const seed = /^seed:(\d+)$/.exec(asked)?.[1];
const seeds = seed === undefined ? [...Array(Number(asked)).keys()] : [Number(seed)];
const results: HistoryResult[] = [];

afterAll(async () => {
  const file = join(tmpdir(), `imprint-renames-${process.pid}.txt`);
  const sorted = results.toSorted((one, other) => one.plan.seed - other.plan.seed);
  await writeFile(file, `${renderCells(sorted)}\n`);
  process.stdout.write(
    `\n${renderResults(sorted, { shows: seed === undefined ? 5 : "all" })}\nEvery cell and every failure: ${file}\n`,
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
