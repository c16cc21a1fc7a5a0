import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dialectA, dialectB, type Dialect } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger } from "./project.ts";

const HIDDEN = { reads: "nothing", visitors: "signed-in" } as const;
const TIMES = { lists: { fields: "times-too" } } as const;
const EITHER = {
  code: 1,
  said: expect.stringContaining("about: it was edited on the service, or another checkout or"),
};

/** A project with records of its first publish, after another checkout published a change. */
async function openStale(dialect: Dialect, old: "lock" | "state") {
  const project = await openAtStranger(dialect, { posts: false });
  const { run, write, root, loseState, stranger } = project;
  const writeAbout = (text: string) => write("dist/about/index.html", htmlPage("About", `<h1>${text}</h1>`));
  const shows = (text: string) => stranger.world.pages.get("about")?.html.includes(`<h1>${text}</h1>`);
  await writeAbout("First");
  await run("publish", "--accept");
  const lock = await readFile(join(root, "imprint.lock.json"), "utf8");
  await cp(join(root, ".imprint"), join(root, "old"), { recursive: true });
  await writeAbout("Elsewhere");
  await run("publish", "--accept");
  await loseState();
  if (old === "lock") await write("imprint.lock.json", lock);
  else await cp(join(root, "old"), join(root, ".imprint"), { recursive: true });
  return { ...project, writeAbout, shows };
}

describe.each([
  { old: "lock", dialect: dialectA("A with times", { pages: HIDDEN, ...TIMES }) },
  { old: "lock", dialect: dialectB("B with times", { pages: { ...HIDDEN, putBody: "multipart" }, ...TIMES }) },
  { old: "lock", dialect: dialectA("A that tidies HTML", { pages: { keeps: "tidied" } }) },
  { old: "state", dialect: dialectA("A with tags", { pages: { ...HIDDEN, tags: "checked" } }) },
  {
    old: "state",
    dialect: dialectB("B with tags", { pages: { ...HIDDEN, putBody: "multipart", tags: "checked" } }),
  },
] as const)("if $dialect.name doesn't show who published a page, an outdated $old", ({ dialect, old }) => {
  it("is reported as a possible reason beside an edit, and the page is kept until it is taken over", async () => {
    const { run, writeAbout, shows } = await openStale(dialect, old);
    await writeAbout("Here");
    for (let times = 0; times < 2; times += 1) {
      expect(await run("publish", "--accept")).toMatchObject(EITHER);
      expect(shows("Elsewhere")).toBe(true);
    }
    expect(await run("publish", "--accept", "--adopt")).toMatchObject({ code: 0 });
    expect(shows("Here")).toBe(true);
  });
});

it("an outdated .imprint blocks nothing if the lock file has the version shown by a host with times", async () => {
  const { run, writeAbout, shows } = await openStale(dialectA("A", { pages: HIDDEN, ...TIMES }), "state");
  await writeAbout("Here");
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
  expect(shows("Here")).toBe(true);
});

describe.each([
  dialectA("A hides HTML", { pages: HIDDEN }),
  dialectB("B hides HTML", { pages: { ...HIDDEN, putBody: "multipart" }, lists: { fields: "few" } }),
  dialectA("A tidies HTML", { pages: { keeps: "tidied" } }),
])("an outdated .imprint beside an up-to-date lock file: $name", (dialect) => {
  it("doesn't prevent a changed page from being sent", async () => {
    const { run, writeAbout, shows } = await openStale(dialect, "state");
    await writeAbout("First");
    expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
    expect(shows("First")).toBe(true);
    expect(await run("publish", "--accept")).toMatchObject({
      code: 0,
      said: expect.stringContaining("Nothing changed"),
    });
  });
});
