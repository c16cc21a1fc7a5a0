import { describe, expect, it } from "vitest";
import { detectRouteSet } from "../../src/client.ts";
import { API_KEY, failure, testConnect } from "./clients.ts";
import { closedPort, startHost, type Answered } from "./host.ts";

const MISSING: Answered = { status: 404, body: { error: "Not Found" } };
const HTML: Answered = { body: "<!doctype html><title>App</title>", headers: { "content-type": "text/html" } };
const LIBRARIES = { a: "/api/library", b: "/api/assets" } as const;
const ACCOUNT = {
  id: "ac_1",
  name: "Me",
  plan: "pro",
  routeSet: "b",
  pagesUrl: "http://127.0.0.1:4401",
  limits: { maxPageBytes: 1000 },
  usage: { pages: 0, sites: 0, assets: 0, blogs: 0, posts: 0, brandKits: 0 },
  capabilities: { "posts.update": true, "posts.delete": true, "assets.types": "images" },
};

/** Serves these paths; anything else gets the last response. */
async function hostWith(paths: Readonly<Record<string, Answered>>, otherwise: Answered = MISSING) {
  return startHost(({ path }) => paths[path] ?? otherwise);
}

describe("connecting", () => {
  it("takes one request if the service has an account", async () => {
    const { baseUrl, received } = await hostWith({ "/api/account": { body: ACCOUNT } });
    const api = await testConnect({ baseUrl });
    expect(received).toHaveLength(1);
    expect(api.capabilities).toMatchObject({ routeSet: "b", limits: { maxPageBytes: 1000 }, assetTypes: "images" });
    expect(api.capabilities.operations.has("posts.patch")).toBe(true);
    expect(api.capabilities.account?.name).toBe("Me");
  });

  it.each([
    ["a", MISSING, 2],
    ["b", MISSING, 3],
    ["a", { status: 405 }, 2],
    ["b", { status: 405 }, 3],
    ["b", HTML, 3],
    ["b", { status: 302, headers: { location: "/login" } }, 3],
    ["b", { status: 501 }, 3],
  ] as const)(
    "detects route set %s by its library if everything else returns %j",
    async (routeSet, otherwise, requests) => {
      const { baseUrl, received } = await hostWith({ [LIBRARIES[routeSet]]: { body: { data: [] } } }, otherwise);
      const api = await testConnect({ baseUrl });
      expect(api.capabilities).toMatchObject({ routeSet, account: undefined });
      expect(received).toHaveLength(requests);
    },
  );

  it("treats a library as present even if it rejects the query or the key can't read it", async () => {
    const refusing = await hostWith({ "/api/assets": { status: 400, body: {} } });
    const forbidden = await hostWith({ "/api/assets": { status: 403, body: {} } });
    expect((await testConnect({ baseUrl: refusing.baseUrl })).capabilities.routeSet).toBe("b");
    expect((await testConnect({ baseUrl: forbidden.baseUrl })).capabilities.routeSet).toBe("b");
  });

  it.each([
    ["a", LIBRARIES.a, 2],
    ["b", LIBRARIES.b, 2],
    // The service has changed since.
    ["b", LIBRARIES.a, 3],
    ["a", LIBRARIES.b, 4],
  ] as const)(
    "requests the account and the library in parallel if route set %s is likely, and detects %s",
    async (...likely) => {
      const [likelyRouteSet, library, requests] = likely;
      const { baseUrl, received } = await hostWith({ [library]: { body: { data: [] } } });
      const api = await testConnect({ baseUrl, likelyRouteSet });
      expect(api.capabilities.routeSet).toBe(library === LIBRARIES.a ? "a" : "b");
      expect(received).toHaveLength(requests);
      expect(received.slice(0, 2).map(({ path }) => path)).toEqual(
        expect.arrayContaining(["/api/account", LIBRARIES[likelyRouteSet]]),
      );
    },
  );

  it("trusts the account over the likely route set", async () => {
    const { baseUrl } = await hostWith({ "/api/account": { body: ACCOUNT }, "/api/library": { body: [] } });
    expect((await testConnect({ baseUrl, likelyRouteSet: "a" })).capabilities.routeSet).toBe("b");
    const locked = await hostWith({}, { status: 401, body: { error: "Unknown key" } });
    const refused = await failure(testConnect({ baseUrl: locked.baseUrl, likelyRouteSet: "a" }));
    expect(refused.code).toBe("KEY_REJECTED");
  });

  it("with a given route set requests only the account", async () => {
    const { baseUrl, received } = await hostWith({});
    expect((await testConnect({ baseUrl, routeSet: "b" })).capabilities.routeSet).toBe("b");
    expect(received.map(({ path }) => path)).toEqual(["/api/account"]);
  });

  it("with a route set other than the account's is an error", async () => {
    const { baseUrl } = await hostWith({ "/api/account": { body: ACCOUNT } });
    const error = await failure(testConnect({ baseUrl, routeSet: "a" }));
    expect(error.code).toBe("OPTIONS_INVALID");
    expect(error.message).toBe(`${baseUrl} uses route set B, but \`routeSet\` is "a".`);
  });

  it("ignores an account with an unknown format", async () => {
    const paths = { "/api/account": { body: { user: "me" } }, "/api/library": { body: [] } };
    const { baseUrl } = await hostWith(paths);
    expect((await testConnect({ baseUrl })).capabilities).toMatchObject({
      routeSet: "a",
      account: undefined,
      limits: {},
    });
  });
});

describe("connecting to a wrong address", () => {
  it.each([
    [HTML, "SERVICE_WRONG_ADDRESS", "has neither /api/library nor /api/assets"],
    [MISSING, "SERVICE_WRONG_ADDRESS", "has neither /api/library nor /api/assets"],
    [
      { status: 301, headers: { location: "https://www.example.org/" } },
      "SERVICE_WRONG_ADDRESS",
      "redirect (301) to https://www.example.org/",
    ],
    [{ status: 401, body: {} }, "KEY_REJECTED", "rejected the API key"],
    [{ status: 403, body: {} }, "KEY_REJECTED", "(403)."],
    [{ status: 402, body: {} }, "PLAN_REQUIRED", "(402)"],
  ] as const)("where everything returns %j fails as %s", async (answer, code, words) => {
    const { baseUrl } = await hostWith({}, answer);
    const error = await failure(testConnect({ baseUrl }));
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(words)]);
  });

  it.each([
    ["https://www.example.org/api/pages", "Set the address of the service to https://www.example.org"],
    ["/api/pages/", "it serves the specification's paths without redirects."],
    ["/login", "it serves the specification's paths without redirects."],
  ])("where everything redirects to %s suggests a remedy", async (location, advice) => {
    const { baseUrl } = await hostWith({}, { status: 308, headers: { location } });
    const { hint } = await failure(testConnect({ baseUrl }));
    expect(hint?.endsWith(advice)).toBe(true);
  });

  it("where nothing listens is reported", async () => {
    const error = await failure(testConnect({ baseUrl: `http://127.0.0.1:${await closedPort()}` }));
    expect(error.code).toBe("SERVICE_UNREACHABLE");
    expect(error.message).toContain("Connection refused by");
  });
});

it("can detect only the route set", async () => {
  const { baseUrl } = await hostWith({ "/api/assets": { body: [] } });
  expect(await detectRouteSet({ baseUrl, apiKey: API_KEY })).toBe("b");
});
