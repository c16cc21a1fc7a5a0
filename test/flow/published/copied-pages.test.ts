import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
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
  expect(await run("publish", "--prune")).toMatchObject({ code: 0, said: expect.stringContaining("- offer") });
  expect(stranger.world.pages.has("offer")).toBe(false);
  expect(stranger.world.pages.get("theirs")?.html).toBe(theirs.html);
});
