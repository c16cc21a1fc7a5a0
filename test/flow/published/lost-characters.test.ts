import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, writesAt } from "./project.ts";

const OPTIONS = { posts: false, brandKit: false };
const B = { putBody: "multipart" } as const;

it.each([
  [
    dialectA("A in ASCII", { pages: { keeps: "ascii" } }),
    "<p>Caf\u00E9 \u{1F389}</p>",
    'shows "?" in place of "\u00E9"',
  ],
  [
    dialectB("B in ASCII", { pages: { ...B, keeps: "ascii" } }),
    "<h1>\u6F22\u5B57</h1>",
    'shows "?" in place of "\u6F22"',
  ],
  [
    dialectA("A in latin-1, with times", { pages: { keeps: "latin-1" }, lists: { fields: "times-too" } }),
    "<p>Caf\u00E9 in \u0141\u00F3d\u017A</p>",
    'shows "?" in place of "\u0141"',
  ],
  [
    dialectB("B without emoji", { pages: { ...B, keeps: "three-byte" } }),
    "<p>Open again \u{1F389} from May</p>",
    'shows "????" in place of "\u{1F389}"',
  ],
] as const)("names the page and the first character that $name loses", async (dialect, body, words) => {
  const { stranger, run, write, loseState } = await openAtStranger(dialect, OPTIONS);
  await write("dist/about/index.html", htmlPage("About", body));
  const first = await run("publish");
  expect(first).toMatchObject({ code: 1, said: expect.stringContaining(`${words} on about`) });
  const before = stranger.world.log.length;
  for (const isForgetful of [false, true]) {
    if (isForgetful) await loseState();
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(`${words} on about`) });
    expect(said).not.toContain("edited on the service");
  }
  expect(writesAt(stranger.world, before)).toEqual([]);
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
  expect(await run("publish")).toMatchObject({ code: 0 });
});

it.each([dialectA("A", { pages: { keeps: "with-banner" } }), dialectB("B", { pages: { ...B, keeps: "tidied" } })])(
  "reports nothing for a host that keeps all characters: $name",
  async (dialect) => {
    const { run, write } = await openAtStranger(dialect, OPTIONS);
    const body = "<h1>Caf\u00E9 \u{1F389}</h1><p>\u201CQuoted\u201D&nbsp;\u2014 \u6F22\u5B57 &rarr; e\u0301</p>";
    await write("dist/about/index.html", htmlPage("About", body));
    expect(await run("publish")).toMatchObject({ code: 0 });
  },
);
