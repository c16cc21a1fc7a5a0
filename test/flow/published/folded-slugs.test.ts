import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger } from "./project.ts";

it.each([
  {
    dialect: dialectA("A that ignores letter case", { pages: { folds: "letter case" } }),
    taken: "About",
    slug: "about",
  },
  {
    dialect: dialectB("B that ignores letter case", { pages: { folds: "letter case", taken: "updates" } }),
    ...{ taken: "About", slug: "about" },
  },
] as const)("another project's page isn't replaced at $dialect.name", async ({ dialect, taken, slug }) => {
  const { stranger, run } = await openAtStranger(dialect, { posts: false });
  const { html } = stranger.byHand.createPage(taken, "Somebody else's");
  const { code, said } = await run("publish", "--accept");
  expect(stranger.world.pages.get(taken)?.html).toBe(html);
  expect(code).toBe(1);
  expect(said).toContain(`${slug}: the service may store it as "${taken}", where it has a page`);
  expect(await run("publish", "--accept")).toMatchObject({ code: 1 });
  expect(stranger.world.pages.get(taken)?.html).toBe(html);
});

it("another project's page isn't replaced by a new page whose hyphens become underscores", async () => {
  const dialect = dialectA("A", { pages: { folds: "hyphens to underscores" } });
  const { stranger, run, write, remove } = await openAtStranger(dialect, { posts: false });
  await remove("dist/services");
  await run("publish");
  const { html } = stranger.byHand.createPage("services_letterpress", "Somebody else's");
  await write("dist/services/letterpress/index.html", htmlPage("Letterpress", "<h1>Letterpress</h1>"));
  for (let times = 0; times < 2; times += 1) {
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("that imprint did not publish") });
    expect(stranger.world.pages.get("services_letterpress")?.html).toBe(html);
  }
});

it("slugs that differ in letter case or separators are two pages if the host distinguishes them", async () => {
  const { stranger, run } = await openAtStranger(dialectA("A"), { posts: false });
  for (const slug of ["services_letterpress", "About", "a-campaign"]) stranger.byHand.createPage(slug, slug);
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(stranger.world.pages.get("about")?.html).toContain("<h1>About</h1>");
  expect(stranger.world.pages.get("services-letterpress")?.html).toContain("<h1>Letterpress</h1>");
  expect(stranger.world.pages.size).toBe(6);
});

it.each([
  { folds: "usual slugs", slug: "about", kept: "about-us" },
  { folds: "long slugs", slug: "a-page-with-a-rather-long-name-of-its-own", kept: "a-page-with-a-rather-long-name" },
] as const)(
  "a page of others that a host replaces without warning is named ($folds)",
  async ({ folds, slug, kept }) => {
    const dialect = dialectA("A", { pages: { folds } });
    const { stranger, run, write } = await openAtStranger(dialect, { posts: false });
    await write(`dist/${slug}/index.html`, htmlPage("Ours", "<h1>Ours</h1>"));
    for (const other of [kept, "another-page-with-a-slug-as-long-as-that"]) stranger.byHand.createPage(other, "Theirs");
    const { id } = stranger.world.pages.get(kept) ?? {};
    const { code, said } = await run("publish", "--accept");
    const expected = `stored ${slug} as ${kept} (${id}) and replaced that page, which imprint has no record of`;
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(expected) });
  },
);

it.each([dialectA("A"), dialectB("B")])(
  "hyphens stay where other people's pages have underscores ($name)",
  async (dialect) => {
    const { stranger, run } = await openAtStranger(dialect, { posts: false, slugs: { "/about/": "about-us" } });
    stranger.byHand.createPage("summer_sale", "Theirs");
    expect(await run("publish")).toMatchObject({ code: 0 });
    const slugs = ["about-us", "index", "services-letterpress", "summer_sale"];
    expect([...stranger.world.pages.keys()].toSorted()).toEqual(slugs);
  },
);

it.each([
  { dialect: dialectA("A"), taken: "services_letterpress", ours: "our-press" },
  { dialect: dialectB("B"), taken: "servicesletterpress", ours: "our-press" },
  { dialect: dialectA("A"), taken: "services-letterpre", ours: "a-page-with-a-long-slug" },
])(
  "a page of others that $dialect.name may take for ours blocks that page only, until another one shows otherwise ($taken)",
  async ({ dialect, taken, ours }) => {
    const { stranger, run, write } = await openAtStranger(dialect, { posts: false });
    const { html } = stranger.byHand.createPage(taken, "Theirs");
    for (const flags of [[], ["--adopt"]]) {
      const { code, said } = await run("publish", ...flags);
      const expected = `services-letterpress: the service may store it as "${taken}", where it has a page that`;
      expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(expected) });
      expect(said).not.toContain("may not belong to this project");
      expect([...stranger.world.pages.keys()].toSorted()).toEqual(["about", "index", taken]);
    }
    await write(`dist/${ours}/index.html`, htmlPage("Ours", "<h1>Ours</h1>"));
    await run("publish");
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect([...stranger.world.pages.keys()].toSorted()).toEqual(
      ["about", "index", "services-letterpress", ours, taken].toSorted(),
    );
    expect(stranger.world.pages.get(taken)?.html).toBe(html);
  },
);

it("a first publish shows by one page that the host keeps hyphens, and then sends the page that was in doubt", async () => {
  const { stranger, run, write } = await openAtStranger(dialectA("A"), { posts: false });
  const { html } = stranger.byHand.createPage("our_press", "Theirs");
  await write("dist/our-press/index.html", htmlPage("Ours", "<h1>Ours</h1>"));
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("pages 4 published") });
  expect(stranger.world.pages.get("our_press")?.html).toBe(html);
});
