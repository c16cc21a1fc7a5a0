import { afterAll, describe, expect, it } from "vitest";
import { DIALECTS } from "./dialects.ts";
import { MEMORIES } from "./excuses.ts";
import { runOneProject, runTwoProjects } from "./histories.ts";
import { buildSites } from "./sites.ts";
import { listWrong, renderTable, type HistoryResult } from "./table.ts";

const sites = await buildSites();
const results: HistoryResult[] = [];

afterAll(() => {
  process.stdout.write(`\n${renderTable(results)}\n`);
});

describe.concurrent("imprint publish at an independent host", () => {
  it.each(DIALECTS)("$name", async (dialect) => {
    const own: HistoryResult[] = [];
    for (const memory of MEMORIES) {
      own.push({ dialect: dialect.name, column: memory, steps: await runOneProject({ dialect, memory, sites }) });
      const steps = await runTwoProjects({ dialect, memory, sites });
      own.push({ dialect: dialect.name, column: `two, ${memory}`, steps });
    }
    results.push(...own);
    expect(listWrong(own)).toEqual([]);
  });
});
