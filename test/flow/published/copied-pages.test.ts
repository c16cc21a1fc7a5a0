import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, type Project } from "./project.ts";

const OPTIONS = { posts: false, brandKit: false };
const HOSTS = [dialectA("A"), dialectB("B")];

const LOSSES: Readonly<Record<string, (project: Project) => Promise<void>>> = {
  "its memory": (project) => project.loseState(),
  "both memories": async (project) => {
    await project.loseState();
    await project.loseLock();
  },
};

it.each(HOSTS.flatMap((dialect) => Object.keys(LOSSES).map((lost) => ({ dialect, lost }))))(
  "copies that people made of pages at $dialect.name aren't deleted by a project that lost $lost",
  async ({ dialect, lost }) => {
    const project = await openAtStranger(dialect, OPTIONS);
    const { run, stranger, write } = project;
    expect(await run("publish")).toMatchObject({ code: 0 });
    const { pages } = stranger.world;
    const about = pages.get("about");
    if (about === undefined) throw new Error("about wasn't published");
    const copies = [
      { slug: "spring-campaign", title: "Spring campaign", visibleFrom: 0 },
      { slug: "about-copy", title: about.title, visibleFrom: 0 },
      { slug: "plans", title: "About", visibleFrom: Infinity },
    ];
    for (const copy of copies) pages.set(copy.slug, { ...about, ...copy, id: `pg_${copy.slug}` });
    await LOSSES[lost]?.(project);
    await write("dist/about/index.html", htmlPage("About", "<h1>About us, anew</h1>"));
    expect(await run("publish", "--prune")).toMatchObject({ code: 0 });
    expect([...pages.keys()]).toEqual(expect.arrayContaining(copies.map(({ slug }) => slug)));
    expect(pages.get("about")?.html).toContain("anew");
  },
);

it.each(HOSTS)("a page that only a later lock file knew is deleted with --prune at $name, in CI", async (dialect) => {
  const { run, stranger, root, write, remove, loseState } = await openAtStranger(dialect, OPTIONS);
  for (const number of [1, 2, 3, 4]) {
    await write(`dist/page-${number}/index.html`, htmlPage(`Page ${number}`, `<h1>Page ${number}</h1>`));
  }
  expect(await run("publish")).toMatchObject({ code: 0 });
  const lock = await readFile(join(root, "imprint.lock.json"), "utf8");
  const theirs = stranger.byHand.createPage("theirs", "Somebody else's");
  await write("dist/offer/index.html", htmlPage("Half price", "<h1>Half price</h1>"));
  expect(await run("publish")).toMatchObject({ code: 0 });
  await remove("dist/offer");
  await write("imprint.lock.json", lock);
  await loseState();
  const { code, said } = await run("publish", "--prune");
  expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining("- offer") });
  // The same may be an older checkout that deletes what a newer one published.
  expect(said).toContain("Another checkout or CI job published offer. Neither this build nor imprint.lock.json");
  expect(stranger.world.pages.has("offer")).toBe(false);
  expect(stranger.world.pages.get("theirs")?.html).toBe(theirs.html);
});

const CI: Readonly<Record<string, (project: Project) => Promise<void>>> = {
  "all memories": async () => {},
  "only its lock file": (project) => project.loseState(),
};

describe.each(HOSTS.flatMap((dialect) => Object.keys(CI).map((kept) => ({ dialect, kept }))))(
  "publish --prune with $kept at $dialect.name",
  ({ dialect, kept }) => {
    it("leaves a page whose slug somebody changed, and says how to keep or remove it", async () => {
      const project = await openAtStranger(dialect, { ...OPTIONS, maxDeleteShare: 0 });
      const { run, stranger, remove, write } = project;
      await write("dist/contact/index.html", htmlPage("Contact", "<h1>Contact</h1>"));
      expect(await run("publish")).toMatchObject({ code: 0 });
      stranger.byHand.movePage("about", "about-us");
      stranger.byHand.movePage("contact", "kontakt");
      await write("dist/about/index.html", htmlPage("About us", "<h1>About us</h1>"));
      await remove("dist/contact");
      await CI[kept]?.(project);
      const { code, said } = await run("publish", "--prune");
      expect(code).toBe(1);
      expect(said).toContain('keep it with `slugs: { "/about/": "about-us" }`');
      expect(said).toContain("contact: the site no longer has it, and its slug was changed to kontakt on the service");
      expect([...stranger.world.pages.keys()]).toEqual(expect.arrayContaining(["about-us", "kontakt"]));
    });

    it("leaves a preview's page that somebody gave another slug", async () => {
      const project = await openAtStranger(dialect, OPTIONS);
      const { run, stranger, remove, write } = project;
      expect(await run("publish")).toMatchObject({ code: 0 });
      await write("dist/campaign/index.html", htmlPage("Campaign", "<h1>Campaign</h1>"));
      expect(await run("publish", "--preview", "pr-12")).toMatchObject({ code: 0 });
      stranger.byHand.movePage("preview-pr-12--campaign", "campaign");
      await remove("dist/campaign");
      expect(await run("preview", "remove", "pr-12", "--yes")).toMatchObject({ code: 0 });
      await CI[kept]?.(project);
      expect(await run("publish", "--prune")).toMatchObject({ code: 0 });
      expect(stranger.world.pages.has("campaign")).toBe(true);
    });
  },
);

it.each(HOSTS)("a page is named if somebody renamed it at $name and the lock file is older", async (dialect) => {
  const { run, stranger, root, write, remove, loseState } = await openAtStranger(dialect, OPTIONS);
  expect(await run("publish")).toMatchObject({ code: 0 });
  const lock = await readFile(join(root, "imprint.lock.json"), "utf8");
  await write("dist/offer/index.html", htmlPage("Half price", "<h1>Half price</h1>"));
  expect(await run("publish")).toMatchObject({ code: 0 });
  stranger.byHand.movePage("offer", "spring");
  await remove("dist/offer");
  await write("imprint.lock.json", lock);
  await loseState();
  const said = expect.stringContaining("spring: somebody copied or renamed offer on the service, so it is kept.");
  expect(await run("publish", "--prune")).toMatchObject({ code: 0, said });
  expect(stranger.world.pages.has("spring")).toBe(true);
});
