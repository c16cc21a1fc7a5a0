import { describe, expect, it } from "vitest";
import { failureOf } from "../../src/client.ts";
import { failure, testClient, testConnect } from "./clients.ts";
import { startHost, type Answered } from "./host.ts";

const LIST: Answered = { body: { data: [] } };
const MISSING: Answered = { status: 404, body: { error: "Not Found" } };
const WEB_PAGE: Answered = { body: "<!doctype html><title>App</title>", headers: { "content-type": "text/html" } };
const REFUSED: Answered = { status: 403, body: { error: "not part of your plan" } };

/** Serves these paths; anything else gets the last response. */
async function hostWith(paths: Readonly<Record<string, Answered>>, otherwise: Answered = MISSING) {
  return startHost(({ path }) => paths[path] ?? otherwise);
}

describe("an operation that the service rejects", () => {
  it.each([
    [REFUSED, '403 "not part of your plan"'],
    [{ status: 402, body: { message: "Grow plan needed" } }, '402 "Grow plan needed"'],
    [{ status: 403 }, "403."],
  ])("with %j causes an error with the service's message, and others still work", async (refusal, words) => {
    const { baseUrl } = await hostWith({ "/api/pages": LIST, "/api/library": LIST }, refusal);
    const api = await testConnect({ baseUrl });
    const errors = await Promise.all([failure(api.brandKits.list()), failure(api.sites.create({ name: "Site" }))]);
    expect(errors.map(({ code }) => code)).toEqual(["AREA_REFUSED", "AREA_REFUSED"]);
    expect(errors[0]?.message).toContain(`${baseUrl} refused brand kits: ${words}`);
    expect(errors[1]?.message).not.toContain("scope");
    expect(failureOf(errors[0])?.status).toBe(refusal.status);
    expect((await api.pages.list()).items).toEqual([]);
  });

  it("names a scope only if the service does", async () => {
    const headers = { "www-authenticate": 'Bearer error="insufficient_scope", scope="kits:all"' };
    const { baseUrl } = await hostWith({ "/api/pages": LIST, "/api/brand-kits": { ...REFUSED, headers } });
    const error = await failure(testClient({ baseUrl }).brandKits.list());
    expect(error.message).toContain("The API key needs the scope kits:all.");
  });

  it("is distinguished from a rejected key with one request, however many are rejected", async () => {
    const { baseUrl, received } = await hostWith({ "/api/pages": LIST }, REFUSED);
    const api = testClient({ baseUrl });
    const errors = await Promise.all([
      failure(api.brandKits.list()),
      failure(api.sites.list()),
      failure(api.blogs.list()),
    ]);
    expect(errors.map(({ code }) => code)).toEqual(Array(3).fill("AREA_REFUSED"));
    expect(received.filter(({ path }) => path === "/api/pages")).toHaveLength(1);
  });

  it("is a rejected key if everything is rejected, or if anything returns 401", async () => {
    const nothing = await hostWith({}, REFUSED);
    const unknown = await hostWith({ "/api/pages": { status: 401 } }, REFUSED);
    const late = await hostWith({ "/api/pages": LIST, "/api/sites": { status: 401 } });
    const api = testClient(late);
    await api.pages.list();
    const errors = await Promise.all([
      failure(testClient(nothing).brandKits.list()),
      failure(testClient(unknown).brandKits.list()),
      failure(api.sites.list()),
    ]);
    expect(errors.map(({ code }) => code)).toEqual(Array(3).fill("KEY_REJECTED"));
    expect(errors[0]?.message).toContain("not part of your plan");
  });
});

it("one rejected file doesn't mean that the library rejects all files", async () => {
  const { baseUrl } = await startHost((_, count) =>
    count === 1 ? { body: { id: "1", url: "/a" } } : { status: 403, body: { error: "Blocked by the firewall" } },
  );
  const api = testClient({ baseUrl });
  const file = { name: "a.png", contentType: "image/png", bytes: Buffer.from("png") };
  await api.assets.upload(file);
  const error = await failure(api.assets.upload(file));
  expect([error.code, error.message]).toEqual(["SERVICE_REFUSED", expect.stringContaining("Blocked by the firewall")]);
});

describe("a resource that the service doesn't have", () => {
  it.each([
    [MISSING, '404 "Not Found"'],
    [{ status: 405 }, "405"],
    [{ status: 501, body: { error: "Soon" } }, '501 "Soon"'],
    [WEB_PAGE, "a web page instead of JSON"],
    [{ status: 302, headers: { location: "/login" } }, "302"],
  ] as const)("with the response %j is reported as missing", async (answer, words) => {
    const { baseUrl } = await hostWith({ "/api/pages": LIST }, answer);
    const error = await failure(testClient({ baseUrl }).sites.list());
    expect(error.code).toBe("AREA_REFUSED");
    expect(error.message).toBe(`${baseUrl} has no sites: GET /api/sites returned ${words}.`);
  });

  it("has one that can't be deleted (405)", async () => {
    const { baseUrl } = await startHost(({ method }) => (method === "GET" ? LIST : { status: 405 }));
    const api = testClient({ baseUrl });
    await api.pages.list();
    const error = await failure(api.pages.delete("about"));
    expect(error).toMatchObject({
      code: "AREA_REFUSED",
      message: `${baseUrl} doesn't allow DELETE /api/pages/:slug (405).`,
      hint: expect.stringContaining("dashboard"),
    });
  });

  it("is a wrong address if nothing else exists either", async () => {
    const { baseUrl } = await hostWith({});
    expect((await failure(testClient({ baseUrl }).sites.list())).code).toBe("SERVICE_WRONG_ADDRESS");
  });

  it("doesn't affect missing records, even if their response is a web page", async () => {
    const page: Answered = { status: 404, body: WEB_PAGE.body, headers: WEB_PAGE.headers };
    const { baseUrl } = await hostWith({ "/api/pages": LIST }, page);
    const api = testClient({ baseUrl });
    await api.pages.list();
    expect(await api.pages.get("gone")).toBeUndefined();
  });
});

describe("connecting to a service without a library", () => {
  const there = { body: [] };

  it.each([
    ["a", { "/api/blogs": there }],
    ["a", { "/api/forms": there }],
    ["a", { "/api/analytics/pages": there }],
    ["b", { "/api/blogs": { status: 405 } }],
    ["b", { "/api/analytics/heatmaps": { status: 400, body: { error: "pageId is missing" } } }],
  ] as const)("detects route set %s by %j", async (routeSet, paths) => {
    for (const otherwise of [MISSING, REFUSED]) {
      const { baseUrl } = await hostWith({ "/api/pages": LIST, ...paths }, otherwise);
      expect((await testConnect({ baseUrl })).capabilities.routeSet).toBe(routeSet);
    }
  });

  it("asks for the route set if it can't be detected", async () => {
    const { baseUrl } = await hostWith({ "/api/pages": LIST });
    const error = await failure(testConnect({ baseUrl }));
    expect(error.code).toBe("OPTIONS_INVALID");
    expect(error.hint).toContain("Set `routeSet`");
    expect((await testConnect({ baseUrl, routeSet: "b" })).capabilities.routeSet).toBe("b");
  });

  it("doesn't mistake another program's JSON for a library", async () => {
    const wordpress = { body: { name: "Blog", namespaces: ["wp/v2"], routes: {} } };
    const { baseUrl } = await hostWith({}, wordpress);
    expect((await failure(testConnect({ baseUrl }))).code).toBe("SERVICE_WRONG_ADDRESS");
  });
});
