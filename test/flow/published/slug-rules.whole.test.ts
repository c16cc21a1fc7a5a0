import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { deadAddresses, openAtStranger, writesAt } from "./project.ts";

const rule = (pattern: RegExp, words: string) => ({ slugs: { pattern, words, maxLength: 80 } });
const UNDERSCORES = /^[a-z0-9_]+$/;
const LETTERS = rule(/^[a-z0-9]+$/, "Slug may contain only letters and digits");
const NOTHING_CHANGED = { code: 0, said: expect.stringContaining("Nothing changed at") };
const SLUGS = ["about", "index", "services_letterpress"];

describe.each([
  dialectA("A names underscores", { pages: rule(UNDERSCORES, "slug: lower-case letters, digits and underscores") }),
  dialectB("B says only that the slug is invalid", { pages: rule(UNDERSCORES, "slug is invalid") }),
  dialectA("A makes underscores of hyphens", { pages: { folds: "hyphens to underscores" } }),
  dialectB("B makes underscores of hyphens", { pages: { folds: "hyphens to underscores", taken: "suffix" } }),
])("a host that accepts only underscores in slugs: $name", (dialect) => {
  it("gets a whole site in the first publish, and nothing twice, with each memory", async () => {
    const { stranger, run, loseState, loseLock } = await openAtStranger(dialect, { posts: false });
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 3 published") });
    expect([...stranger.world.pages.keys()].toSorted()).toEqual(SLUGS);
    expect(await deadAddresses(SLUGS.map((slug) => stranger.publicUrl(slug)))).toEqual([]);
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
    await loseState();
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
    await loseState();
    await loseLock();
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
    expect(writesAt(stranger.world, before)).toEqual([]);
  });
});

describe("a host that truncates long slugs", () => {
  const dialect = dialectB("cuts slugs", { pages: { folds: "long slugs", taken: "suffix" } });
  const slug = "letterpress-and-all-other-kinds-of-printing";

  it("gets shorter ones", async () => {
    const { stranger, run, write } = await openAtStranger(dialect, { posts: false });
    await write(`dist/${slug}/index.html`, "<!doctype html><title>Printing</title><h1>Printing</h1>");
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 4 published") });
    const slugs = [...stranger.world.pages.keys()];
    expect(slugs).toEqual(expect.arrayContaining([expect.stringMatching(/^letterpress-and-all-o-[0-9a-f]{8}$/)]));
    expect(await deadAddresses(slugs.map((each) => stranger.publicUrl(each)))).toEqual([]);
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
  });

  it("is recognized by links to a deleted page if both memories are lost", async () => {
    const { stranger, run, write, loseState, loseLock } = await openAtStranger(dialect, { posts: false });
    const link = `<a href="/${slug}/">Printing</a>`;
    await write(`dist/${slug}/index.html`, htmlPage("Printing", "<h1>Printing</h1>"));
    for (const [path, title] of [
      ["", "Halden Press"],
      ["about/", "About"],
      ["services/letterpress/", "Letterpress"],
    ]) {
      await write(`dist/${path}index.html`, htmlPage(title ?? "", `<h1>${title}</h1>${link}`));
    }
    expect(await run("publish")).toMatchObject({ code: 0 });
    const slugs = [...stranger.world.pages.keys()].toSorted();
    stranger.byHand.deletePage(slugs.find((each) => each.startsWith("letterpress-and")) ?? "");
    await loseState();
    await loseLock();
    const again = { code: 0, said: expect.stringContaining("pages 1 published · 3 unchanged") };
    expect(await run("publish")).toMatchObject(again);
    expect([...stranger.world.pages.keys()].toSorted()).toEqual(slugs);
    expect(await deadAddresses(slugs.map((each) => stranger.publicUrl(each)))).toEqual([]);
  });

  it("is reported for a slug set in the options", async () => {
    const options = { posts: false, slugs: { "/services/letterpress/": slug } };
    const { stranger, run } = await openAtStranger(dialect, options);
    const kept = 'under the slug "letterpress-and-all-other-kind"';
    expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining(kept) });
    expect([...stranger.world.pages.keys()].toSorted()).toEqual(["about", "index"]);
  });
});

const REFUSED = "Slug may contain only letters and digits";
const KEPT = 'under the slug "servicesletterpress"';

describe.each([
  { words: REFUSED, dialect: dialectA("A refuses hyphens", { pages: LETTERS }) },
  { words: REFUSED, dialect: dialectB("B refuses hyphens", { pages: LETTERS }) },
  { words: KEPT, dialect: dialectA("A leaves hyphens out", { pages: { folds: "hyphens away" } }) },
  { words: KEPT, dialect: dialectB("B leaves hyphens out", { pages: { folds: "hyphens away", taken: "suffix" } }) },
])("a host that accepts no separator in slugs: $dialect.name", ({ dialect, words }) => {
  it("is reported with the option to set, keeps no page, and gets the page with that option", async () => {
    const { stranger, run, configure } = await openAtStranger(dialect, { posts: false });
    for (let runs = 0; runs < 2; runs += 1) {
      const { code, said } = await run("publish");
      expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(words) });
      expect(said).toContain('`slugs: { "/services/letterpress/": "…" }`');
      const outcome = words === KEPT ? "1 blocked" : "1 failed";
      expect(said).toContain(`2 ${runs === 0 ? "published" : "unchanged"} · ${outcome}`);
      expect([...stranger.world.pages.keys()].toSorted()).toEqual(["about", "index"]);
    }
    await configure({ posts: false, slugs: { "/services/letterpress/": "letterpress" } });
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect([...stranger.world.pages.keys()].toSorted()).toEqual(["about", "index", "letterpress"]);
  });
});

it("keeps hyphens if an error message allows them beside underscores", async () => {
  const words = "slug must consist of letters, numbers, underscores or hyphens, and may not begin with a service";
  const dialect = dialectA("Django", { pages: rule(/^(?!services)[a-z0-9_-]+$/, words) });
  const { stranger, run, write } = await openAtStranger(dialect, { posts: false });
  await write("dist/our-press/index.html", "<!doctype html><title>Our press</title><h1>Our press</h1>");
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("services-letterpress") });
  expect(await run("publish")).toMatchObject({ code: 1 });
  expect([...stranger.world.pages.keys()].toSorted()).toEqual(["about", "index", "our-press"]);
});
