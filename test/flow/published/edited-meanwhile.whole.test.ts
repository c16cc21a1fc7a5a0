import { describe, expect, it, onTestFinished } from "vitest";
import { startProxy } from "../../faults/proxy.ts";
import { dialectA, dialectB, type Dialect } from "../../strangers/dialect.ts";
import { API_KEY, startStranger, type Stranger } from "../../strangers/host.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, openProject, writesAt } from "./project.ts";
import { takeTurns } from "../../whole.ts";

const ABOUT = "dist/about/index.html";
const OLD = "dist/old/index.html";
const BY_HAND = "Written by hand";
const NOTHING_CHANGED = { code: 0, said: expect.stringContaining("Nothing changed at") };
const ON_HOLD = { code: 1, said: expect.stringContaining("about: it was edited on the service") };
const about = (body: string) => htmlPage("About", `<h1>About</h1><p>${body}</p>`);
const editByHand = ({ byHand }: Stranger) =>
  byHand.editPage("about", (html) => html.replace("</h1>", ` ${BY_HAND}</h1>`));
const MULTIPART = { putBody: "multipart", tags: "checked" } as const;

const HOSTS = [
  dialectA("A with tags", { pages: { tags: "checked" } }),
  dialectA("A with tags and times", { pages: { tags: "checked" }, lists: { fields: "times-too" } }),
  dialectA("A that tidies HTML", { pages: { tags: "checked", keeps: "tidied" } }),
  dialectA("A that demands tags", { pages: { tags: "required" } }),
  dialectB("B with tags", { pages: MULTIPART }),
  dialectB("B with tags, PUT answers 204", { pages: { ...MULTIPART, updated: 204 }, lists: { fields: "few" } }),
  dialectB("B that demands tags", { pages: { ...MULTIPART, tags: "required" } }),
  dialectA("A that demands weak tags", { pages: { tags: "weak-required" }, lists: { fields: "times-too" } }),
  dialectB("B that demands weak tags", { pages: { ...MULTIPART, tags: "weak-required" } }),
] as const;

/** A project with one more page, published behind a proxy that calls `meanwhile` before the first change of `about`. */
async function openBehindProxy(dialect: Dialect) {
  const stranger = await startStranger(dialect);
  onTestFinished(() => stranger.close());
  const proxy = await startProxy(stranger.baseUrl, { pagesUrl: stranger.pagesBase });
  onTestFinished(() => proxy.close());
  const project = await openProject({ baseUrl: proxy.url, apiKey: API_KEY }, { posts: false, prune: true });
  await project.write(ABOUT, about("One."));
  await project.write(OLD, htmlPage("Old", "<h1>Old</h1>"));
  await project.run("publish", "--accept");
  return {
    ...{ ...project, stranger },
    before(request: string, meanwhile: () => void) {
      let isDone = false;
      proxy.meddle(({ method, path }) => {
        if (!isDone && `${method} ${path}` === request) meanwhile();
        isDone ||= `${method} ${path}` === request;
        return undefined;
      });
    },
    html: () => stranger.world.pages.get("about")?.html,
  };
}

async function expectKeptEdit(dialect: Dialect): Promise<void> {
  const { stranger, run, write, before, html } = await openBehindProxy(dialect);
  await write(ABOUT, about("Two."));
  before("PUT /api/pages/about", () => editByHand(stranger));
  for (let times = 0; times < 2; times += 1) {
    expect(await run("publish", "--accept")).toMatchObject(ON_HOLD);
    expect(html()).toContain(BY_HAND);
  }
  expect(await run("publish", "--accept", "--adopt")).toMatchObject({ code: 0 });
  expect(html()).toContain("Two.");
  expect(html()).not.toContain(BY_HAND);
  expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
}

const inTurn = takeTurns(HOSTS, 4);

