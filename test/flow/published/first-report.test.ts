import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger } from "./project.ts";

it.each([dialectA("A that names only where pages are edited"), dialectB("B that names where they are shown")])(
  "the first report doesn't show an editor's address as a page's address: $name",
  async (dialect) => {
    const { stranger, run } = await openAtStranger(dialect, { posts: false });
    const { code, said } = await run("publish");
    expect([code, said]).toEqual([0, expect.stringContaining(stranger.publicUrl("about"))]);
    expect(said).not.toContain("/edit/");
  },
);
