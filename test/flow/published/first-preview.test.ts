import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger } from "./project.ts";

it.each([dialectA("A", { pages: { tells: "public-url" } }), dialectB("B")])(
  "a project at $name whose first publish is a preview is the same project when it goes live",
  async (dialect) => {
    const { run, stranger, write } = await openAtStranger(dialect, { posts: false, brandKit: false });
    expect(await run("publish", "--preview", "pr-1")).toMatchObject({ code: 0 });
    const files = [...stranger.world.assets.keys()];
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect([...stranger.world.assets.keys()]).toEqual(files);
    await write("dist/about/index.html", htmlPage("About", "<h1>About us, anew</h1>"));
    expect(await run("publish", "--preview", "pr-1")).toMatchObject({ code: 0 });
    expect(await run("preview", "remove", "pr-1", "--yes")).toMatchObject({ code: 0 });
    expect([...stranger.world.pages.keys()].filter((slug) => slug.startsWith("preview"))).toEqual([]);
  },
);