describe.each(HOSTS)("a page of $name that changes between the check and the write", (dialect) => {
  const isTurn = inTurn(dialect);

  it.runIf(isTurn())("keeps an edit, which each run reports until it is taken over", () => expectKeptEdit(dialect));

  it.runIf(isTurn())("keeps a title", async () => {
    const { stranger, run, write, before } = await openBehindProxy(dialect);
    await write(ABOUT, about("Two."));
    before("PUT /api/pages/about", () => stranger.byHand.retitlePage("about", () => BY_HAND));
    const { code, said } = await run("publish", "--accept");
    const isListed = dialect.lists.fields !== "few";
    expect({ code, title: stranger.world.pages.get("about")?.title }).toEqual(
      isListed ? { code: 1, title: BY_HAND } : { code: 0, title: "About" },
    );
    if (isListed) expect(said).toContain(`about: its title was changed to "${BY_HAND}" on the service`);
  });

  it.runIf(isTurn())("is sent if nobody edited it, or someone deleted it", async () => {
    const { stranger, run, write, before, html } = await openBehindProxy(dialect);
    await write(ABOUT, about("Two."));
    before("PUT /api/pages/about", () => stranger.byHand.editPage("about", (same) => same));
    expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
    expect(html()).toContain("Two.");
    await write(ABOUT, about("Three."));
    before("PUT /api/pages/about", () => stranger.byHand.deletePage("about"));
    expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
    expect(html()).toContain("Three.");
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
  });

  it.runIf(isTurn())("isn't deleted if it was edited", async () => {
    const { stranger, run, remove, before } = await openBehindProxy(dialect);
    await remove("dist/old");
    before("DELETE /api/pages/old", () => stranger.byHand.editPage("old", (html) => html.replace("Old", BY_HAND)));
    for (let times = 0; times < 2; times += 1) {
      const { said } = await run("publish", "--accept");
      expect(said).toContain("old: the site no longer has it, but it was edited on the service");
      expect(said).toContain(" pages 3 unchanged · 1 not deleted ");
    }
    expect(stranger.world.pages.get("old")?.html).toContain(BY_HAND);
  });
});

const HIDDEN = { reads: "nothing", visitors: "signed-in" } as const;

describe.each([
  dialectA("A with tags", { pages: { ...HIDDEN, tags: "checked" } }),
  dialectA("A that demands tags", { pages: { ...HIDDEN, tags: "required" } }),
  dialectB("B with tags", { pages: { ...MULTIPART, ...HIDDEN }, lists: { fields: "few" } }),
])("an edited page of $name, which hides HTML", (dialect) => {
  // Tags that are only required are read before each write, so only later edits are detected.
  const times = dialect.pages.tags === "required" ? ["during a run"] : ["during a run", "before a run"];

  it.each(times)("stays in each run until it is taken over: %s", async (time) => {
    const { stranger, run, write, before, html } = await openBehindProxy(dialect);
    await write(ABOUT, about("Two."));
    if (time === "during a run") before("PUT /api/pages/about", () => editByHand(stranger));
    else editByHand(stranger);
    for (let times = 0; times < 3; times += 1) {
      expect(await run("publish", "--accept")).toMatchObject(ON_HOLD);
      expect(html()).toContain(BY_HAND);
    }
    expect(await run("publish", "--accept", "--adopt")).toMatchObject({ code: 0 });
    expect(html()).toContain("Two.");
    await write(ABOUT, about("Three."));
    expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
    expect(html()).toContain("Three.");
    expect(await run("publish", "--accept")).toMatchObject(NOTHING_CHANGED);
  });
});

const TIMES = { fields: "times-too" } as const;

