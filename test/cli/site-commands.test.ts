import { describe, expect, it } from "vitest";
import type { RouteSetName } from "../../src/contract/route.ts";
import { clientOf, openRunningService } from "../service/open-service.ts";
import { commandsFor } from "./run.ts";

async function open(routeSet: RouteSetName, { strict = false } = {}) {
  const service = await openRunningService({ strict });
  const send = clientOf(service, { routeSet: "a" });
  const { body } = await send("POST", "/api/sites", { json: { name: "My site", homeSlug: "home" } });
  const id = String(body.id);
  for (const slug of ["home", "about"]) {
    await send("PUT", `/api/pages/${slug}`, { json: { html: `<h1>${slug}</h1>`, siteId: id } });
  }
  return { service, send, id, ...(await commandsFor(service, routeSet)) };
}

describe.each(["a", "b"] as const)("imprint sites, route set %s", (routeSet) => {
  it("lists and shows sites by id, slug, and name", async () => {
    const { run, id } = await open(routeSet);
    expect((await run("sites", "list")).out).toBe(
      `  Name     Pages  ID                         Domain\n  My site  2      ${id}\n`,
    );
    for (const name of [id, "my-site", "My site"]) {
      const shown = await run("sites", "show", name);
      expect(shown.out).toMatch(/Name +My site\n +ID +st_\w+\n +Slug +my-site\n[^]*Home page +home\n +Pages +2\n/);
    }
    expect((await run("sites", "show", "none")).code).toBe(2);
    expect((await run("sites", "list", "--json")).json()).toMatchObject([{ id, name: "My site", pageCount: 2 }]);
  });

  it("renames a site and keeps everything else", async () => {
    const { run, send, id } = await open(routeSet);
    const renamed = await run("sites", "rename", "my-site", "Our site");
    expect([renamed.code, renamed.out]).toEqual([0, "Renamed My site to Our site.\n"]);
    const { body } = await send("GET", `/api/sites/${id}`);
    expect(body).toMatchObject({ name: "Our site", slug: "my-site", homeSlug: "home" });
  });

  it("sets and removes the home page", async () => {
    const { run, send, id } = await open(routeSet);
    const homeOf = async () => (await send("GET", `/api/sites/${id}`)).body.homeSlug;
    expect((await run("sites", "home", "my-site", "about")).code).toBe(0);
    expect(await homeOf()).toBe("about");
    expect((await run("sites", "home", "my-site", "nowhere")).error).toContain('There is no page "nowhere"');
    expect((await run("sites", "home", "my-site")).code).toBe(2);
    expect((await run("sites", "home", "my-site", "--none")).out).toContain("no longer has a home page");
    expect(await homeOf()).toBeNull();
  });

  it("identifies sites with the same name by id", async () => {
    const { run, send } = await open(routeSet);
    await send("POST", "/api/sites", { json: { name: "My site", slug: "other" } });
    const unclear = await run("sites", "rename", "My site", "X");
    expect([unclear.code, unclear.error]).toEqual([2, expect.stringContaining('2 sites are called "My site"')]);
  });
});

describe("imprint sites remove", () => {
  it("deletes a site after a confirmation, and its pages only on request", async () => {
    const { run, send } = await open("a");
    const unconfirmed = await run("sites", "remove", "my-site");
    expect([unconfirmed.code, unconfirmed.error]).toEqual([2, expect.stringContaining("This keeps its 2 pages.")]);
    expect((await run("sites", "remove", "my-site", "--yes")).out).toBe("My site was deleted.\n");
    expect((await send("GET", "/api/pages")).items).toHaveLength(2);

    const { body } = await send("POST", "/api/sites", { json: { name: "Two" } });
    await send("PUT", "/api/pages/two", { json: { html: "<h1>Two</h1>", siteId: body.id } });
    const asked = await run("sites", "remove", "Two", "--with-pages");
    expect(asked.error).toContain("its 1 page, including those that imprint didn't publish?");
    expect((await run("sites", "remove", "Two", "--with-pages", "--yes")).code).toBe(0);
    expect((await send("GET", "/api/pages")).items.map(({ slug }) => slug)).toEqual(["about", "home"]);
  });

  it("doesn't delete a site that a domain points to", async () => {
    const { run, send, id } = await open("a");
    await send("POST", "/api/custom-domains", { json: { domain: "www.example.org", siteId: id } });
    const refused = await run("sites", "remove", "my-site", "--yes");
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining("Remove www.example.org first")]);
  });

  it("isn't supported in route set B, which is reported before any request", async () => {
    const { run, send, id } = await open("b");
    const refused = await run("sites", "remove", "my-site", "--yes");
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining("can't delete a site")]);
    expect((await send("GET", `/api/sites/${id}`)).status).toBe(200);
  });
});

describe("imprint sites if the service hides fields that a change would remove", () => {
  it("changes nothing in route set B without --yes", async () => {
    const { run, send } = await open("b", { strict: true });
    const refused = await run("sites", "rename", "My site", "Our site");
    expect([refused.code, refused.error]).toEqual([2, expect.stringContaining("would remove them")]);
    expect((await send("GET", "/api/sites")).items).toMatchObject([{ name: "My site" }]);
    expect((await run("sites", "rename", "My site", "Our site", "--yes")).code).toBe(0);
    expect((await send("GET", "/api/sites")).items).toMatchObject([{ name: "Our site" }]);
  });

  it("changes only the named field in route set A", async () => {
    const { run, send } = await open("a", { strict: true });
    expect((await run("sites", "rename", "My site", "Our site")).code).toBe(0);
    expect((await send("GET", "/api/sites")).items).toMatchObject([{ name: "Our site" }]);
  });
});
