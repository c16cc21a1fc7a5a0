import { describe, expect, it } from "vitest";
import type { RouteSetName } from "../../src/contract/route.ts";
import { clientOf, openRunningService, visit } from "../service/open-service.ts";
import { commandsFor } from "./run.ts";

async function open(routeSet: RouteSetName, { strict = false } = {}) {
  const service = await openRunningService({ strict });
  const send = clientOf(service, { routeSet: "a" });
  const { body } = await send("POST", "/api/sites", { json: { name: "Shop" } });
  const siteId = String(body.id);
  await send("PUT", "/api/pages/home", { json: { html: "<h1>home</h1>", title: "Home", siteId } });
  await send("PUT", "/api/pages/about", { json: { html: "<h1>about</h1>", title: "About" } });
  return { service, send, siteId, ...(await commandsFor(service, routeSet)) };
}

describe.each(["a", "b"] as const)("imprint pages, route set %s", (routeSet) => {
  it("lists all pages, or those of a site", async () => {
    const { run, service } = await open(routeSet);
    const listed = await run("pages", "list");
    expect(listed.out).toMatch(/Slug +Status +Title +Public address\n +about +published +About +http/);
    expect(listed.out).toContain(`${service.pagesUrl}/p/home`);
    expect((await run("pages", "list", "--site", "Shop", "--json")).json()).toMatchObject([{ slug: "home" }]);
  });

  it("leaves out pages of previews unless asked for them", async () => {
    const { run, send } = await open(routeSet);
    await send("PUT", "/api/pages/preview-pr-12--about", { json: { html: "<h1>about</h1>", title: "About" } });
    const listed = await run("pages", "list");
    expect(listed.out).not.toContain("preview-pr-12--about");
    expect(listed.out).toContain("Of previews: 1 more, see `imprint pages list --previews`.");
    expect((await run("pages", "list", "--json")).json()).toHaveLength(2);
    expect((await run("pages", "list", "--previews", "--json")).json()).toMatchObject([
      { slug: "preview-pr-12--about" },
    ]);
    expect((await run("analytics")).out).not.toContain("preview-pr-12--about");
    expect((await run("analytics", "preview-pr-12--about")).code).toBe(0);
  });

  it("unpublishes and renames a page, and keeps its HTML", async () => {
    const { run, service, siteId } = await open(routeSet);
    const hidden = await run("pages", "update", "home", "--status", "draft", "--title", "Start");
    expect([hidden.code, hidden.out]).toEqual([
      0,
      expect.stringMatching(/Slug +home\n +Title +Start\n +Status +draft\n[^]*Version +2\n/),
    ]);
    expect((await visit(service, "/p/home")).status).toBe(404);
    const shown = await run("pages", "update", "home", "--status", "published", "--site", "", "--json");
    expect(shown.json()).toMatchObject({ title: "Start", status: "published", version: 3 });
    expect(await (await visit(service, "/p/home")).text()).toContain("<h1>home</h1>");
    const moved = await run("pages", "update", "about", "--site", "Shop", "--json");
    expect(moved.json()).toMatchObject({ siteId });
  });

  it("rejects unsupported changes before sending anything", async () => {
    const { run, service } = await open(routeSet);
    const nothing = await run("pages", "update", "home");
    expect([nothing.code, nothing.error]).toEqual([2, expect.stringContaining("Specify what to change")]);
    expect((await run("pages", "update", "home", "--status", "gone")).code).toBe(2);
    const missing = (await run("pages", "update", "none", "--title", "x")).error;
    expect(missing).toContain("There is no such page");
    expect(missing).toContain("Check the name");
    expect(service.requests().filter(({ method }) => method === "PATCH")).toHaveLength(1);
  });

  it("reports that a service without the extension doesn't support it", async () => {
    const { run, service } = await open(routeSet, { strict: true });
    const refused = await run("pages", "update", "home", "--title", "x");
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining("can't change a page without its HTML")]);
    expect(service.requests().some(({ method }) => method === "PATCH")).toBe(false);
  });
});
