import { expect, it } from "vitest";
import { dialectA } from "../../strangers/dialect.ts";
import { openAtStranger, writesAt } from "./project.ts";

const NOTHING_CHANGED = { code: 0, said: expect.stringContaining("Nothing changed at") };

it.each([
  ["with `slugs.prefix`", { prefix: "aa" }],
  ["with a slug of its own for the home page", { "/": "start" }],
])(
  "finds where pages are shown without the lock file and `.imprint/`, and says that HTML was shown: %s",
  async (_, slugs) => {
    const options = { posts: false, slugs };
    const { stranger, run, loseState, loseLock } = await openAtStranger(dialectA("A"), options);
    expect(await run("publish")).toMatchObject({ code: 0 });
    await loseState();
    await loseLock();
    const before = stranger.world.log.length;
    const again = await run("publish");
    expect(again).toMatchObject(NOTHING_CHANGED);
    expect(again.said).not.toContain("hasn't shown the HTML");
    expect(writesAt(stranger.world, before)).toEqual([]);
  },
);
