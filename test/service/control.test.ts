import { describe, expect, it } from "vitest";
import { clientOf, openService, visit } from "./open-service.ts";

describe("the service handle", () => {
  it("restores a snapshot, including pages and files deleted since", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const form = new FormData();
    form.append("file", new File(["a{}"], "a.css"));
    const { body: asset } = await send("POST", "/api/library", { form });
    await send("PUT", "/api/pages/one", { json: { html: `<link href="${String(asset.url)}">` } });
    const snapshot = await service.snapshot();
    await send("DELETE", "/api/pages/one");
    await send("DELETE", `/api/library/${String(asset.id)}`);
    await send("PUT", "/api/pages/two", { json: { html: "<p>2</p>" } });

    await service.restore(snapshot);
    expect((await send("GET", "/api/pages")).items).toMatchObject([{ slug: "one" }]);
    expect((await send("GET", "/api/library")).items).toMatchObject([{ usedBy: 1 }]);
    expect(await (await visit(service, new URL(String(asset.url)).pathname)).text()).toBe("a{}");
    await service.restore(snapshot);
    expect((await visit(service, "/p/two")).status).toBe(404);
  });

  it("rejects an unknown snapshot", async () => {
    await expect(openService().restore("none")).rejects.toMatchObject({ code: "USAGE" });
  });

  it("deletes everything but keys", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const { apiKey } = await service.createKey({ name: "ci" });
    await send("POST", "/api/_seed", { json: { pages: 2, posts: 2 } });
    service.setFaults({ rules: [{ fault: { kind: "status", status: 500 } }] });
    await service.reset();
    expect(service.requests()).toEqual([]);
    const { status, items } = await send("GET", "/api/pages", { apiKey });
    expect([status, items]).toEqual([200, []]);
  });

  it("lists the requests since a given time", async () => {
    let now = new Date("2026-01-01T00:00:00Z");
    const service = openService({ now: () => now });
    const send = clientOf(service, { routeSet: "b" });
    await send("GET", "/api/pages?limit=1");
    now = new Date("2026-01-01T00:01:00Z");
    await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
    expect(service.requests(now)).toMatchObject([
      { at: now, method: "PUT", path: "/b/api/pages/one", status: 201, routeSet: "b", operation: "pages.put" },
    ]);
    expect(service.requests().map(({ path }) => path)).toEqual(["/b/api/pages", "/b/api/pages/one"]);
  });

  it("generates the same ids from the same source of randomness", async () => {
    const ids = [];
    for (let run = 0; run < 2; run++) {
      let counter = 0;
      const service = openService({ random: (size) => new Uint8Array(size).fill(counter++) });
      const { body } = await clientOf(service, { routeSet: "a" })("PUT", "/api/pages/one", { json: { html: "<p>" } });
      ids.push(body.id);
    }
    expect(ids[0]).toBe(ids[1]);
  });
});

describe("the test-only routes", () => {
  it("exist only in development", async () => {
    const send = clientOf(openService({ dev: false }), { routeSet: "a" });
    expect((await send("POST", "/api/_reset")).status).toBe(404);
  });

  it("require a key with write access to the account", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const { apiKey } = await service.createKey({ name: "pages", scopes: ["pages:write"] });
    expect((await send("POST", "/api/_reset", { apiKey: null })).status).toBe(401);
    expect((await send("POST", "/api/_reset", { apiKey })).status).toBe(403);
  });

  it("create and restore snapshots", async () => {
    const send = clientOf(openService(), { routeSet: "b" });
    const { body } = await send("POST", "/api/_snapshot");
    await send("POST", "/api/_seed", { json: { pages: 1 } });
    expect((await send("POST", "/api/_restore", { json: { snapshot: body.snapshot } })).status).toBe(204);
    expect((await send("GET", "/api/pages")).items).toHaveLength(0);
    expect((await send("POST", "/api/_restore", { json: { snapshot: "none" } })).status).toBe(422);
  });

  it("inject faults, which don't affect these routes, and list the requests", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const rules = [{ fault: { kind: "status", status: 418 } }];
    expect((await send("PUT", "/api/_faults", { json: { rules } })).status).toBe(204);
    expect((await send("GET", "/api/pages")).status).toBe(418);
    expect((await send("GET", "/api/_requests")).items).toMatchObject([{ path: "/a/api/pages", status: 418 }]);
    expect((await send("PUT", "/api/_faults", { json: {} })).status).toBe(204);
    expect((await send("GET", "/api/pages")).status).toBe(200);
    expect((await send("PUT", "/api/_faults", { json: { rules: [{ fault: { kind: "no" } }] } })).status).toBe(422);
  });
});
