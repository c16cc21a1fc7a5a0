import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { deadAddresses, openAtStranger } from "./project.ts";

const REFUSALS = [
  { status: 402, words: "Page limit reached. Upgrade your plan" },
  { status: 403, words: "Your plan allows 3 pages" },
  { status: 409, words: "Quota exceeded" },
  { status: 413, words: "The account can hold at most 3 pages" },
  { status: 422, words: "You have reached the maximum number of pages" },
  { status: 429, words: "Your plan allows 3 pages" },
  { status: 507, words: "Insufficient storage" },
];
const NEW_PAGES = 80;

describe.each([dialectA, dialectB])("an account at its page limit", (dialect) => {
  it.each(REFUSALS)(
    "is reported once ($status $words): changed pages are sent, and no further new page",
    async (refusal) => {
      const host = dialect("full", { pages: { room: { ...refusal, pages: 3 } } });
      const { stranger, run, write } = await openAtStranger(host);
      const { world } = stranger;
      expect(await run("publish")).toMatchObject({ code: 0 });
      await write("dist/about/index.html", htmlPage("About", "<h1>About</h1><p>Changed."));
      for (let number = 1; number <= NEW_PAGES; number++) {
        await write(`dist/news${number}/index.html`, htmlPage(`News ${number}`, `<h1>News ${number}</h1>`));
      }
      const before = world.log.length;
      const { code, said } = await run("publish");
      expect(code).toBe(1);
      expect(said.split(refusal.words)).toHaveLength(2);
      expect(said).toContain(` pages 1 updated · 2 unchanged · ${NEW_PAGES} blocked `);
      expect(world.pages.get("about")?.html).toContain("Changed.");
      const refused = world.log.slice(before).filter(({ words }) => words === refusal.words);
      expect(refused.length).toBeLessThan(NEW_PAGES / 2);
      expect(world.pages.size).toBe(3);
    },
  );
});

it.each([dialectA, dialectB])("new pages that are refused at once don't keep back a changed page", async (dialect) => {
  const room = { status: 403, words: "Your plan allows 3 pages. Upgrade.", pages: 3 };
  const host = dialect("full and slow", { latencyMs: 40, pages: { room } });
  const { stranger, run, write } = await openAtStranger(host, { posts: false, brandKit: false });
  expect(await run("publish")).toMatchObject({ code: 0 });
  for (const name of ["a", "b", "c", "d", "e", "f", "g", "h"]) {
    await write(`dist/${name}/index.html`, htmlPage(`News ${name}`, `<h1>News ${name}</h1>`));
  }
  await write("dist/services/letterpress/index.html", htmlPage("Letterpress", "<h1>Letterpress</h1><p>Changed."));
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("The account is full") });
  expect(stranger.world.pages.get("services-letterpress")?.html).toContain("Changed.");
});

it("a page that is too large isn't mistaken for a full account", async () => {
  const { stranger, run, write } = await openAtStranger(dialectA("small", { pages: { maxBytes: 20_000 } }));
  await write("dist/large/index.html", htmlPage("Large", `<p>${"word ".repeat(10_000)}`));
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("larger than 20 KB") });
  expect(stranger.world.pages.size).toBe(3);
});

const FULL_LIBRARY = [
  { status: 402, words: "Your plan's storage limit is reached" },
  { status: 413, words: "Your library is full (100 MB of 100 MB). Upgrade your plan." },
  { status: 422, words: "Storage quota exceeded" },
  { status: 429, words: "Your plan allows 2 images" },
  { status: 507, words: "Insufficient storage" },
];

describe.each([dialectA, dialectB])("a library at its file limit", (dialect) => {
  it.each(FULL_LIBRARY)(
    "is tried again by the next run ($status $words), which replaces what was omitted",
    async (refusal) => {
      const { stranger, run, write } = await openAtStranger(
        dialect("full library", { library: { room: { ...refusal, files: 2 } } }),
      );
      const noise = {
        width: 900,
        height: 700,
        channels: 3,
        noise: { type: "gaussian", mean: 128, sigma: 60 },
      } as const;
      await write(
        "dist/noise.jpg",
        await sharp({ create: { ...noise, background: "gray" } })
          .jpeg({ quality: 90 })
          .toBuffer(),
      );
      await write("dist/gallery/index.html", htmlPage("Gallery", `<h1>Gallery</h1><img src="/noise.jpg" alt="Noise">`));
      const full = await run("publish");
      expect(full.code).toBe(1);
      expect(full.said).toContain("Free up space in the library");
      expect(full.said).not.toContain("too large");
      const pages = ["index", "about", "services-letterpress"].map((slug) => stranger.publicUrl(slug));
      expect(await deadAddresses(pages)).toEqual([]);
      expect(await run("publish")).toMatchObject({
        code: 1,
        said: expect.stringContaining("Free up space in the library"),
      });
      stranger.byHand.makeRoom(100);
      expect(await run("publish")).toMatchObject({ code: 0 });
      const gallery = await (await fetch(stranger.publicUrl("gallery"))).text();
      expect(/<img src="(\S+)" alt="Noise"/.exec(gallery)?.[1]).toMatch(/^http/);
      expect(await deadAddresses([...pages, stranger.publicUrl("gallery")])).toEqual([]);
      expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed at") });
    },
  );
});
