import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, writesAt } from "./project.ts";

const OPTIONS = { posts: false, brandKit: false };
const RESTRICTIONS = [{ password: "secret" }, { visibility: "members" }, { passwordProtected: true }];

it.each(
  [dialectA("A"), dialectB("B")].flatMap((dialect) => RESTRICTIONS.map((restricted) => ({ dialect, restricted }))),
)(
  "a page that a person restricted at $dialect.name ($restricted) isn't replaced, as that would show it to everybody",
  async ({ dialect, restricted }) => {
    const { stranger, run, write, loseState } = await openAtStranger(dialect, OPTIONS);
    expect(await run("publish")).toMatchObject({ code: 0 });
    const { pages, log } = stranger.world;
    const about = pages.get("about");
    if (about !== undefined) pages.set("about", { ...about, restricted });
    await write("dist/about/index.html", htmlPage("About", "<h1>About us, again</h1>"));
    for (const lose of [async () => {}, loseState]) {
      await lose();
      const before = log.length;
      const { code, said } = await run("publish");
      expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining('has it as "protected"') });
      expect(writesAt(stranger.world, before)).toEqual([]);
    }
    expect(pages.get("about")).toMatchObject({ html: about?.html, restricted });
    expect(await run("publish", "--adopt")).toMatchObject({ code: 0 });
    expect(pages.get("about")?.html).toContain("again");
  },
);
