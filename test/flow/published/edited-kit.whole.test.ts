import { expect, it } from "vitest";
import { passOn } from "../../faults/proxy.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import {
  addressOf,
  openAtService,
  openAtStranger,
  openBehindProxy,
  send,
  writesAt,
  writesOf,
  type Project,
} from "./project.ts";

const EDITED = "it was edited on the service after imprint published it";
const RED = [{ role: "primary", hex: "#b3003c" }];
const home = (color: string) => htmlPage("Halden Press", "<h1>Halden Press</h1>").replace("#7a1f2b", color);

async function changeColors({ write }: Pick<Project, "write">, color: string) {
  await write("dist/index.html", home(color));
  await write("dist/_astro/site.css", `:root{--color-brand:${color}}body{font-family:Georgia,serif}`);
}

it("a brand kit edited at a host stays until it is taken over", async () => {
  const { stranger, ...project } = await openAtStranger(dialectA("A"), { posts: false });
  const { run } = project;
  const { brandKits } = stranger.world;
  const colors = () => JSON.stringify([...brandKits.values()].map(({ fields }) => fields["colors"]));
  await run("publish");
  await changeColors(project, "#1f7a2b");
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("primary #7a1f2b → #1f7a2b") });
  stranger.byHand.editBrandKit([...brandKits.keys()][0] ?? "", { colors: RED });
  await changeColors(project, "#1f2b7a");
  for (let times = 0; times < 2; times += 1) {
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining(EDITED) });
    expect(colors()).toBe(JSON.stringify([RED]));
  }
  expect(await run("publish", "--adopt")).toMatchObject({ code: 0 });
  expect(colors()).toContain("#1f2b7a");
  await changeColors(project, "#7a1f2b");
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("brand kits 1 updated") });
});

it.each([false, true])("a brand kit edited at our own service stays, strict: %s", async (strict) => {
  const { service, ...project } = await openAtService("a", { posts: false, service: { strict } });
  const { run } = project;
  const at = addressOf(service, "a");
  await run("publish", "--accept");
  const { data } = (await send(at, ["GET", "/api/brand-kits"])) as { data: readonly { id: string; name: string }[] };
  const [{ id, name } = { id: "", name: "" }] = data;
  await changeColors(project, "#1f7a2b");
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("brand kits 1 updated") });
  await send(at, ["PUT", `/api/brand-kits/${id}`], JSON.stringify({ name, colors: RED }));
  await changeColors(project, "#1f2b7a");
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining(EDITED) });
});

it("the name that somebody gave a brand kit at a host stays, unless the options set one", async () => {
  const { stranger, ...project } = await openAtStranger(dialectA("A"), { posts: false });
  const { run, configure, loseState } = project;
  const { brandKits } = stranger.world;
  const only = () => [...brandKits.values()].map(({ fields }) => fields)[0];
  await run("publish");
  stranger.byHand.editBrandKit([...brandKits.keys()][0] ?? "", { name: "Designer's name" });
  for (const [color, isForgetful] of [
    ["#1f7a2b", false],
    ["#1f2b7a", true],
  ] as const) {
    if (isForgetful) await loseState();
    await changeColors(project, color);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("brand kits 1 updated") });
    expect(only()?.["name"]).toBe("Designer's name");
    expect(JSON.stringify(only()?.["colors"])).toContain(color);
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(writesAt(stranger.world, before)).toEqual([]);
  }
  await configure({ posts: false, brandKit: { name: "Press" } });
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(only()?.["name"]).toBe("Press");
});

const OTHER = (id: string) => `the site uses another brand kit, ${id}`;

it("a brand kit that someone attached to the site stays until this project's is attached again", async () => {
  const { stranger, ...project } = await openAtStranger(dialectA("A"), { posts: false });
  const { run, configure, loseState, loseLock } = project;
  const { world, byHand } = stranger;
  const site = () => [...world.sites.values()].map(({ fields }) => fields)[0];
  await run("publish");
  const [own] = world.brandKits.keys();
  const other = byHand.useBrandKit("Winter campaign");
  const before = world.log.length;
  for (const isForgetful of [false, true]) {
    if (isForgetful) await loseState();
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining(OTHER(other)) });
    expect(writesAt(world, before)).toEqual([]);
  }
  await configure({ posts: false, site: { name: "Halden" } });
  await changeColors(project, "#1f7a2b");
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining(OTHER(other)) });
  expect(site()).toMatchObject({ name: "Halden", brandKitId: other });
  expect(await run("publish", "--adopt")).toMatchObject({ code: 0, said: expect.stringContaining("sites 1 updated") });
  expect(site()).toMatchObject({ name: "Halden", brandKitId: own });
  const after = world.log.length;
  expect((await run("publish")).said).not.toContain("another brand kit");
  expect(writesAt(world, after)).toEqual([]);
  const last = byHand.useBrandKit("Spring campaign");
  await loseState();
  await loseLock();
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining(OTHER(last)) });
  expect(writesAt(world, after)).toEqual([]);
});

it.each(["a", "b"] as const)("a brand kit attached at our own service stays, in route set %s", async (routeSet) => {
  const { service, run } = await openAtService(routeSet, { posts: false });
  const at = addressOf(service, "a");
  await run("publish");
  const { data } = (await send(at, ["GET", "/api/sites"])) as { data: readonly { id: string }[] };
  const { id } = (await send(at, ["POST", "/api/brand-kits"], JSON.stringify({ name: "Winter" }))) as { id: string };
  await send(at, ["PATCH", `/api/sites/${data[0]?.id}`], JSON.stringify({ brandKitId: id }));
  const since = new Date();
  for (let times = 0; times < 2; times += 1) {
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining(OTHER(id)) });
    expect(writesOf(service, since)).toEqual([]);
  }
});

