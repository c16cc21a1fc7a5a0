import { expect, it } from "vitest";
import { dialectA, dialectB, type Dialect } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger } from "./project.ts";

const THEIRS = htmlPage("Our press", "<h1>Our press</h1><p>A colleague wrote this.</p>");
const DIALECTS = [
  dialectA("A", { pages: { tells: "public-url" } }),
  dialectB("B", { pages: { putBody: "multipart" } }),
  dialectA("A that rewrites HTML", { pages: { keeps: "tidied", tells: "public-url" } }),
];

/** Opens a project at a host where a colleague made pages at some of its slugs. */
async function openWithPages(dialect: Dialect, slugs: readonly string[]) {
  const project = await openAtStranger(dialect, { brandKit: false, posts: { blog: { create: true } } });
  const { byHand, stranger } = { ...project, byHand: project.stranger.byHand };
  for (const slug of slugs) {
    byHand.createPage(slug, "Our press");
    byHand.editPage(slug, () => THEIRS);
  }
  return { ...project, pages: stranger.world.pages };
}

it.each(DIALECTS)(
  "a colleague's page at one of our slugs blocks only ours in a first publish to $name",
  async (dialect) => {
    const { run, pages, stranger } = await openWithPages(dialect, ["about"]);
    for (let runs = 0; runs < 2; runs++) {
      const { code, said } = await run("publish");
      expect({ code, said }).toMatchObject({ code: 1, said: expect.stringMatching(/pages .*1 blocked/) });
      expect(said).toContain("about: the service has a page with this slug that imprint did not publish");
      expect(said).not.toContain("imprint adopt");
      expect(pages.get("about")?.html).toBe(THEIRS);
      expect([...pages.keys()].toSorted()).toEqual(["about", "index", "services-letterpress"]);
      expect([...stranger.world.posts.values()].flat()).toHaveLength(2);
    }
  },
);

it.each([["index"], ["about", "services-letterpress"]])(
  "sends nothing of a first publish if others have %s and more of its slugs",
  async (...slugs) => {
    const { run, pages, stranger } = await openWithPages(dialectA("A"), slugs);
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("nothing of the site is sent") });
    expect(said).not.toContain("imprint adopt");
    expect([...pages.keys()].toSorted()).toEqual([...slugs].toSorted());
    expect([...stranger.world.posts.values()].flat()).toEqual([]);
  },
);

it.each<[string, Dialect["pages"]["reads"]]>([
  ["may be ours after the memory was lost", "html"],
  ["can't be read", "nothing"],
])("sends nothing of a site if a page at one of its slugs %s", async (_why, reads) => {
  const dialect = dialectA("A", { pages: { reads, ...(reads === "nothing" && { visitors: "signed-in" }) } });
  const { run, pages, stranger } = await openWithPages(dialect, ["about"]);
  if (reads === "html") stranger.byHand.retitlePage("about", () => "About");
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("imprint adopt") });
  expect([...pages.keys()]).toEqual(["about"]);
});
