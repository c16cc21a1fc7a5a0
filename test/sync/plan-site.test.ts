import { expect, it } from "vitest";
import { planSite } from "../../src/sync/plan/site.ts";
import { EMPTY_STATE } from "../../src/sync/state.ts";
import { capabilities, desired, known } from "./plan-inputs.ts";

type Input = Parameters<typeof planSite>[0];

const site = { ...desired.site, isNamed: true, hasFixedName: true, basePath: "/docs" };

it.each([
  ["its name changed", { id: "st_1", name: "Halden & Co", homeSlug: "index", basePath: "/docs" }],
  ["its base path changed", { id: "st_1", name: "Halden", homeSlug: "index", basePath: "/shop" }],
  ["its base path changed", { id: "st_1", name: "Halden", homeSlug: "index" }],
  ["its name and home page changed", { id: "st_1", name: "H", homeSlug: "start", basePath: "/docs" }],
])("the plan says what changed in the site: %s", (reason, listed) => {
  const rules: Input["rules"] = { prune: "report", maxDeleteShare: 0.3, adopt: false };
  const change = planSite({
    desired: { ...desired, site },
    known: { ...known, site: listed },
    state: EMPTY_STATE,
    capabilities,
    rules,
  });
  expect(change).toMatchObject({ kind: "update", reason });
});
