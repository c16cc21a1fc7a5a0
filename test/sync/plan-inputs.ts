import type { Desired } from "../../src/sync/desired.ts";
import type { Known } from "../../src/sync/known.ts";
import type { PlanInput } from "../../src/sync/plan.ts";

// What a plan is made from, with an empty site and a service that has only its record.
export const desired: Desired = {
  site: { name: "Halden", slug: "halden", homeSlug: "index", isNamed: false, hasFixedName: false },
  pages: [],
  assets: new Map(),
  blog: undefined,
  posts: [],
  brandKit: undefined,
  warnings: [],
};

export const known: Known = {
  site: { id: "st_1", name: "Halden" },
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

export const capabilities: PlanInput["capabilities"] = {
  routeSet: "a",
  operations: new Set(["blogs.list", "brandKits.put"]),
  assetTypes: "any",
  limits: {},
  pagesUrl: undefined,
  pagesAt: undefined,
  account: undefined,
  clockAheadMs: 0,
};
