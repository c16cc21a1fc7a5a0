import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { API_KEY } from "../../strangers/host.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, openProject } from "./project.ts";

const OPTIONS = { posts: false, brandKit: false };
const OPENS_LATER = { visitors: "by form", shownAt: "/{slug}", shownOn: "api-port" } as const;
const home = (version: string) => htmlPage("Home", `<h1>Home ${version}</h1>`);

it.each(["signed-in", "by form"] as const)(
  "at a host that shows pages to members only (%s), a checkout sends its version over the one that the lock file names",
  async (visitors) => {
    const dialect = dialectB("B", { pages: { putBody: "multipart", reads: "no-route", visitors } });
    const first = await openAtStranger(dialect, OPTIONS);
    const { pages } = first.stranger.world;
    await first.write("dist/index.html", home("v1"));
    expect(await first.run("publish", "--accept")).toMatchObject({ code: 0 });
    const second = await openProject({ baseUrl: first.stranger.baseUrl, apiKey: API_KEY }, OPTIONS);
    const pull = () => cp(join(first.root, "imprint.lock.json"), join(second.root, "imprint.lock.json"));
    await second.write("dist/index.html", home("v1"));
    await pull();
    expect(await second.run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
    await first.write("dist/index.html", home("v2"));
    await first.run("publish");
    expect(pages.get("index")?.html).toContain("Home v2");
    await pull();
    expect((await second.run("publish")).said).toContain("1 updated");
    expect(pages.get("index")?.html).toContain("Home v1");
  },
);

it("a site that opens after it was accepted to be closed gets links to where its pages are", async () => {
  const dialect = dialectA("A opens later", { pages: OPENS_LATER });
  const { run, stranger, write } = await openAtStranger(dialect, { posts: false });
  await write("dist/about/index.html", htmlPage("About", '<a href="/">Home</a>'));
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("imprint doesn't know where") });
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
  stranger.byHand.setRules({ visitors: "all" });
  expect(await run("publish")).toMatchObject({ code: 0 });
  const { pages } = stranger.world;
  expect(pages.get("about")?.html).toMatch(/href="(?:https?:[^"]*)?\/index"/);
  expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
});
