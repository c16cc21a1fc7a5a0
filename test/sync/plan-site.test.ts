import { expect, it } from "vitest";
import { planSite } from "../../src/sync/plan/site.ts";
import { EMPTY_STATE } from "../../src/sync/state.ts";

type Input = Parameters<typeof planSite>[0];

const wanted = { name: "Halden", slug: "halden", homeSlug: "index", isNamed: true, hasFixedName: true };
const desired: Input["desired"] = {
  site: { ...wanted, basePath: "/docs" },
  pages: [],
  assets: new Map(),
  blog: undefined,
  posts: [],
  brandKit: undefined,
  warnings: [],
};
const known: Input["known"] = {
  site: undefined,
  siteSlugs: new Set(),
  owner: {
    project: "k3v9x2ab",
    isRecovered: false,
    isFresh: false,
    isFirst: false,
    ownsUnnamed: false,
    isUncertain: false,
    others: new Set(),
  },
  mayHaveBlog: false,
  refused: {},
  refusedFiles: {},
  pages: new Map(),
  assets: new Map(),
  seen: { library: undefined, goneAssets: [], otherPages: [], gonePages: [], seenAt: undefined, hasEdits: false },
  blog: undefined,
  posts: undefined,
  brandKit: undefined,
  namesakes: { sites: [], brandKits: [] },
};
const capabilities: Input["capabilities"] = {
  routeSet: "a",
  operations: new Set(),
  assetTypes: "any",
  limits: {},
  pagesUrl: undefined,
  pagesAt: undefined,
  account: undefined,
  clockAheadMs: 0,
};

it.each([
  ["its name changed", { id: "st_1", name: "Halden & Co", homeSlug: "index", basePath: "/docs" }],
  ["its base path changed", { id: "st_1", name: "Halden", homeSlug: "index", basePath: "/shop" }],
  ["its base path changed", { id: "st_1", name: "Halden", homeSlug: "index" }],
  ["its name and home page changed", { id: "st_1", name: "H", homeSlug: "start", basePath: "/docs" }],
])("the plan says what changed in the site: %s", (reason, site) => {
  const rules: Input["rules"] = { prune: "report", maxDeleteShare: 0.3, adopt: false };
  const change = planSite({ desired, known: { ...known, site }, state: EMPTY_STATE, capabilities, rules });
  expect(change).toMatchObject({ kind: "update", reason });
});
