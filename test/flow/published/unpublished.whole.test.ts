import { expect, it, onTestFinished } from "vitest";
import { startProxy } from "../../faults/proxy.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { API_KEY } from "../../strangers/host.ts";
import { sampleOf } from "../../whole.ts";
import { htmlPage } from "../temporary-site.ts";
import {
  addressOf,
  openAtService,
  openAtStranger,
  openProject,
  publishAndKill,
  send,
  writesAt,
  writesOf,
} from "./project.ts";

const HIDDEN = 'the service has it as "draft", so readers don\'t see it';
const DRAFTS = { becomes: "draft", tells: "public-url" } as const;

const HOSTS = [
  dialectA("A says so in lists only", { pages: DRAFTS }),
  dialectA("A says so in lists only, with times", { pages: DRAFTS, lists: { fields: "times-too" } }),
  dialectB("B", { pages: { becomes: "draft", putBody: "multipart" } }),
];
const sample = sampleOf(HOSTS, ({ routeSet }) => routeSet === "b");

it.each(sample)(
  "pages that the host stored as drafts in a killed run are sent when they change: $name",
  async (dialect) => {
    const { stranger } = await openAtStranger(dialect);
    const proxy = await startProxy(stranger.baseUrl);
    onTestFinished(() => proxy.close());
    const { root, run, write } = await openProject(
      { baseUrl: proxy.url, apiKey: API_KEY },
      { posts: false, brandKit: false },
    );
    await publishAndKill(root, { proxy, write: 8, moment: "after" });
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining('as "draft"') });
    expect(said).not.toContain("--adopt");
    await write("dist/about/index.html", htmlPage("About", "<h1>About us</h1>"));
    const before = stranger.world.log.length;
    await run("publish");
    expect(writesAt(stranger.world, before)).toEqual(["PUT /api/pages/about"]);
  },
);

it.each(["a", "b"] as const)("a page unpublished at our own service stays so, in route set %s", async (routeSet) => {
  const { service, run, write, loseState, loseLock } = await openAtService(routeSet, { posts: false });
  const at = addressOf(service, "a");
  await run("publish");
  await send(at, ["PATCH", "/api/pages/about"], JSON.stringify({ status: "draft" }));
  const since = new Date();
  for (const step of ["unchanged", "forgetful", "lost", "changed"]) {
    if (step === "forgetful") await loseState();
    if (step === "lost") await Promise.all([loseState(), loseLock()]);
    if (step === "changed") await write("dist/about/index.html", htmlPage("About", "<h1>About us</h1>"));
    const { code, said } = await run("publish");
    expect({ step, code, said }).toMatchObject({ code: 1, said: expect.stringContaining(HIDDEN) });
    expect(writesOf(service, since)).toEqual([]);
  }
  await write("dist/services/letterpress/index.html", htmlPage("Letterpress", "<h1>Letterpress and more</h1>"));
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining(HIDDEN) });
  expect(writesOf(service, since)).not.toEqual([]);
  expect(await send(at, ["GET", "/api/pages/about"])).toMatchObject({ status: "draft" });
  expect(await run("publish", "--adopt")).toMatchObject({ code: 0 });
  expect(await send(at, ["GET", "/api/pages/about"])).toMatchObject({ status: "published" });
  expect(await run("publish")).toMatchObject({ code: 0 });
});

it.each(["scheduled", "private", "unpublished", "Offline", "disabled", "suspended", "rejected", "expired"])(
  "a page that someone set to %s at a host stays so",
  async (status) => {
    const { stranger, run } = await openAtStranger(dialectA("A"), { posts: false, brandKit: false });
    await run("publish");
    stranger.byHand.trashPage("about", { status, answers: 404 });
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining(`has it as "${status}"`) });
    expect(writesAt(stranger.world, before)).toEqual([]);
  },
);

it("the diff of a blocked page shows what its publication would change", async () => {
  const { stranger, run, write } = await openAtStranger(dialectA("A"), { posts: false });
  const { world, byHand } = stranger;
  await run("publish");
  const about = world.pages.get("about");
  if (about !== undefined) world.pages.set("about", { ...about, visibleFrom: Infinity });
  expect((await run("diff", "about")).said).toContain("about is up to date");
  await write("dist/about/index.html", htmlPage("About", "<h1>About us</h1>"));
  byHand.createPage("contact", "Contact");
  await write("dist/contact/index.html", htmlPage("Contact us", "<h1>Contact us</h1>"));
  expect((await run("diff", "about")).said).toContain("+<h1>About us</h1>");
  expect((await run("diff", "contact")).said).toContain("+<h1>Contact us</h1>");
});
