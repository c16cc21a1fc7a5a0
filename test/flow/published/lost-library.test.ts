import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openBehindProxy } from "./project.ts";

it.each([
  { dialect: dialectB("B", { pages: { putBody: "multipart" } }), hasMemory: true },
  { dialect: dialectB("B without its memory", { pages: { putBody: "multipart" } }), hasMemory: false },
  {
    dialect: dialectA("A", { areas: { blogs: { status: 404, words: "none" }, forms: { status: 404, words: "none" } } }),
    hasMemory: true,
  },
])(
  "a library that disappears from $dialect.name doesn't make its route set unknown",
  async ({ dialect, hasMemory }) => {
    const { stranger, proxy, run, write, loseState } = await openBehindProxy(dialect, {
      posts: false,
      brandKit: false,
    });
    await run("publish", "--accept");
    proxy.meddle(({ path, answer }) => {
      if (!/^\/api\/(?:library|assets|analytics)/.test(path)) return undefined;
      answer.writeHead(404, { "content-type": "application/json" }).end('{"error":"Not found"}');
      return Promise.resolve();
    });
    if (!hasMemory) await loseState();
    await write("dist/services/letterpress/index.html", htmlPage("Letterpress", "<h1>Letterpress anew</h1>"));
    const { said } = await run("publish");
    expect(said).not.toContain("route set");
    expect(stranger.world.pages.get("services-letterpress")?.html).toContain("Letterpress anew");
  },
);
