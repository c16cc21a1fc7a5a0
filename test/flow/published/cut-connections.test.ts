import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openBehindProxy } from "./project.ts";

const OPTIONS = { posts: false, brandKit: false };

it.each([dialectA("A"), dialectB("B", { pages: { putBody: "multipart" } })])(
  "at $name, a proxy that closes the connection on one large page doesn't keep back the others",
  async (dialect) => {
    const { stranger, proxy, run, write } = await openBehindProxy(dialect, OPTIONS);
    const large = (text: string) => htmlPage("About", `<h1>About</h1>${`<p>${text} and more of it</p>`.repeat(2000)}`);
    await write("dist/about/index.html", large("first"));
    proxy.meddle(({ method, bytes, answer }) => {
      if (method === "GET" || bytes < 40_000) return undefined;
      answer.destroy();
      return Promise.resolve();
    });
    const said = expect.stringMatching(/x about[^:]*: .*may be too large for it \(\d+ kB\)/);
    expect(await run("publish")).toMatchObject({ code: 1, said });
    await write("dist/about/index.html", large("second"));
    await write("dist/services/letterpress/index.html", htmlPage("Letterpress", "<h1>Letterpress anew</h1>"));
    expect(await run("publish")).toMatchObject({ code: 1, said });
    expect(stranger.world.pages.get("services-letterpress")?.html).toContain("Letterpress anew");
    proxy.meddle(() => undefined);
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.pages.get("about")?.html).toContain("second");
  },
);

it.each([
  { dialect: dialectA("A"), moment: "after" },
  { dialect: dialectB("B", { pages: { putBody: "multipart" } }), moment: "after" },
  { dialect: dialectB("B", { pages: { putBody: "multipart" } }), moment: "before" },
])("at $dialect.name, a connection that breaks $moment a small page is stored", async ({ dialect, moment }) => {
  const { stranger, proxy, run, write } = await openBehindProxy(dialect, OPTIONS);
  expect(await run("publish")).toMatchObject({ code: 0 });
  await write("dist/prices/index.html", htmlPage("Prices", "<h1>Prices</h1>"));
  let broken = 0;
  proxy.meddle(({ method, path, answer, forward }) => {
    const isFirst = method !== "GET" && path.startsWith("/api/pages") && broken < (moment === "after" ? 1 : 99);
    if (!isFirst) return undefined;
    broken += 1;
    return (moment === "after" ? forward() : Promise.resolve()).then(() => void answer.destroy());
  });
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: moment === "after" ? 0 : 1 });
  expect(said).not.toContain("too large");
  if (moment === "before") expect(said).toMatch(/x prices: .*broke during POST/);
  expect(stranger.world.pages.has("prices")).toBe(moment === "after");
});

it.each([dialectA("A"), dialectB("B", { library: { takes: "all" }, pages: { putBody: "multipart" } })])(
  "a library that once redirected uploads to its sign-in page at $name is asked again by the next run",
  async (dialect) => {
    const { stranger, proxy, run } = await openBehindProxy(dialect, OPTIONS);
    proxy.meddle(({ method, path, answer }) => {
      if (method !== "POST" || !/\/(?:library|assets\/upload)$/.test(path)) return undefined;
      answer.writeHead(302, { location: "/login" }).end();
      return Promise.resolve();
    });
    await run("publish");
    expect(stranger.world.assets.size).toBe(0);
    proxy.meddle(() => undefined);
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(stranger.world.assets.size).toBeGreaterThan(2);
    expect(stranger.world.pages.get("index")?.html).not.toContain("data:image/png");
  },
);

it.each([dialectA("A"), dialectB("B", { pages: { putBody: "multipart" } })])(
  "a brand kit that $name created before the run ended isn't created again without .imprint/",
  async (dialect) => {
    const { stranger, proxy, run, loseState } = await openBehindProxy(dialect, { posts: false });
    proxy.meddle(({ method, path, answer }) => {
      // The kit is attached to the site next.
      if (!/^(?:PATCH|PUT) \/api\/sites\//.test(`${method} ${path}`)) return undefined;
      answer.writeHead(400, { "content-type": "application/json" }).end('{"message":"No."}');
      return Promise.resolve();
    });
    expect((await run("publish")).said).toContain("No.");
    proxy.meddle(() => undefined);
    await loseState();
    // Somebody gave it another name, by which it would be found.
    for (const [id, kit] of stranger.world.brandKits) {
      stranger.world.brandKits.set(id, { ...kit, fields: { ...kit.fields, name: "House colors" } });
    }
    await run("publish");
    expect(stranger.world.brandKits.size).toBe(1);
  },
);

it("a change of the site whose response is cut is sent again, as it changes nothing more", async () => {
  const { proxy, run, stranger } = await openBehindProxy(dialectA("A"), { posts: false });
  let isCut = false;
  proxy.meddle(({ method, path, answer, forward }) => {
    if (isCut || method !== "PATCH" || !path.startsWith("/api/sites/")) return undefined;
    isCut = true;
    return forward().then(() => void answer.destroy());
  });
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(isCut).toBe(true);
  expect(stranger.world.brandKits.size).toBe(1);
});

it("a run doesn't say that nothing was changed if the response to its first change is cut", async () => {
  const { proxy, run, stranger } = await openBehindProxy(dialectA("A"), OPTIONS);
  proxy.meddle(({ method, answer, forward }) =>
    method === "GET" ? undefined : forward().then(() => void answer.destroy()),
  );
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("No change was confirmed;") });
  expect(said).not.toContain("Nothing had been changed");
  proxy.meddle(() => undefined);
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(stranger.world.sites.size).toBe(1);
});
