import { expect, it } from "vitest";
import { mapPool } from "../../src/base/pool.ts";
import { runHistory } from "./history.ts";
import { planHistory } from "./plan-history.ts";
import { renderFailure } from "./table.ts";

const HISTORIES = 6;

it("keeps the identity of posts: a sample of `npm run test:renames`", { timeout: 300_000 }, async () => {
  // The same in every run, so that a failure is one of the change at hand.
  const plans = [...Array(HISTORIES * 2).keys()].map(planHistory).filter(({ host }) => host.atOnce < 3);
  const results = await mapPool(plans.slice(0, HISTORIES), 3, runHistory);
  expect(results.filter(({ failures }) => failures.length > 0).map(renderFailure)).toEqual([]);
});
