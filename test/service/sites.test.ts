import { describe, expect, it } from "vitest";
import { clientOf, openService, visit } from "./open-service.ts";

describe("sites", () => {
  it("redirect from the root of the published pages to the newest site's home page", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    expect(await (await visit(service, "/")).text()).toContain("Nothing is published here yet");
    await send("POST", "/api/sites", { json: { name: "One", homeSlug: "home" } });
    const root = await visit(service, "/");
    expect([root.status, root.headers.get("Location")]).toEqual([302, "/p/home"]);
  });

  it("reject the slug of another site with different fields", async () => {
    const send = clientOf(openService(), { routeSet: "b" });
    await send("POST", "/api/sites", { json: { name: "One", slug: "one" } });
    const { status, body } = await send("POST", "/api/sites", { json: { name: "Two", slug: "one" } });
    expect([status, body.code]).toEqual([409, "slug_taken"]);
  });

  it("change only the given fields in route set A", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const { body: site } = await send("POST", "/api/sites", { json: { name: "One", homeSlug: "home" } });
    const path = `/api/sites/${String(site.id)}`;
    const renamed = await send("PATCH", path, { json: { name: "Two" }, headers: { "If-Match": '"v1"' } });
    expect(renamed.body).toMatchObject({ name: "Two", homeSlug: "home", version: 2 });
    expect((await send("PATCH", path, { json: { homeSlug: null } })).body.homeSlug).toBeNull();
    expect((await send("PATCH", path, { json: {}, headers: { "If-Match": '"v1"' } })).status).toBe(412);
    const merge = { body: '{"name":"Three"}', headers: { "Content-Type": "application/merge-patch+json" } };
    expect((await send("PATCH", path, merge)).body.name).toBe("Three");
    expect((await send("GET", path, { headers: { "If-None-Match": '"v4"' } })).status).toBe(304);
  });

  it("are replaced in route set B", async () => {
    const send = clientOf(openService(), { routeSet: "b" });
    const { body: site } = await send("POST", "/api/sites", { json: { name: "One", homeSlug: "home" } });
    const { status, body } = await send("PUT", `/api/sites/${String(site.id)}`, { json: { name: "Two" } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: "Two", slug: "one", homeSlug: null });
    expect((await send("PUT", "/api/sites/st_none", { json: { name: "Two" } })).status).toBe(404);
  });

  it.each([
    ["keep", 200],
    ["delete", 410],
  ])("can be deleted and %s their pages", async (pages, status) => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const { body: site } = await send("POST", "/api/sites", { json: { name: "One" } });
    const json = { html: "<p>1</p>", siteId: site.id };
    expect((await send("PUT", "/api/pages/one", { json })).status).toBe(201);
    expect((await send("GET", "/api/sites")).items).toMatchObject([{ pageCount: 1 }]);
    expect((await send("DELETE", `/api/sites/${String(site.id)}?pages=${pages}`)).status).toBe(204);
    expect((await visit(service, "/p/one")).status).toBe(status);
  });

  it("are rejected beyond the account's limit", async () => {
    const send = clientOf(openService({ limits: { maxSites: 1 } }), { routeSet: "a" });
    await send("POST", "/api/sites", { json: { name: "One" } });
    expect((await send("POST", "/api/sites", { json: { name: "Two" } })).body.code).toBe("limit_reached");
  });

  it("must exist before a page can reference them", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const { status, body } = await send("PUT", "/api/pages/one", { json: { html: "<p>", siteId: "st_none" } });
    expect([status, body.code]).toEqual([422, "invalid_body"]);
  });
});

