import { describe, expect, it } from "vitest";
import { capabilitiesOf } from "../../src/client/routes.ts";

const ACCOUNT = {
  id: "ac_1",
  name: "Me",
  plan: "pro",
  routeSet: "a",
  pagesUrl: "http://127.0.0.1:4401/",
  limits: { maxPageBytes: 1000 },
  usage: { pages: 0, sites: 0, assets: 0, blogs: 0, posts: 0, brandKits: 0 },
  capabilities: { "posts.update": true, "posts.delete": false, "assets.types": "any" },
} as const;

describe("a service's capabilities", () => {
  it("are those of its route set if it announces none", () => {
    const a = capabilitiesOf({ routeSet: "a", account: undefined, pagesUrl: undefined });
    const b = capabilitiesOf({ routeSet: "b", account: undefined, pagesUrl: undefined });
    expect([a.operations.size, a.assetTypes, a.limits, a.pagesUrl]).toEqual([31, "any", {}, undefined]);
    expect([b.operations.size, b.assetTypes, b.limits, b.pagesUrl]).toEqual([27, "images", {}, undefined]);
    expect([a.operations.has("pages.get"), b.operations.has("pages.get")]).toEqual([true, false]);
    expect([a.operations.has("pages.create"), b.operations.has("pages.create")]).toEqual([false, true]);
  });

  it("are extended by exactly what the account announces", () => {
    const { operations, limits, pagesUrl } = capabilitiesOf({
      routeSet: "a",
      account: ACCOUNT,
      pagesUrl: "http://other",
    });
    expect([...operations].slice(31)).toEqual(["account.get", "posts.patch"]);
    expect(limits).toEqual({ maxPageBytes: 1000 });
    expect(pagesUrl).toBe("http://other");
  });

  it("include the announced address of pages, unless the caller sets another", () => {
    const { pagesUrl } = capabilitiesOf({ routeSet: "a", account: ACCOUNT, pagesUrl: undefined });
    expect(pagesUrl).toBe("http://127.0.0.1:4401");
  });
});
