import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openBehindProxy, writesAt } from "./project.ts";

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

const HICCUPS = [
  { body: "[]", says: "The library's list is empty" },
  { body: '{"data":null,"errors":[{"message":"Search is warming up, try later"}]}', says: "Search is warming up" },
];

it.each([dialectA("A"), dialectB("B")].flatMap((dialect) => HICCUPS.map((hiccup) => ({ dialect, ...hiccup }))))(
  "files aren't uploaded a second time while the list of $dialect.name's library is $body, in CI",
  async ({ dialect, body, says }) => {
    const { stranger, proxy, run, loseState } = await openBehindProxy(dialect, { posts: false, brandKit: false });
    expect(await run("publish")).toMatchObject({ code: 0 });
    await loseState();
    const { world } = stranger;
    const before = world.log.length;
    proxy.meddle(({ method, path, answer }) => {
      if (method !== "GET" || !path.startsWith(dialect.routeSet === "a" ? "/api/library" : "/api/assets"))
        return undefined;
      answer.writeHead(200, { "content-type": "application/json" }).end(body);
      return Promise.resolve();
    });
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(says) });
    expect(writesAt(world, before)).toEqual([]);
    if (body === "[]") expect(said).toContain("--adopt");
    proxy.meddle(() => undefined);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  },
);
