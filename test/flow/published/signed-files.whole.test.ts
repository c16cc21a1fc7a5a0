import { expect, it } from "vitest";
import { dialectA, dialectB, type Signature } from "../../strangers/dialect.ts";
import { deadAddresses, openAtStranger, writesAt } from "./project.ts";

async function openSigning(signature: Partial<Signature>, pages: Parameters<typeof dialectA>[1] = {}) {
  const signs = { as: "exp-sig", seconds: 3600, asks: true, ...signature } as const;
  const project = await openAtStranger(dialectA("signs files", { library: { signs }, ...pages }));
  const { world } = project.stranger;
  const publishAgain = async () => {
    const before = world.log.length;
    const { code, said } = await project.run("publish");
    return { code, said, writes: writesAt(world, before) };
  };
  const addresses = () => [...world.pages.keys()].map((slug) => project.stranger.publicUrl(slug));
  return { ...project, world, publishAgain, addresses, signs };
}

it.each(["exp-sig", "amazon"] as const)(
  "signed addresses (%s) that differ in each response don't count as a change, and the report shows when they expire",
  async (as) => {
    const { run, publishAgain, loseState, world, addresses } = await openSigning({ as });
    const first = await run("publish");
    expect(first.code).toBe(0);
    const address = [...(world.pages.get("index")?.html ?? "").matchAll(/src="([^"]*\/files\/[^"]*)/g)][0]?.[1] ?? "";
    expect(new URL(address).search).not.toBe("");
    expect(first.said).toContain(`expire on ${new Date(Date.now() + 3_590_000).toISOString().slice(0, 15)}`);
    expect(await deadAddresses(addresses())).toEqual([]);
    expect(await publishAgain()).toMatchObject({ code: 0, writes: [], said: expect.stringContaining("expire on") });
    await loseState();
    expect(await publishAgain()).toMatchObject({ code: 0, writes: [], said: expect.stringContaining("expire on") });
    expect(await publishAgain()).toMatchObject({ code: 0, writes: [] });
  },
);

it.each(["exp-sig", "amazon", "unnamed"] as const)(
  "addresses with an unnecessary signature (%s) are used without it",
  async (as) => {
    const { run, publishAgain, loseState, world, addresses } = await openSigning({ as, asks: false });
    expect((await run("publish")).code).toBe(0);
    if (as === "unnamed") await publishAgain();
    expect(world.pages.get("index")?.html).not.toMatch(/\/files\/[^"]*\?/);
    expect(await deadAddresses(addresses())).toEqual([]);
    expect(await publishAgain()).toMatchObject({ code: 0, writes: [], said: expect.not.stringContaining("expire") });
    await loseState();
    expect(await publishAgain()).toMatchObject({ code: 0, writes: [] });
  },
);

it("addresses that change for no visible reason don't count as a change, as long as the earlier ones work", async () => {
  const { run, publishAgain, signs, addresses } = await openSigning({ as: "unnamed", seconds: 5 });
  await run("publish");
  expect(await publishAgain()).toMatchObject({ code: 0, writes: [], said: expect.stringContaining("change") });
  Object.assign(signs, { seconds: 3600 });
  await expect.poll(async () => (await deadAddresses(addresses())).length, { timeout: 20_000 }).toBeGreaterThan(0);
  const { writes } = await publishAgain();
  expect(writes).toContain("PUT /api/pages/index");
  expect(await deadAddresses(addresses())).toEqual([]);
});

it.each([dialectA, dialectB])(
  "addresses with a different path in each response don't count as a change, as long as the earlier ones work",
  async (dialect) => {
    const { stranger, run, loseState } = await openAtStranger(
      dialect("signs paths", { library: { signs: { as: "in-path", seconds: 3600, asks: true } } }),
      { posts: false },
    );
    expect(await run("publish")).toMatchObject({ code: 0 });
    const nothing = { code: 0, said: expect.stringMatching(/Nothing changed at .* change in each response/) };
    expect(await run("publish")).toMatchObject(nothing);
    await loseState();
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject(nothing);
    expect(writesAt(stranger.world, before)).toEqual([]);
    expect(await deadAddresses([...stranger.world.pages.keys()].map((slug) => stranger.publicUrl(slug)))).toEqual([]);
  },
);

it("pages are sent again after half of their addresses' lifetime", async () => {
  const { run, publishAgain, signs, world, loseState } = await openSigning({ seconds: 3600 });
  await run("publish");
  Object.assign(signs, { seconds: 86_400 });
  await loseState();
  expect((await publishAgain()).writes).toContain("PUT /api/pages/index");
  expect((await publishAgain()).writes).toEqual([]);
  Object.assign(signs, { seconds: 864_000 });
  const { writes } = await publishAgain();
  expect(writes).toContain("PUT /api/pages/index");
  expect(writes.filter((write) => write.includes("assets"))).toEqual([]);
  const expiry = Number(/exp=(\d+)/.exec(world.pages.get("index")?.html ?? "")?.[1]);
  expect(expiry * 1000 - Date.now()).toBeGreaterThan(800_000_000);
});
