import { expect, it } from "vitest";
import { dialectA } from "../../strangers/dialect.ts";
import { openAtStranger, openBehindProxy, writesAt } from "./project.ts";

// Neither response nor record names the public address of a page, as in the specification's example of route set A.
const OPTIONS = { posts: false, brandKit: false };

it.each([500, 4000])(
  "a first page that readers get %i ms late, at an address that nothing names, is found",
  async (ms) => {
    const { run, stranger } = await openAtStranger(dialectA("A", { pages: { appearsAfterMs: ms } }), OPTIONS);
    expect(await run("publish", "--verify")).toMatchObject({ code: 0, said: expect.stringContaining("all live") });
    expect(stranger.world.pages.get("index")?.html).toMatch(/href="[^"]*\/p\/about"/);
  },
);

it("a first page that only people who sign in see isn't waited for", async () => {
  const dialect = dialectA("A for members", { pages: { visitors: "signed-in" } });
  const { run, proxy } = await openBehindProxy(dialect, OPTIONS);
  const visited: string[] = [];
  proxy.meddle(({ path }) => {
    if (path === "/p/index") visited.push(path);
    return undefined;
  });
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("imprint doesn't know where") });
  expect(visited).toHaveLength(1);
});

it("the run after one that ended at its first page looks for where pages are, without `.imprint/`", async () => {
  const { run, loseState, proxy, stranger } = await openBehindProxy(dialectA("A"), OPTIONS);
  let isSent = false;
  proxy.meddle(({ method, path, answer }) => {
    if (isSent) return Promise.resolve(void answer.writeHead(401).end());
    isSent = method === "PUT" && path === "/api/pages/index";
    return undefined;
  });
  expect(await run("publish")).toMatchObject({ code: 1 });
  expect([...stranger.world.pages.keys()]).toEqual(["index"]);
  await loseState();
  proxy.meddle(() => undefined);
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(stranger.world.pages.get("index")?.html).toMatch(/href="[^"]*\/p\/about"/);
  const before = stranger.world.log.length;
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  expect(writesAt(stranger.world, before)).toEqual([]);
});
