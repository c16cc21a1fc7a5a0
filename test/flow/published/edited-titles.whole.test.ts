import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { addressOf, openAtService, openAtStranger, send, writesAt } from "./project.ts";

const ABOUT = "dist/about/index.html";
const TITLE = "Who we are & how we work";
const BY_HAND = "Our workshop";
const NOTHING_CHANGED = { code: 0, said: expect.stringContaining("Nothing changed at") };
const ON_HOLD = { code: 1, said: expect.stringContaining(`its title was changed to "${BY_HAND}" on the service`) };
const about = (body: string, title = TITLE) => htmlPage(title.replace("&", "&amp;"), `<h1>About</h1><p>${body}</p>`);

const CASES = [
  { memory: "kept", dialect: dialectA("A as sent") },
  { memory: ".imprint lost", dialect: dialectB("B as sent") },
  { memory: "kept", dialect: dialectB("B escaped", { pages: { keepsTitles: "escaped" } }) },
  { memory: "kept", dialect: dialectA("A with the site's name", { pages: { keepsTitles: "with-site-name" } }) },
  { memory: ".imprint lost", dialect: dialectA("A cut", { pages: { keepsTitles: "cut" } }) },
  { memory: "kept", dialect: dialectA("A, hidden HTML", { pages: { reads: "nothing", visitors: "signed-in" } }) },
  { memory: ".imprint lost", dialect: dialectA("A, tidied HTML", { pages: { keeps: "tidied" } }) },
] as const;

it.each(CASES)(
  "a title changed at the host is on hold in each run: $dialect.name, $memory",
  async ({ dialect, memory }) => {
    const { stranger, run, write, loseState } = await openAtStranger(dialect, { posts: false });
    await write(ABOUT, about("One."));
    await run("publish", "--accept");
    await write(ABOUT, about("Two."));
    expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
    stranger.byHand.retitlePage("about", () => BY_HAND);
    const before = stranger.world.log.length;
    for (const body of ["Two.", "Three.", "Three."]) {
      await write(ABOUT, about(body));
      if (memory !== "kept") await loseState();
      expect(await run("publish", "--accept")).toMatchObject(ON_HOLD);
    }
    expect(writesAt(stranger.world, before)).toEqual([]);
    expect(stranger.world.pages.get("about")?.title).toBe(BY_HAND);
    expect(await run("publish", "--accept", "--adopt")).toMatchObject({ code: 0 });
    expect(stranger.world.pages.get("about")).toMatchObject({ html: expect.stringContaining("Three.") });
    expect(stranger.world.pages.get("about")?.title).not.toBe(BY_HAND);
    expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
  },
);

it("`imprint diff` shows the title, and the page is published once the site has the same title", async () => {
  const { stranger, run, write } = await openAtStranger(dialectA("A plain"), { posts: false });
  await write(ABOUT, about("One."));
  await run("publish");
  stranger.byHand.retitlePage("about", () => BY_HAND);
  const { said } = await run("diff", "about");
  expect(said).toContain(`-title: ${BY_HAND} +title: ${TITLE}`);
  expect(said).not.toContain("-<html");
  await write(ABOUT, about("One.", BY_HAND));
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(stranger.world.pages.get("about")?.html).toContain(`<title>${BY_HAND}</title>`);
});

it("titles to which a host starts to add its name don't count as edits, but later changes do", async () => {
  const { stranger, run, write } = await openAtStranger(dialectB("B plain"), { posts: false });
  await run("publish");
  for (const slug of stranger.world.pages.keys()) stranger.byHand.retitlePage(slug, (title) => `${title} | Acme`);
  stranger.byHand.setRules({ keepsTitles: "with-site-name" });
  expect(await run("publish")).toMatchObject(NOTHING_CHANGED);
  await write(ABOUT, about("One."));
  expect(await run("publish")).toMatchObject({ code: 0 });
  stranger.byHand.retitlePage("index", () => BY_HAND);
  expect(await run("publish")).toMatchObject(ON_HOLD);
});

it.each(["a", "b"] as const)("our own service keeps a title that was changed there: route set %s", async (routeSet) => {
  const { service, run, write } = await openAtService(routeSet, { posts: false });
  await run("publish");
  const host = addressOf(service, "a");
  await send(host, ["PATCH", "/api/pages/about"], JSON.stringify({ title: BY_HAND }));
  await write("dist/index.html", htmlPage("Halden Press", "<h1>Changed</h1>"));
  expect(await run("publish")).toMatchObject(ON_HOLD);
  await write("dist/index.html", htmlPage("Halden Press", "<h1>Changed again</h1>"));
  expect(await run("publish")).toMatchObject(ON_HOLD);
  await write(ABOUT, about("One."));
  expect(await run("publish")).toMatchObject(ON_HOLD);
  expect(await send(host, ["GET", "/api/pages/about"])).toMatchObject({ title: BY_HAND });
});
