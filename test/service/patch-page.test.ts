import { describe, expect, it } from "vitest";
import { clientOf, openRunningService, openService, visit, type Fields } from "./open-service.ts";
import { releaseClientOf } from "./releases/publisher.ts";

const HTML = "<!doctype html><title>Lamps</title><form name=ask><input name=q></form>";

describe.each(["a", "b"] as const)("PATCH /api/pages/:slug of route set %s", (routeSet) => {
  async function open() {
    const service = openService();
    const send = clientOf(service, { routeSet });
    await send("PUT", "/api/pages/lamps", { json: { html: HTML } });
    const eventsOf = async () => {
      const { items } = await send("GET", "/api/events");
      return items.map(({ type, data }) => [type, Object(data).title, Object(data).reason]).toReversed();
    };
    return { service, send, eventsOf };
  }

  it("renames, unpublishes, and republishes a page, with one event each", async () => {
    const { service, send, eventsOf } = await open();
    const title = await send("PATCH", "/api/pages/lamps", { json: { title: " All lamps ", description: "Light" } });
    expect([title.status, title.body]).toEqual([
      200,
      expect.objectContaining({ slug: "lamps", title: "All lamps", description: "Light", version: 2 }),
    ]);
    const draft = await send("PATCH", "/api/pages/lamps", { json: { status: "draft" } });
    expect(draft.body).toMatchObject({ status: "draft", title: "All lamps", version: 3 });
    expect((await visit(service, "/p/lamps")).status).toBe(404);
    await send("PATCH", "/api/pages/lamps", { json: { status: "published", description: null } });
    expect(await (await visit(service, "/p/lamps")).text()).toContain("<form name=ask>");
    expect((await send("GET", "/api/pages")).items).toMatchObject([{ version: 4, description: null }]);
    expect(await eventsOf()).toEqual([
      ["page.published", "Lamps", undefined],
      ["page.updated", "All lamps", undefined],
      ["page.deleted", "All lamps", "unpublished"],
      ["page.published", "All lamps", undefined],
    ]);
  });

  it("moves a page into a site and out of it", async () => {
    const { send } = await open();
    const { body: site } = await send("POST", "/api/sites", { json: { name: "Shop" } });
    expect((await send("PATCH", "/api/pages/lamps", { json: { siteId: site.id } })).body.siteId).toBe(site.id);
    expect((await send("PATCH", "/api/pages/lamps", { json: { siteId: null } })).body.siteId).toBeNull();
    const { status, body } = await send("PATCH", "/api/pages/lamps", { json: { siteId: "st_none" } });
    expect([status, body.code]).toEqual([422, "invalid_body"]);
  });

  it("changes nothing if the values are the same", async () => {
    const { send, eventsOf } = await open();
    for (const json of [{}, { title: "Lamps", status: "published" }]) {
      expect((await send("PATCH", "/api/pages/lamps", { json })).body).toMatchObject({ version: 1 });
    }
    expect(await eventsOf()).toHaveLength(1);
  });

  it("rejects a change based on an outdated version", async () => {
    const { send } = await open();
    const patch = (title: string, ifMatch: string) =>
      send("PATCH", "/api/pages/lamps", { json: { title }, headers: { "If-Match": ifMatch } });
    expect((await patch("One", '"v1"')).status).toBe(200);
    const late = await patch("Two", '"v1"');
    expect([late.status, late.body]).toEqual([412, expect.objectContaining({ code: "version_mismatch", version: 2 })]);
  });

  it.each<readonly [Fields, number, string]>([
    [{ title: "" }, 422, "invalid_body"],
    [{ title: null }, 422, "invalid_body"],
    [{ title: "x".repeat(201) }, 422, "invalid_body"],
    [{ status: "gone" }, 422, "invalid_body"],
    [{ description: 7 }, 422, "invalid_body"],
  ])("rejects %j", async (json, status, code) => {
    const { send } = await open();
    const answer = await send("PATCH", "/api/pages/lamps", { json });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it("returns 404 for an unknown page, and for any page in strict mode", async () => {
    const { send } = await open();
    expect((await send("PATCH", "/api/pages/none", { json: {} })).body.code).toBe("page_not_found");
    const strict = clientOf(openService({ strict: true }), { routeSet });
    expect((await strict("PATCH", "/api/pages/lamps", { json: {} })).status).toBe(405);
  });
});

it("a manually renamed page keeps its title when its site is released again", async () => {
  const service = await openRunningService();
  const { publish, send } = releaseClientOf(service);
  const first = await publish({ index: "<title>Home</title>1", about: "<title>About</title>1" });
  expect((await send("PATCH", "/api/pages/index", { json: { title: "By hand" } })).status).toBe(200);
  const parent = String(first.body["id"]);
  const second = await publish({ index: "<title>Home</title>2", about: "<title>About</title>2" }, { parent });
  expect(second.body["kept"]).toEqual(["index"]);
  expect(await (await visit(service, "/p/index")).text()).toContain("<title>Home</title>1");
  expect(await (await visit(service, "/p/about")).text()).toContain("<title>About</title>2");
  const { items } = await send("GET", "/api/pages");
  expect(items.find(({ slug }) => slug === "index")?.["title"]).toBe("By hand");
});