describe("brand kits", () => {
  it("are replaced in full and keep their version if nothing changes", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const colors = [{ role: "accent", hex: "#a63d1f" }];
    const { body: kit } = await send("POST", "/api/brand-kits", { json: { name: "Kit", colors } });
    const path = `/api/brand-kits/${String(kit.id)}`;
    expect((await send("PUT", path, { json: { name: "Kit", colors } })).body.version).toBe(1);
    const changed = await send("PUT", path, { json: { name: "Kit" }, headers: { "If-Match": '"v1"' } });
    expect(changed.body).toMatchObject({ version: 2, colors: [] });
    expect((await send("PUT", path, { json: { name: "x" }, headers: { "If-Match": '"v1"' } })).status).toBe(412);
    expect((await send("GET", path)).headers.get("ETag")).toBe('"v2"');
  });

  it("are detached from the sites that use them when deleted", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const { body: kit } = await send("POST", "/api/brand-kits", { json: { name: "Kit" } });
    const { body: site } = await send("POST", "/api/sites", { json: { name: "One", brandKitId: kit.id } });
    expect((await send("DELETE", `/api/brand-kits/${String(kit.id)}`)).status).toBe(204);
    expect((await send("GET", `/api/sites/${String(site.id)}`)).body.brandKitId).toBeNull();
  });
});

describe("the account", () => {
  it("reports its limits, its usage, and the service's capabilities beyond the specification", async () => {
    const service = openService({ limits: { maxPages: 7 }, plan: "grow" });
    const send = clientOf(service, { routeSet: "b" });
    await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
    const { body } = await send("GET", "/api/account");
    expect(body).toMatchObject({
      plan: "grow",
      routeSet: "b",
      pagesUrl: service.pagesUrl,
      limits: { maxPages: 7, maxTitleLength: 200 },
      usage: { pages: 1, sites: 0, assets: 0, blogs: 0, posts: 0, brandKits: 0 },
      capabilities: { "posts.update": true, "posts.delete": true, "assets.types": "images" },
    });
  });

  it.each(["a", "b"] as const)("counts changes to sites, blogs, and brand kits in route set %s", async (routeSet) => {
    const service = openService({ now: () => new Date("2026-03-01T12:00:00Z") });
    const [send, sendTo] = [clientOf(service, { routeSet: "a" }), clientOf(service, { routeSet })];
    const changes = async () => (await sendTo("GET", "/api/account")).body.changes;
    const [never, latest] = [{ count: 0, latest: null }, "2026-03-01T12:00:00.000Z"];
    expect(await changes()).toEqual({ sites: never, blogs: never, brandKits: never });

    const { body: kit } = await send("POST", "/api/brand-kits", { json: { name: "Kit" } });
    const { body: site } = await send("POST", "/api/sites", { json: { name: "One", brandKitId: kit.id } });
    await send("POST", "/api/blogs", { json: { name: "Blog", slug: "blog", siteId: site.id } });
    const once = { count: 1, latest };
    expect(await changes()).toEqual({ sites: once, blogs: once, brandKits: once });

    await send("PATCH", `/api/sites/${String(site.id)}`, { json: { name: "One" } });
    await send("POST", "/api/blogs", { json: { name: "Blog", slug: "blog" } });
    await send("PUT", `/api/brand-kits/${String(kit.id)}`, { json: { name: "Kit" } });
    await send("PATCH", `/api/sites/${String(site.id)}`, { json: { name: "" } });
    await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>", siteId: site.id } });
    await send("POST", "/api/blogs/blog/posts", { json: { slug: "post", title: "Post", html: "<p>1</p>" } });
    expect(await changes()).toEqual({ sites: once, blogs: once, brandKits: once });

    await send("POST", "/api/blogs", { json: { name: "Renamed", slug: "blog" } });
    await send("DELETE", `/api/brand-kits/${String(kit.id)}`);
    const twice = { count: 2, latest };
    expect(await changes()).toEqual({ sites: twice, blogs: twice, brandKits: twice });
    await send("DELETE", `/api/sites/${String(site.id)}`);
    const thrice = { count: 3, latest };
    expect(await changes()).toEqual({ sites: thrice, blogs: thrice, brandKits: twice });
  });
});
