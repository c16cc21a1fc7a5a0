import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger } from "./project.ts";

const TITLE = "A short history of printing with movable type";

const WORDS = [
  [422, 'The field "title" is not allowed to exceed 24 characters.'],
  [422, "title: is too long (maximum is 24 characters)"],
  [400, 'Unsupported value of "title": 24 characters at most'],
  [400, "title must have at most 24 characters"],
] as const;

describe.each(
  WORDS.flatMap(([status, words]) =>
    [dialectA, dialectB].map((dialectOf) => ({
      words,
      dialect: dialectOf(`${dialectOf === dialectA ? "A" : "B"}: ${words}`, {
        pages: { titles: { status, words, maxLength: 24 } },
      }),
    })),
  ),
)("a host that rejects long titles: $dialect.name", ({ dialect, words }) => {
  it("doesn't get the page, and gets the others with their titles", async () => {
    const { stranger, run, root, write } = await openAtStranger(dialect, { posts: false });
    const fieldsOf = async () =>
      /"pageFields": "\w+"/.exec(await readFile(join(root, "imprint.lock.json"), "utf8"))?.[0];
    expect(await run("publish")).toMatchObject({ code: 0 });
    const before = await fieldsOf();
    await write("dist/history/index.html", htmlPage(TITLE, "<h1>History</h1>"));
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(words) });
    expect(await fieldsOf()).toEqual(before);
    await write("dist/history/index.html", htmlPage("History", "<h1>History</h1>"));
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.pages.get("history")?.title).toBe("History");
    await write("dist/index.html", htmlPage(TITLE, "<h1>Halden Press</h1>"));
    const changed = await run("publish");
    expect(changed).toMatchObject({ code: 1, said: expect.stringContaining(words) });
    expect(await fieldsOf()).toEqual(before);
  });
});
