import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { addressOf, openAtService, openAtStranger, send } from "./project.ts";
import { takeTurns } from "../../whole.ts";

const INK = "src/content/blog/ink.md";
const post = (body: string) => `---\ntitle: On ink\npubDate: 2026-01-05\n---\n\n${body}\n`;
const HOSTS = [
  dialectA("A shows posts as they were sent", { posts: { tells: "url" }, pages: { tells: "public-url" } }),
  dialectA("A tidies posts", { pages: { keeps: "tidied", tells: "public-url" } }),
  dialectB("B", { pages: { putBody: "multipart" }, posts: { tells: "url" } }),
];

async function openPublished(dialect: (typeof HOSTS)[number]) {
  const project = await openAtStranger(dialect, { posts: { blog: { create: true } } });
  await project.remove("src/content/blog/paper.md");
  await project.write(INK, post("Ink is a — wrogn — paint."));
  await project.run("publish");
  const { world, byHand } = project.stranger;
  const [[blog = "", [sent] = []] = []] = [...world.posts];
  return {
    ...project,
    editThere: () => byHand.editPost(blog, sent?.id ?? "", (sent?.html ?? "").replace("wrogn", "coloured")),
  };
}

const inTurn = takeTurns(HOSTS, 2);

describe.each(HOSTS)("a post edited at the host: $name", (dialect) => {
  const isTurn = inTurn(dialect);

  it.runIf(isTurn())("is reported in every run until it is acknowledged, and unedited posts aren't", async () => {
    const { run, editThere } = await openPublished(dialect);
    expect((await run("publish")).said).not.toContain("edited on the service");
    editThere();
    for (let runs = 0; runs < 2; runs += 1) {
      const { code, said } = await run("publish");
      expect({ code, said }).toMatchObject({ code: 0 });
      expect(said).toContain("it was edited on the service since it was posted");
      expect(said).toContain("imprint posts ack ink");
    }
    expect((await run("posts", "plan")).said).toContain("it was edited on the service since it was posted");
    expect(await run("posts", "ack", "ink")).toMatchObject({ code: 0 });
    expect((await run("publish")).said).not.toContain("edited on the service");
  });

  it.runIf(isTurn())("isn't overwritten by an edit of its file", async () => {
    const { run, write, editThere } = await openPublished(dialect);
    editThere();
    await write(INK, post("Ink is a — wrogn — paint, and cheap."));
    for (let runs = 0; runs < 2; runs += 1) {
      const { code, said } = await run("publish");
      expect({ code, said }).toMatchObject({ code: 1 });
      expect(said).toMatch(/it was edited here \(1 line\) and in the service's dashboard since it was posted/);
      expect(said).toContain("First copy the change made there into the file");
    }
    const { code, said } = await run("posts", "sync");
    expect({ code, said }).toMatchObject({
      code: 1,
      said: expect.stringContaining("First copy the change made there"),
    });
    expect(said).not.toMatch(/update by hand|repost|done\?/);
  });
});

describe.each(HOSTS.slice(1))("a post that has to be edited by hand: $name", (dialect) => {
  it("is reported with its new title, and its old one is named as long as the host shows it", async () => {
    const { run, write, stranger } = await openPublished(dialect);
    await write(INK, post("Ink is a paint.").replace("On ink", "About ink"));
    const title = expect.stringContaining('set its title to "About ink"');
    expect(await run("publish")).toMatchObject({ code: 1, said: title });
    expect((await run("posts", "sync")).said).toContain("title About ink");
    const [[, [there] = []] = []] = [...stranger.world.posts];
    Object.assign(there ?? {}, { html: "<p>Ink is a paint.</p>" });
    const acknowledged = await run("posts", "ack", "ink");
    expect(acknowledged.said).toContain('although the blog shows another title: "On ink"');
    await write(INK, post("Ink is a fine paint.").replace("On ink", "About ink"));
    Object.assign(there ?? {}, { html: "<p>Ink is a fine paint.</p>", title: "About ink" });
    expect((await run("publish")).said).not.toContain("set its title");
    expect((await run("posts", "ack", "ink")).said).not.toContain("another title");
    expect(await run("publish")).toMatchObject({ code: 0 });
  });
});

it.each(HOSTS)("an edit that is acknowledged, but that $name doesn't have, is named", async (dialect) => {
  const { run, write } = await openPublished(dialect);
  await write(INK, post("Ink is a — coloured — paint."));
  expect(await run("publish")).toMatchObject({ code: 1 });
  const said = expect.stringContaining("although the blog still shows the version from before");
  expect(await run("posts", "ack", "ink")).toMatchObject({ code: 0, said });
  expect(await run("posts", "ack", "ink")).toMatchObject({
    code: 0,
    said: expect.stringContaining("already up to date"),
  });
});

describe.each(["a", "b"] as const)(
  "a post edited in the dashboard of our own service and in its file, route set %s",
  (routeSet) => {
    it("is replaced by the file once its author has acknowledged the other edit", async () => {
      const { service, run, write, remove } = await openAtService(routeSet, { posts: { blog: { create: true } } });
      await remove("src/content/blog/paper.md");
      await write(INK, post("Ink is a — wrogn — paint."));
      expect(await run("publish")).toMatchObject({ code: 0 });
      const there = addressOf(service, routeSet);
      await send(there, ["PATCH", "/api/blogs/blog/posts/ink"], JSON.stringify({ title: "On inks" }));
      await write(INK, post("Ink is a coloured paint."));
      const { code, said } = await run("publish");
      expect({ code, said }).toMatchObject({ code: 1 });
      expect(said).toContain("First copy the change made there into the file");
      expect(said).toContain("the next run sends the file");
      expect(said).not.toContain("Change it at");
      const acknowledged = await run("posts", "ack", "ink");
      expect(acknowledged.said).toContain(`The next run sends ${INK}`);
      expect(await run("publish")).toMatchObject({ code: 0 });
      expect(await (await fetch(`${service.pagesUrl}/blog/blog/ink`)).text()).toContain("Ink is a coloured paint.");
      expect((await run("publish")).said).toContain("Nothing changed");
    });
  },
);
