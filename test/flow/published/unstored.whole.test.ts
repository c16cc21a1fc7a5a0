import { expect, it } from "vitest";
import { dialectA, dialectB, type Dialect } from "../../strangers/dialect.ts";
import { passOn } from "../../faults/proxy.ts";
import { htmlPage } from "../temporary-site.ts";
import { openBehindProxy } from "./project.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** Opens a project at a host that may answer a change of the page about with 204 without storing it. */
async function openAtForgetful(dialect: Dialect) {
  const project = await openBehindProxy(dialect, { posts: false, brandKit: false });
  const { stranger, proxy } = project;
  const forget = (isForgetful: boolean) =>
    proxy.meddle(({ method, path, answer }) => {
      const isOf = path.endsWith("/about") || path.endsWith(`/${stranger.world.pages.get("about")?.id}`);
      if (!isForgetful || method === "GET" || !isOf) return undefined;
      answer.writeHead(204).end();
      return Promise.resolve();
    });
  return { ...project, forget };
}

it.each([
  { dialect: dialectA("A"), hasMemory: true },
  { dialect: dialectA("A that lists times", { lists: { fields: "times-too" } }), hasMemory: false },
  { dialect: dialectB("B", { pages: { putBody: "multipart" } }), hasMemory: true },
])(
  "a change that $dialect.name acknowledges without storing it is reported, and sent again by the next run",
  async ({ dialect, hasMemory }) => {
    const { stranger, run, write, forget, loseState } = await openAtForgetful(dialect);
    expect(await run("publish")).toMatchObject({ code: 0 });
    await write("dist/about/index.html", htmlPage("About", "<h1>About us, anew</h1>"));
    forget(true);
    if (!hasMemory) await loseState();
    const said = expect.stringContaining("the change to the page about, but still has the old version");
    expect(await run("publish")).toMatchObject({ code: 1, said });
    expect(await run("publish")).toMatchObject({ code: 1, said });
    forget(false);
    if (!hasMemory) await loseState();
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("1 updated") });
    expect(stranger.world.pages.get("about")?.html).toContain("About us, anew");
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  },
);

it.each([
  dialectA("A that lists times", { lists: { fields: "times-too" } }),
  dialectB("B that lists times", { pages: { putBody: "multipart" }, lists: { fields: "times-too" } }),
])("one of many changes that $name loses is reported, and sent again, also without .imprint/", async (dialect) => {
  const { stranger, run, write, proxy, loseState } = await openBehindProxy(dialect, { posts: false, brandKit: false });
  const names = Array.from({ length: 30 }, (_, number) => `p${number}`);
  const build = (edition: string) =>
    Promise.all(names.map((name) => write(`dist/${name}/index.html`, htmlPage(name, `<h1>${name}, ${edition}</h1>`))));
  await build("first");
  expect(await run("publish")).toMatchObject({ code: 0 });
  await build("second");
  const lost = names.find((name, index) => index % 3 === 1 && name > "p12") ?? "";
  proxy.meddle(({ method, path, answer }) => {
    const isOf = path.endsWith(`/${lost}`) || path.endsWith(`/${stranger.world.pages.get(lost)?.id}`);
    if (method === "GET" || !isOf) return undefined;
    passOn(answer, { status: 200, headers: JSON_TYPE, bytes: Buffer.from("{}") });
    return Promise.resolve();
  });
  await loseState();
  const said = expect.stringContaining(`the change to the page ${lost}, but still has the old version`);
  expect(await run("publish")).toMatchObject({ code: 1, said });
  proxy.meddle(() => undefined);
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("1 updated") });
  expect(stranger.world.pages.get(lost)?.html).toContain("second");
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
});

it.each([
  dialectA("A", { pages: { updated: 202 }, lists: { fields: "times-too" } }),
  dialectB("B", { pages: { putBody: "multipart", updated: 202 }, lists: { fields: "times-too" } }),
])("a change that $name accepts and then drops is sent again by the next run", async (dialect) => {
  const { stranger, proxy, run, write, loseState } = await openBehindProxy(dialect, { posts: false });
  await run("publish");
  const html = () => stranger.world.pages.get("about")?.html;
  for (const body of ["Two.", "Three."]) {
    await write("dist/about/index.html", htmlPage("About", `<h1>About</h1><p>${body}</p>`));
    proxy.meddle(({ method, path, forward, answer }) => {
      const before = stranger.world.pages.get("about");
      if (`${method} ${path}` !== "PUT /api/pages/about" || before === undefined) return undefined;
      return forward().then((accepted) => {
        const { updatedAt } = stranger.world.pages.get("about") ?? before;
        stranger.world.pages.set("about", { ...before, updatedAt });
        passOn(answer, accepted);
      });
    });
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("doesn't show them yet") });
    expect(html()).not.toContain(body);
    proxy.meddle(() => undefined);
    if (body === "Three.") await loseState();
    const next = await run("publish");
    expect(next).toMatchObject({ code: 0, said: expect.stringContaining("pages 1 updated · 2 unchanged") });
    expect(next.said).not.toContain("Another checkout");
    expect(html()).toContain(body);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
  }
});