it.each([
  dialectA("A that shows times", { lists: TIMES }),
  dialectA("A that shows times and adds a script to each page", { lists: TIMES, pages: { shows: "statistics-too" } }),
  dialectB("B that shows times", { lists: TIMES }),
])("an edit that $name doesn't list yet stays, also of a page that the site no longer has", async (dialect) => {
  const { stranger, run, write, remove } = await openAtStranger(dialect, { posts: false, prune: true });
  await write(OLD, htmlPage("Old", "<h1>Old</h1>"));
  await run("publish", "--accept");
  await run("publish", "--accept");
  stranger.byHand.cachePages();
  editByHand(stranger);
  stranger.byHand.editPage("old", (html) => html.replace("</h1>", ` ${BY_HAND}</h1>`));
  await write(ABOUT, about("Two."));
  await remove("dist/old");
  for (let times = 0; times < 2; times += 1) {
    expect(await run("publish", "--accept")).toMatchObject(ON_HOLD);
    for (const slug of ["about", "old"]) expect(stranger.world.pages.get(slug)?.html).toContain(BY_HAND);
  }
});

it.each(HOSTS)("pages are updated and deleted at $name, with and without memory", async (dialect) => {
  const { stranger, run, write, remove, loseState } = await openAtStranger(dialect, { posts: false, prune: true });
  await write(OLD, htmlPage("Old", "<h1>Old</h1>"));
  await run("publish", "--accept");
  const before = stranger.world.log.length;
  for (const body of ["Two.", "Three."]) {
    await write(ABOUT, about(body));
    expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
    expect(stranger.world.pages.get("about")?.html).toContain(body);
    await loseState();
  }
  await remove("dist/old");
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
  expect(stranger.world.pages.has("old")).toBe(false);
  // That a host demands weak tags is learned from one refusal.
  const refused = stranger.world.log.slice(before).filter(({ status }) => status >= 412);
  expect(refused.map(({ status }) => status)).toEqual(dialect.pages.tags === "weak-required" ? [428] : []);
});

it.each(["none", "weak"] as const)("a host with tags: %s gets no conditional requests", async (tags) => {
  const { stranger, run, write } = await openAtStranger(dialectA("A", { pages: { tags } }), { posts: false });
  await run("publish");
  await write(ABOUT, about("Two."));
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(stranger.world.log.filter(({ ifMatch }) => ifMatch !== null)).toEqual([]);
});

describe.each([
  dialectA("A", { pages: { tags: "version" } }),
  dialectB("B", { pages: { ...MULTIPART, tags: "version" } }),
])("$name, whose pages are changed with their version in the body", (dialect) => {
  it("refuses one change, and gets the version from then on", async () => {
    const { stranger, run, write, loseState } = await openAtStranger(dialect, { posts: false });
    await run("publish");
    for (const body of ["Two.", "Three.", "Four."]) {
      await write(ABOUT, about(body));
      expect(await run("publish")).toMatchObject({ code: 0 });
      expect(stranger.world.pages.get("about")?.html).toContain(body);
      await loseState();
    }
    const refused = stranger.world.log.filter(({ method, words }) => method === "PUT" && words?.includes("version"));
    expect(refused).toHaveLength(1);
  });

  it("keeps an edit, which each run reports until it is taken over", () => expectKeptEdit(dialect));
});

it("says what to do if a host demands versions that its lists don't show", async () => {
  const dialect = dialectA("A", { pages: { tags: "version" }, lists: { fields: "few" } });
  const { run, write } = await openAtStranger(dialect, { posts: false });
  await run("publish");
  await write(ABOUT, about("Two."));
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 1 });
  expect(said).toContain("version is required to change a page");
  expect(said).toContain(`doesn't show the version of "about"`);
});

it("a host that compares tags with something else gets the page without conditions", async () => {
  const dialect = dialectA("A", { pages: { tags: "unmatched" } });
  const { stranger, run, write } = await openAtStranger(dialect, { posts: false });
  await run("publish");
  const before = stranger.world.log.length;
  for (const body of ["Two.", "Three."]) {
    await write(ABOUT, about(body));
    expect(await run("publish")).toMatchObject({ code: 0 });
  }
  expect(writesAt(stranger.world, before)).toEqual(Array.from({ length: 3 }, () => "PUT /api/pages/about"));
});
