import { expect, it } from "vitest";
import { passOn } from "../../faults/proxy.ts";
import { dialectA } from "../../strangers/dialect.ts";
import { API_KEY } from "../../strangers/host.ts";
import { openBehindProxy, send } from "./project.ts";

const JSON_TYPE = { "content-type": "application/json" };

it("somebody's only site and blog, which a host returns in place of creating others, stay theirs", async () => {
  const { stranger, proxy, run } = await openBehindProxy(dialectA("A", { pages: { tells: "public-url" } }), {
    posts: { blog: { create: true } },
    brandKit: false,
  });
  const host = { baseUrl: stranger.baseUrl, apiKey: API_KEY };
  const theirs = new Map<string, unknown>();
  for (const path of ["/api/sites", "/api/blogs"]) {
    theirs.set(path, await send(host, ["POST", path], JSON.stringify({ name: "Corporate" })));
  }
  proxy.meddle(({ method, path, answer }) => {
    const record = method === "POST" ? theirs.get(path) : undefined;
    if (record === undefined) return undefined;
    passOn(answer, { status: 200, headers: JSON_TYPE, bytes: Buffer.from(JSON.stringify(record)) });
    return Promise.resolve();
  });
  for (const name of ["first", "second"]) {
    const { code, said } = await run("publish");
    expect({ name, code, said }).toMatchObject({ code: 1, said: expect.stringContaining("of creating another site") });
    expect(said).toContain("in place of creating another blog");
  }
  expect([...stranger.world.posts.values()].flat()).toEqual([]);
  expect(stranger.world.pages.size).toBeGreaterThan(0);
});
