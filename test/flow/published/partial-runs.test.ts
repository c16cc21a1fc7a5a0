import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, writesAt } from "./project.ts";
import { takeTurns } from "../../whole.ts";

const HIDDEN = { keeps: "tidied", reads: "nothing", visitors: "signed-in" } as const;
const HOSTS = [dialectB("B plain"), dialectA("A shows no HTML", { pages: HIDDEN })] as const;

/** What the lock file records about pages. */
async function lockedPages(root: string): Promise<unknown> {
  const { targets } = JSON.parse(await readFile(join(root, "imprint.lock.json"), "utf8"));
  return Object.values<{ pages: unknown }>(targets).map(({ pages }) => pages);
}

const inTurn = takeTurns(HOSTS);

describe.each(HOSTS)("without `.imprint/`, the lock file keeps its records of pages: $name", (dialect) => {
  const isTurn = inTurn(dialect);

  const open = async () => {
    const project = await openAtStranger(dialect, { posts: { blog: { create: true } } });
    expect(await project.run("publish", "--accept")).toMatchObject({ code: 0 });
    return { ...project, locked: await lockedPages(project.root) };
  };

  it.runIf(isTurn())("in a run of posts, and the next publish has nothing to do", async () => {
    const { stranger, root, run, loseState, locked } = await open();
    await loseState();
    expect(await run("posts", "sync")).toMatchObject({ code: 0 });
    expect(await lockedPages(root)).toEqual(locked);
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
    expect(writesAt(stranger.world, before)).toEqual([]);
  });

  it.runIf(isTurn())("in a run of one page", async () => {
    const { root, run, loseState, locked } = await open();
    await loseState();
    expect(await run("publish", "--page", "about")).toMatchObject({ code: 0 });
    expect(await lockedPages(root)).toEqual(locked);
  });
});

describe("without `.imprint/`, at a host that hides HTML", () => {
  it("a page that couldn't be sent is sent by the next run", async () => {
    const { stranger, run, write, loseState } = await openAtStranger(
      dialectA("A shows no HTML", { pages: { ...HIDDEN, maxBytes: 40_000 } }),
    );
    expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
    await loseState();
    const large = htmlPage("About", `<p>${"All of it. ".repeat(4000)}</p>`);
    await write("dist/about/index.html", large);
    expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("413") });
    await loseState();
    await write("dist/about/index.html", htmlPage("About", "<p>Short again</p>"));
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.pages.get("about")?.html).toContain("Short again");
  });
});
