import { expect, it } from "vitest";
import type { Proxy } from "../../faults/proxy.ts";
import { dialectA } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openBehindProxy, writesAt } from "./project.ts";

const OPTIONS = { posts: false, brandKit: false };

/** Keeps a page as it is now, and returns a function that serves it from a cache from then on. */
async function cache(proxy: Proxy, slug: string, headers: Readonly<Record<string, string>>) {
  const html = await (await fetch(`${proxy.url}/p/${slug}`)).text();
  return () =>
    proxy.meddle(({ path, answer }) =>
      path.startsWith(`/p/${slug}`)
        ? Promise.resolve(void answer.writeHead(200, { "content-type": "text/html", ...headers }).end(html))
        : undefined,
    );
}

it("doesn't take an earlier version in a cache for another checkout's", async () => {
  const { proxy, run, write } = await openBehindProxy(dialectA("A"), OPTIONS);
  await run("publish");
  const serveFirst = await cache(proxy, "about", {});
  for (const text of ["Two", "Three"]) {
    if (text === "Three") serveFirst();
    await write("dist/about/index.html", htmlPage("About", `<h1>${text}</h1>`));
    const { code, said } = await run("publish");
    const isCached = text === "Three";
    expect({ code, said }).toMatchObject({
      code: isCached ? 1 : 0,
      said: isCached
        ? expect.stringContaining("/p/about shows an older version")
        : expect.stringContaining("Published"),
    });
    expect(said).not.toContain("another checkout");
  }
});

it("doesn't send a page again because a cache has an earlier version of it", async () => {
  const dialect = dialectA("A without raw HTML", { pages: { reads: "nothing" } });
  const { proxy, stranger, run, write } = await openBehindProxy(dialect, OPTIONS);
  await run("publish");
  const serveFirst = await cache(proxy, "about", { age: "7" });
  for (const text of ["Two", "Three"]) {
    await write("dist/about/index.html", htmlPage("About", `<h1>${text}</h1>`));
    expect(await run("publish")).toMatchObject({ code: 0 });
  }
  serveFirst();
  const before = stranger.world.log.length;
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 0, said: expect.not.stringContaining("Another checkout") });
  expect(writesAt(stranger.world, before)).toEqual([]);
});

it.each([dialectA("A with times", { lists: { fields: "times-too" } }), dialectA("A without times")])(
  "reports a cached page in CI, where nothing is remembered, as each run before ($name)",
  async (dialect) => {
    const { proxy, run, write, loseState } = await openBehindProxy(dialect, OPTIONS);
    await run("publish");
    const serveFirst = await cache(proxy, "about", { age: "600", "x-cache": "HIT" });
    serveFirst();
    await loseState();
    await write("dist/about/index.html", htmlPage("About", "<h1>Two</h1>"));
    for (let runs = 0; runs < 3; runs++) {
      const { code, said } = await run("publish");
      expect({ code, said }).toMatchObject({
        code: 0,
        said: expect.stringContaining("a cache still returns the earlier response"),
      });
      await loseState();
    }
  },
);
