import { expect, it, onTestFinished } from "vitest";
import { startProxy } from "../../faults/proxy.ts";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { API_KEY } from "../../strangers/host.ts";
import type { World } from "../../strangers/host/world.ts";
import { openAtStranger, openProject, publishAndKill } from "./project.ts";

const LATE = { library: { listedAfterMs: 2000 } };

it.each([
  { dialect: dialectA("A lists files late", LATE), write: 6 },
  { dialect: dialectB("B lists files late", LATE), write: 6 },
])("$dialect.name: uploads nothing twice after a run that was killed during uploads", async ({ dialect, write }) => {
  const { stranger } = await openAtStranger(dialect);
  const { world } = stranger;
  const proxy = await startProxy(stranger.baseUrl);
  onTestFinished(() => proxy.close());
  const project = await openProject({ baseUrl: proxy.url, apiKey: API_KEY });
  await publishAndKill(project.root, { proxy, write, moment: "after" });
  expect(world.assets.size).toBeGreaterThan(0);
  expect(await project.run("publish")).toMatchObject({ code: 0 });
  expect(findTwice(world)).toEqual([]);
});

it.each([dialectA("A lists files late", LATE), dialectB("B lists files late", LATE)])(
  "$name: uploads nothing again in a publish that follows at once",
  async (dialect) => {
    const { stranger, ...project } = await openAtStranger(dialect);
    await project.run("publish");
    expect(await project.run("publish")).toMatchObject({
      code: 0,
      said: expect.stringContaining("Nothing changed at"),
    });
    expect(findTwice(stranger.world)).toEqual([]);
  },
);

function findTwice({ assets }: World): readonly string[] {
  const hashes = [...assets.values()].map(({ sha256, name }) => `${name} ${sha256}`);
  return hashes.filter((hash, index) => hashes.indexOf(hash) !== index);
}
