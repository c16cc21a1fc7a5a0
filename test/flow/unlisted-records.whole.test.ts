import { describe, expect, it, onTestFinished } from "vitest";
import { connect, type ImprintApi } from "../../src/client.ts";
import type { RouteSetName } from "../../src/contract/route.ts";
import { parseOptions, publish, type ImprintOptions, type Report } from "../../src/publish.ts";
import type { RunningService } from "../../src/service.ts";
import { signIn, type SignedIn } from "../service/dashboard/signed-in.ts";
import { openRunningService } from "../service/open-service.ts";
import { createTemporarySite, htmlPage, type TemporarySite } from "./temporary-site.ts";

// The site, the brand kit, and the blog aren't listed while the service reports that nothing of their kind has changed.

interface World {
  readonly site: TemporarySite;
  readonly service: RunningService;
  /** What others use to change the service. */
  readonly api: ImprintApi;
  readonly dashboard: SignedIn;
  run(options?: ImprintOptions, during?: Partial<During>): Promise<Report>;
}

interface During {
  readonly onPlanned: () => Promise<void>;
  readonly afterKit: () => Promise<void>;
}

async function openWorld({ routeSet = "a", pages = 2 }: { routeSet?: RouteSetName; pages?: number } = {}) {
  const [site, service] = [await createTemporarySite(), await openRunningService()];
  const names = Array.from({ length: pages }, (_, number) => `page-${number}`);
  await Promise.all(names.map((name) => site.write(`dist/${name}/index.html`, htmlPage(name, `<h1>${name}</h1>`))));
  const { apiKey, pagesUrl } = service;
  const baseUrl = service.baseUrl(routeSet);
  const run: World["run"] = (options = {}, { onPlanned, afterKit } = {}) => {
    let left: Promise<void> | undefined;
    return publish({
      projectRoot: site.root,
      dist: site.dist,
      options: parseOptions({ posts: { blog: { create: true } }, site: { name: "Halden Press" }, ...options }),
      target: { baseUrl, apiKey, pagesUrl, routeSet: "auto", identity: baseUrl, close: async () => {} },
      ...(onPlanned && { onPlanned }),
      onOutcome: ({ resource }) => void (resource === "brand kit" ? (left ??= afterKit?.()) : undefined),
    }).then(async (report) => {
      await left;
      return report;
    });
  };
  const api = await connect({ baseUrl: service.baseUrl("a"), apiKey });
  onTestFinished(() => api.close());
  const world: World = { site, service, run, api, dashboard: await signIn(service) };
  return world;
}

/** Publishes until nothing changes, and checks that the records are stored. */
async function publishAll(world: World) {
  await world.run();
  const report = await world.run();
  expect(report.requests).toEqual({ total: 4, writes: 0 });
  const [sites, kits, blogs] = [await world.api.sites.list(), await world.api.brandKits.list(), await blogsOf(world)];
  const [site, kit, blog] = [sites.items[0], kits.items[0], blogs[0]];
  if (site === undefined || kit === undefined || blog === undefined) throw new Error("Not all of it is published.");
  return { site, kit, blog };
}

const blogsOf = async ({ api }: World) => (await api.blogs.list()).items;

const kindsOf = ({ entries }: Report) =>
  Object.fromEntries(
    entries
      .filter(({ resource }) => ["site", "brand kit", "blog"].includes(resource))
      .map(({ resource, kind }) => [resource, kind]),
  );

const ALL_KEPT = { site: "keep", "brand kit": "keep", blog: "keep" };

