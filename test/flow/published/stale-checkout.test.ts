import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dialectA, dialectB, type Dialect } from "../../strangers/dialect.ts";
import { API_KEY } from "../../strangers/host.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, openProject, writesAt, type Project } from "./project.ts";
import { takeTurns } from "../../whole.ts";

const ABOUT = "dist/about/index.html";
const about = (body: string) => htmlPage("About", `<h1>About</h1><p>${body}</p>`);
const NOTHING_CHANGED = { code: 0, said: expect.stringContaining("Nothing changed at") };
const OLDER = "Another checkout published about after this one did";

// Two checkouts of one project; the second has the lock file of the first publish.
async function openCheckouts(dialect: Dialect) {
  const { stranger, ...first } = await openAtStranger(dialect, { posts: false });
  await first.write(ABOUT, about("One."));
  await first.run("publish", "--accept");
  const second = await openProject({ baseUrl: stranger.baseUrl, apiKey: API_KEY }, { posts: false });
  await copyFile(join(first.root, "imprint.lock.json"), join(second.root, "imprint.lock.json"));
  const textOf = async () => await (await fetch(stranger.publicUrl("about"))).text();
  return { stranger, first, second, textOf };
}

async function publish(project: Project, body: string) {
  await project.write(ABOUT, about(body));
  return await project.run("publish", "--accept");
}

const HOSTS = [
  dialectA("A with neither times nor hashes"),
  dialectB("B with neither times nor hashes"),
  dialectA("A that only readers see", { pages: { reads: "nothing" } }),
  dialectA("A with times", { lists: { fields: "times-too" } }),
  dialectA("A with days", { lists: { fields: "days-too" } }),
  dialectB("B with a banner", { pages: { keeps: "with-banner" } }),
];

const inTurn = takeTurns(HOSTS, 2);

describe.each(HOSTS)("two checkouts of a project at $name", (dialect) => {
  const isTurn = inTurn(dialect);

  it.runIf(isTurn())("an older build reports which of another checkout's pages it replaces", async () => {
    const { stranger, first, second, textOf } = await openCheckouts(dialect);
    expect(await publish(second, "Two.")).toMatchObject({ code: 0 });
    const stale = await first.run("publish");
    expect(stale).toMatchObject({ code: 0, said: expect.stringContaining(OLDER) });
    expect(stale.said).toContain("equals what this checkout published before");
    expect(stale.said).not.toContain("Nothing changed at");
    expect(await textOf()).toContain("One.");
    const before = stranger.world.log.length;
    expect(await first.run("publish")).toMatchObject(NOTHING_CHANGED);
    expect(writesAt(stranger.world, before)).toEqual([]);
  });

  it.runIf(isTurn())(
    "a newer build does, too, and nothing is reported once a checkout has the other's lock file",
    async () => {
      const { first, second, textOf } = await openCheckouts(dialect);
      await publish(second, "Two.");
      const newer = await publish(first, "Three.");
      expect(newer).toMatchObject({ code: 0, said: expect.stringContaining(OLDER) });
      expect(newer.said).not.toContain("published before");
      expect(await textOf()).toContain("Three.");
      await copyFile(join(first.root, "imprint.lock.json"), join(second.root, "imprint.lock.json"));
      const pulled = await publish(second, "Four.");
      expect(pulled.code).toBe(0);
      expect(pulled.said).not.toContain("Another checkout");
      expect(await textOf()).toContain("Four.");
    },
  );
});
