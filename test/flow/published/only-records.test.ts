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
    expect({ name, code, said }).toMatchObject({ code: 1, said: expect.stringContaining("its existing site") });
    expect(said).toContain("the service returned its existing blog");
  }
  expect([...stranger.world.posts.values()].flat()).toEqual([]);
  expect(stranger.world.pages.size).toBeGreaterThan(0);
});

const KIT_OF_THE_ACCOUNT = { name: "Corporate", colors: [{ role: "primary", hex: "#123456" }] };

it.each(["its id", "a new id"])("a person's brand kit is stored again where a host keeps one, under %s", async (id) => {
  const { stranger, proxy, run } = await openBehindProxy(dialectA("A"), { posts: false });
  const { brandKits } = stranger.world;
  const [path, type] = ["/api/brand-kits", "POST"];
  await send({ baseUrl: stranger.baseUrl, apiKey: API_KEY }, [type, path], JSON.stringify(KIT_OF_THE_ACCOUNT));
  let posted = 0;
  proxy.meddle(({ method, path: asked, answer, forward }) => {
    if (method !== type || asked !== path) return undefined;
    posted += 1;
    const kept = [...brandKits.keys()][0] ?? "";
    return forward().then((forwarded) => {
      const [added = ""] = [...brandKits.keys()].filter((key) => key !== kept);
      if (id === "a new id") brandKits.delete(kept);
      else stranger.byHand.editBrandKit(kept, brandKits.get(added)?.fields ?? {});
      if (id === "its id") brandKits.delete(added);
      const bytes = Buffer.from(forwarded.bytes.toString().replaceAll(added, [...brandKits.keys()][0] ?? ""));
      passOn(answer, { ...forwarded, bytes });
    });
  });
  for (const name of ["first", "second"]) {
    const { said } = await run("publish");
    expect({ name, said }).toMatchObject({ said: expect.stringContaining("one brand kit for the account") });
    expect([...brandKits.values()].map(({ fields }) => fields)).toMatchObject([KIT_OF_THE_ACCOUNT]);
  }
  expect(posted).toBe(2);
});
