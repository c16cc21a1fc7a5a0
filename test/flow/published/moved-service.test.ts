import { expect, it } from "vitest";
import { passOn } from "../../faults/proxy.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, openBehindProxy, type Project } from "./project.ts";

const PAGES = ["", "about/", "services/letterpress/"];

async function changeAll({ write }: Project, text: string) {
  const changed = (route: string) => htmlPage("Halden Press", `<h1>Halden Press</h1><p>${text} at ${route}.</p>`);
  await Promise.all(PAGES.map((route) => write(`dist/${route}index.html`, changed(route))));
}

it.each([dialectA("A"), dialectB("B")])(
  "a service at another address keeps one site and kit: $name",
  async (dialect) => {
    const { stranger, ...project } = await openAtStranger(dialect, { posts: false });
    const { world } = stranger;
    expect(await project.run("publish", "--accept")).toMatchObject({ code: 0 });
    const records = () => [[...world.sites.keys()], [...world.brandKits.keys()], [...world.pages.keys()].toSorted()];
    const before = records();
    await changeAll(project, "Everything is new");
    const moved = stranger.baseUrl.replace("127.0.0.1", "localhost");
    expect(await project.run("publish", "--accept", "--service", moved)).toMatchObject({ code: 0 });
    expect(records()).toEqual(before);
  },
);

it("a first run that a rejected key ended makes no second site in runs without .imprint/", async () => {
  const { stranger, proxy, ...project } = await openBehindProxy(dialectA("A"), { posts: false });
  let puts = 0;
  proxy.meddle(({ method, path, answer }) => {
    if (method !== "PUT" || !path.startsWith("/api/pages/") || ++puts <= 2) return undefined;
    passOn(answer, { status: 401, headers: { "content-type": "application/json" }, bytes: Buffer.from("{}") });
    return Promise.resolve();
  });
  expect(await project.run("publish")).toMatchObject({ code: 1 });
  await changeAll(project, "Everything is new");
  await project.loseState();
  expect(await project.run("publish")).toMatchObject({ code: 1 });
  proxy.meddle(() => undefined);
  await project.loseState();
  expect(await project.run("publish")).toMatchObject({ code: 0 });
  expect([...stranger.world.sites.keys()]).toHaveLength(1);
});

it.each([true, false])(
  "a person's site and kit of the same names stay theirs, with .imprint/: %s",
  async (hasMemory) => {
    const { stranger, proxy, ...project } = await openBehindProxy(dialectA("A"), { posts: false });
    const { sites, brandKits } = stranger.world;
    proxy.meddle(({ method, path, answer }) => {
      if (method !== "POST" || !/^\/api\/(?:sites|brand-kits)$/.test(path)) return undefined;
      passOn(answer, { status: 503, headers: { "content-type": "application/json" }, bytes: Buffer.from("{}") });
      return Promise.resolve();
    });
    await project.run("publish");
    proxy.meddle(() => undefined);
    const [createdAt, name] = [stranger.world.now().toISOString(), "Halden Press"];
    const site = { id: "st_theirs", fields: { name, slug: "halden-press", homeSlug: "their-home" }, createdAt };
    const kit = { id: "bk_theirs", fields: { name, colors: [{ role: "primary", hex: "#ff0000" }] }, createdAt };
    sites.set(site.id, site);
    brandKits.set(kit.id, kit);
    if (!hasMemory) await project.loseState();
    await changeAll(project, "Everything is new");
    expect(await project.run("publish", "--service", stranger.baseUrl)).toMatchObject({ code: 0 });
    expect([sites.get(site.id), brandKits.get(kit.id)]).toEqual([site, kit]);
  },
);

it.each([dialectA("A"), dialectB("B")])(
  "a first run that was cancelled after it created the site makes no second one in runs without .imprint/: $name",
  async (dialect) => {
    const { stranger, proxy, ...project } = await openBehindProxy(dialect, { posts: false });
    const { sites, pages } = stranger.world;
    proxy.meddle(({ method, answer }) => {
      if (method === "GET" || sites.size === 0) return undefined;
      passOn(answer, { status: 401, headers: { "content-type": "application/json" }, bytes: Buffer.from("{}") });
      return Promise.resolve();
    });
    expect(await project.run("publish")).toMatchObject({ code: 1 });
    expect([sites.size, pages.size]).toEqual([1, 0]);
    proxy.meddle(() => undefined);
    await project.loseState();
    expect(await project.run("publish", "--accept")).toMatchObject({ code: 0 });
    expect(sites.size).toBe(1);
  },
);
