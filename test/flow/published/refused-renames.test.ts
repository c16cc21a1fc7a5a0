import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { addressOf, deadAddresses, openAtService, openAtStranger, send, type Project } from "./project.ts";
import { takeTurns } from "../../whole.ts";

const TEXT = `<main><h1>Our people</h1><p>Ana sets the type, and Ben prints it.</p></main>`;

async function rename({ write, remove }: Project): Promise<void> {
  await write("dist/crew/index.html", htmlPage("Our people", TEXT));
  await write("dist/about/index.html", htmlPage("About", `<h1>About</h1><p><a href="/crew/">Our people</a></p>`));
  await remove("dist/team");
}

const room = { pages: 4, status: 402, words: "Your plan holds 4 pages. Upgrade at https://acme.example/plans" };

const REFUSALS = [
  { dialect: dialectA("A with a full plan", { pages: { room } }), words: "Your plan holds 4 pages" },
  { dialect: dialectB("B with a full plan", { pages: { room } }), words: "Your plan holds 4 pages" },
  { dialect: dialectA("A with unique titles", { pages: { titles: "unique" } }), words: "exists already" },
  { dialect: dialectB("B with unique titles", { pages: { titles: "unique" } }), words: "exists already" },
] as const;
const inTurn = takeTurns(REFUSALS, 3);

describe.each(REFUSALS)("a renamed page that the host rejects: $dialect.name", (refusal) => {
  const { dialect, words } = refusal;
  const isTurn = inTurn(refusal);

  it.runIf(isTurn())(
    "stays at its old slug, as do pages that would link to it, until the host accepts it",
    async () => {
      const project = await openAtStranger(structuredClone(dialect), { posts: false, prune: true, maxDeleteShare: 1 });
      const { stranger, run, write } = project;
      await write("dist/team/index.html", htmlPage("Our people", TEXT));
      await write("dist/about/index.html", htmlPage("About", `<h1>About</h1><p><a href="/team/">Our people</a></p>`));
      expect(await run("publish")).toMatchObject({ code: 0 });
      await rename(project);
      for (let runs = 0; runs < 2; runs += 1) {
        const { code, said } = await run("publish");
        expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(words) });
        expect(said).toMatch(/team: .{0,80}on hold/);
        expect(said).toMatch(/about: .{0,80}on hold/);
        expect(stranger.world.pages.get("team")?.html).toContain("Ana sets the type");
        expect(stranger.world.pages.get("about")?.html).toContain("/p/team");
        const all = [...stranger.world.pages.keys()].map((slug) => stranger.publicUrl(slug));
        expect(await deadAddresses(all)).toEqual([]);
      }
      stranger.byHand.setRules({ room: undefined, titles: "any" });
      expect(await run("publish")).toMatchObject({ code: 0 });
      expect(stranger.world.pages.get("crew")?.html).toContain("Ana sets the type");
      expect(stranger.world.pages.get("team")?.html).toContain("/p/crew");
      expect(stranger.world.pages.get("about")?.html).toContain("/p/crew");
    },
  );

  it.runIf(isTurn())(
    "stays at its old slug even if it was also edited, so that the rename can't be detected",
    async () => {
      const project = await openAtStranger(structuredClone(dialect), { posts: false, prune: true, maxDeleteShare: 1 });
      const { stranger, run, write, remove } = project;
      await write("dist/team/index.html", htmlPage("Our people", TEXT));
      await run("publish");
      await write("dist/crew/index.html", htmlPage("Our people", TEXT.replace("prints it", "prints it twice")));
      await remove("dist/team");
      for (let runs = 0; runs < 2; runs += 1) {
        const { code, said } = await run("publish");
        expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(words) });
        expect(said).toContain("a new page that may replace it could not be published");
        expect(stranger.world.pages.get("team")?.html).toContain("Ana sets the type");
      }
      stranger.byHand.setRules({ room: undefined, titles: "any" });
      expect(await run("publish")).toMatchObject({ code: 0 });
      expect(stranger.world.pages.get("crew")?.html).toContain("prints it twice");
      expect(stranger.world.pages.has("team")).toBe(false);
    },
  );

  it.runIf(isTurn())("keeps its slug with the option that the report suggests", async () => {
    const project = await openAtStranger(structuredClone(dialect), { posts: false });
    const { stranger, run, write, configure } = project;
    await write("dist/team/index.html", htmlPage("Our people", TEXT));
    await run("publish");
    await rename(project);
    expect((await run("publish")).said).toContain('`slugs: { "/crew/": "team" }`');
    await configure({ posts: false, slugs: { "/crew/": "team" } });
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.pages.get("team")?.html).toContain("Ana sets the type");
    expect(stranger.world.pages.get("about")?.html).toContain("/p/team");
  });
});

describe.each([
  { kind: "renamed", edit: (text: string) => text },
  { kind: "renamed and edited", edit: (text: string) => text.replace("prints it", "prints it twice") },
])("a $kind page whose new slug is taken during a release", ({ kind, edit }) => {
  it("stays at its old slug, as do pages that would link to it, until the new one is free", async () => {
    const project = await openAtService("a", { posts: false, prune: true, maxDeleteShare: 1 });
    const { run, write, remove, service } = project;
    const read = async (slug: string) => (await fetch(`${service.pagesUrl}/p/${slug}`)).text();
    await write("dist/team/index.html", htmlPage("Our people", TEXT));
    await write("dist/about/index.html", htmlPage("About", `<h1>About</h1><p><a href="/team/">Our people</a></p>`));
    expect(await run("publish")).toMatchObject({ code: 0 });
    const address = addressOf(service, "a");
    const html = "<!doctype html><title>Crew</title><h1>Crew</h1>";
    await send(address, ["PUT", "/api/pages/crew"], JSON.stringify({ title: "Crew", html }));
    await rename(project);
    await write("dist/crew/index.html", htmlPage("Our people", edit(TEXT)));
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("crew") });
    if (kind === "renamed") expect(said).toMatch(/team: .{0,80}on hold/);
    expect(await read("team")).toContain("Ana sets the type");
    if (kind === "renamed") expect(await read("about")).toContain("/p/team");
    await remove("dist/crew");
    await send(address, ["DELETE", "/api/pages/crew"]);
    await write("dist/crew/index.html", htmlPage("Our people", edit(TEXT)));
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(await read("crew")).toContain("Ana sets the type");
    expect(await read("about")).toContain("/p/crew");
  });
});