describe.each(["a", "b"] as const)("route set %s", (routeSet) => {
  it("sends four requests for 250 unchanged pages with posts, a blog, and a brand kit", async () => {
    const world = await openWorld({ routeSet, pages: 250 });
    expect(kindsOf(await world.run())).toEqual({ site: "create", "brand kit": "create", blog: "create" });
    for (const _ of ["after a publish", "after nothing"]) {
      const report = await world.run();
      expect(kindsOf(report)).toEqual(ALL_KEPT);
      expect(report.counts.page.keep).toBeGreaterThanOrEqual(250);
      expect(report.counts.post.keep).toBe(2);
      expect(report.requests.writes).toBe(0);
      expect(report.requests.total).toBeLessThanOrEqual(4);
    }
  });

  it("detects that someone renamed or deleted the site", async () => {
    const world = await openWorld({ routeSet });
    const { site } = await publishAll(world);
    await world.api.sites.update(site.id, { name: "By the API" });
    expect(kindsOf(await world.run())).toEqual({ ...ALL_KEPT, site: "update" });
    const { name = "", slug = "", homeSlug = "", brandKitId = "", version } = (await publishAll(world)).site;
    expect(name).toBe("Halden Press");

    const fields = { slug, homeSlug, brandKitId, version: String(version) };
    await world.dashboard.post(`/sites/${site.id}`, { ...fields, name: "By hand" });
    expect((await world.api.sites.get(site.id))?.name).toBe("By hand");
    expect(kindsOf(await world.run())).toEqual({ ...ALL_KEPT, site: "update" });

    await publishAll(world);
    await world.api.sites.delete(site.id);
    expect(kindsOf(await world.run())).toEqual({ ...ALL_KEPT, site: "create" });

    const again = await publishAll(world);
    await world.dashboard.post(`/sites/${again.site.id}/delete`, { pages: "keep" });
    expect(await world.api.sites.get(again.site.id)).toBeUndefined();
    expect(kindsOf(await world.run())).toEqual({ ...ALL_KEPT, site: "create" });
    expect((await publishAll(world)).site.brandKitId).toBe(again.kit.id);
  });

  it("keeps the name and the home page that someone gave the site, even during its own change", async () => {
    const world = await openWorld({ routeSet });
    const run = () => world.run({ site: {} });
    await run();
    const [made] = (await world.api.sites.list()).items;
    if (made === undefined) throw new Error("The site is not published.");
    await world.api.sites.update(made.id, { name: "Ours", homeSlug: "page-1", brandKitId: made.brandKitId });
    const kept = await run();
    expect(kindsOf(kept)).toEqual(ALL_KEPT);
    expect(kept.entries.find(({ resource }) => resource === "site")?.reason).toContain("changed on the service");

    await world.site.write("dist/index.html", htmlPage("Welcome", "<h1>Welcome</h1>"));
    await run();
    await world.site.remove(".imprint");
    await run();
    expect(await world.api.sites.get(made.id)).toMatchObject({ name: "Ours" });
    await world.run();
    expect(await world.api.sites.get(made.id)).toMatchObject({ name: "Halden Press" });
  });

  it("detects that someone edited or deleted the brand kit", async () => {
    const world = await openWorld({ routeSet });
    const { kit } = await publishAll(world);
    await world.dashboard.post(`/brand-kits/${kit.id}/rename`, { name: "By hand", version: String(kit.version) });
    expect((await world.api.brandKits.list()).items[0]?.name).toBe("By hand");
    const afterEdit = await world.run();
    expect([kindsOf(afterEdit), afterEdit.requests.total]).toEqual([ALL_KEPT, 5]);

    // The next plan is compared with the current kit.
    await publishAll(world);
    await world.api.brandKits.update(kit.id, { name: "By the API", colors: [{ role: "primary", hex: "#010203" }] });
    await world.site.write("dist/_astro/site.css", ":root{--color-primary:#25776a}button{background:#25776a}");
    const changed = await world.run();
    const [entry] = changed.entries.filter(({ resource }) => resource === "brand kit");
    expect(entry?.kind).toBe("blocked");
    expect(entry?.details?.join("\n")).toContain("#010203");

    await publishAll(world);
    const { brandKitId = "" } = (await world.api.sites.list()).items[0] ?? {};
    await world.api.brandKits.delete(brandKitId);
    expect(kindsOf(await world.run())).toMatchObject({ "brand kit": "create" });

    await publishAll(world);
    const { brandKitId: last = "" } = (await world.api.sites.list()).items[0] ?? {};
    await world.dashboard.post(`/brand-kits/${last}/delete`);
    expect((await world.api.brandKits.list()).items.map(({ id }) => id)).not.toContain(last);
    expect(kindsOf(await world.run())).toMatchObject({ "brand kit": "create" });
    expect((await world.api.sites.list()).items[0]?.brandKitId).toBeTypeOf("string");
  });
});

it("requests the blogs again if one of them changed", async () => {
  const world = await openWorld();
  const { blog } = await publishAll(world);
  await world.api.blogs.create({ name: "Renamed", slug: blog.slug ?? "" });
  expect((await world.run()).requests.total).toBe(5);
  expect((await world.run()).requests.total).toBe(4);
  const path = `/blogs/${String(blog.slug)}`;
  const [, version = ""] = /name="version" value="(\d+)"/.exec(await (await world.dashboard.get(path)).text()) ?? [];
  await world.dashboard.post(path, { name: "Renamed by hand", version });
  expect((await blogsOf(world))[0]?.name).toBe("Renamed by hand");
  expect((await world.run()).requests.total).toBe(5);
  expect((await world.run()).requests.total).toBe(4);
});

it("detects that everything is deleted", async () => {
  const world = await openWorld();
  const send = (path: string, body?: unknown) =>
    fetch(world.service.baseUrl("a") + path, {
      method: "POST",
      headers: { authorization: `Bearer ${world.service.apiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const { snapshot }: { readonly snapshot: string } = JSON.parse(await (await send("/api/_snapshot")).text());
  await publishAll(world);
  expect((await send("/api/_restore", { snapshot })).status).toBeLessThan(300);
  expect(await blogsOf(world)).toEqual([]);
  expect(kindsOf(await world.run())).toMatchObject({ site: "create", "brand kit": "create", blog: "create" });
});

it("detects in the next run what someone changed before the run wrote something", async () => {
  const world = await openWorld();
  const { site, kit } = await publishAll(world);
  const onPlanned = async () => void (await world.api.brandKits.delete(kit.id));
  await world.run({ site: { name: "New name" } }, { onPlanned });
  const next = await world.run({ site: { name: "New name" } });
  expect(kindsOf(next)).toMatchObject({ "brand kit": "create" });
  expect(await world.api.sites.get(site.id)).toMatchObject({ name: "New name", brandKitId: expect.any(String) });
});

it("detects in the next run what someone changed after the run wrote something", async () => {
  const world = await openWorld();
  const { site, kit } = await publishAll(world);
  await world.site.write("dist/_astro/site.css", ":root{--color-primary:#25776a}button{background:#25776a}");
  const afterKit = async () => {
    await world.api.brandKits.delete(kit.id);
    await world.api.brandKits.create({ name: "Another" });
  };
  expect(kindsOf(await world.run({}, { afterKit }))).toEqual({ ...ALL_KEPT, "brand kit": "update" });
  expect((await world.api.brandKits.list()).items.map(({ name }) => name)).toEqual(["Another"]);
  expect(kindsOf(await world.run())).toEqual({ ...ALL_KEPT, "brand kit": "create" });
  expect((await world.api.sites.get(site.id))?.brandKitId).toBeTypeOf("string");
});

it("requests no list after a run that changed the site", async () => {
  const world = await openWorld();
  await publishAll(world);
  const named = { site: { name: "New name" } };
  expect(kindsOf(await world.run(named))).toMatchObject({ site: "update" });
  expect((await world.run(named)).requests).toEqual({ total: 4, writes: 0 });
});