it("a brand kit edited at a host that can't change kits isn't displaced by a new one", async () => {
  const { stranger, proxy, loseState, ...project } = await openBehindProxy(dialectB("B"), { posts: false });
  const { run } = project;
  const { brandKits } = stranger.world;
  proxy.meddle(({ method, path, answer }) => {
    if (method !== "GET" || !path.startsWith("/api/brand-kits")) return undefined;
    const listed = [...brandKits].map(([id, { fields }]) => ({ id, ...fields }));
    answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(listed));
    return Promise.resolve();
  });
  await run("publish", "--accept");
  stranger.byHand.editBrandKit([...brandKits.keys()][0] ?? "", { colors: RED });
  await changeColors(project, "#1f2b7a");
  for (const isForgetful of [false, true]) {
    if (isForgetful) await loseState();
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining(EDITED) });
    expect(brandKits.size).toBe(1);
  }
  expect(await run("publish", "--adopt")).toMatchObject({ code: 0 });
  expect(brandKits.size).toBe(2);
});

interface Color {
  readonly role: string;
  readonly hex: string;
}

const rgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(", ")})`;

/** How hosts show the colors of a kit. */
const NOTATIONS = [
  {
    name: "as rgb()",
    show: (colors: readonly Color[]) => ({ colors: colors.map(({ role, hex }) => ({ role, value: rgb(hex) })) }),
  },
  {
    name: "in fields of their own",
    show: (colors: readonly Color[]) => Object.fromEntries(colors.map(({ role, hex }) => [`${role}Color`, hex])),
  },
  {
    name: "among settings",
    show: (colors: readonly Color[]) => ({
      settings: { colors: Object.fromEntries(colors.map(({ role, hex }) => [role, hex])) },
    }),
  },
];

it.each(NOTATIONS)("a brand kit edited at a host that shows colors $name stays", async ({ show }) => {
  const { stranger, proxy, loseState, ...project } = await openBehindProxy(dialectA("A"), { posts: false });
  const { run } = project;
  const { brandKits } = stranger.world;
  const shown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shown);
    const { colors, ...fields } = Object(value);
    if (Array.isArray(colors)) return { ...fields, ...show(colors) };
    return Object.fromEntries(
      Object.entries(fields).map(([name, each]) => [name, each instanceof Object ? shown(each) : each]),
    );
  };
  proxy.meddle(({ path, answer, forward }) => {
    if (!path.startsWith("/api/brand-kits")) return undefined;
    return forward().then(({ bytes, status }) => {
      const text = bytes.toString();
      passOn(answer, {
        status,
        headers: { "content-type": "application/json" },
        bytes: text === "" ? bytes : Buffer.from(JSON.stringify(shown(JSON.parse(text)))),
      });
    });
  });
  await run("publish", "--accept");
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  stranger.byHand.editBrandKit([...brandKits.keys()][0] ?? "", { colors: RED });
  await changeColors(project, "#1f2b7a");
  for (const isForgetful of [false, true]) {
    if (isForgetful) await loseState();
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining(EDITED) });
  }
  expect(JSON.stringify([...brandKits.values()].map(({ fields }) => fields["colors"]))).toBe(JSON.stringify([RED]));
});

it("a brand kit that a host changes after it has answered isn't taken for edited", async () => {
  const { stranger, proxy, ...project } = await openBehindProxy(dialectA("A"), { posts: false });
  const { run } = project;
  const { brandKits } = stranger.world;
  await run("publish", "--accept");
  const [[id, { fields }] = ["", { fields: {} }]] = brandKits;
  let sent: unknown;
  proxy.meddle(({ method, path, answer, forward }) => {
    if (method !== "PUT" || !path.startsWith("/api/brand-kits/")) return undefined;
    return forward().then(() => {
      sent = structuredClone(brandKits.get(id)?.fields);
      stranger.byHand.editBrandKit(id, fields);
      answer.writeHead(202, { "content-type": "application/json" }).end(JSON.stringify({ id, ...fields }));
    });
  });
  await changeColors(project, "#1f2b7a");
  await run("publish");
  stranger.byHand.editBrandKit(id, Object(sent));
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("brand kits 1 unchanged") });
  proxy.meddle(() => undefined);
  await changeColors(project, "#2b7a1f");
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("brand kits 1 updated") });
});

it("a brand kit that a host says it has changed and shows as it was isn't reported as published", async () => {
  const { stranger, proxy, ...project } = await openBehindProxy(dialectA("A"), { posts: false });
  const { run } = project;
  const { brandKits } = stranger.world;
  await run("publish", "--accept");
  proxy.meddle(({ method, path, answer }) => {
    if (method !== "PUT" || !path.startsWith("/api/brand-kits/")) return undefined;
    const [[id, { fields }] = ["", { fields: {} }]] = brandKits;
    answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ id, ...fields }));
    return Promise.resolve();
  });
  await changeColors(project, "#1f2b7a");
  const said = expect.stringContaining(
    "The service confirmed the change to the brand kit, but still shows primary #7a1f2b",
  );
  for (let times = 0; times < 2; times += 1) expect(await run("publish")).toMatchObject({ code: 0, said });
});
