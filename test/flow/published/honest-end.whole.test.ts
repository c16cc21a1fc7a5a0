import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import {
  addressOf,
  openAtService,
  openAtStranger,
  openBehindProxy,
  openProject,
  send,
  writesAt,
  writesOf,
  type Project,
} from "./project.ts";

const NOTHING_CHANGED = { code: 0, said: expect.stringContaining("Nothing changed at") };
const OTHER_CSS = ":root{--color-brand:#0a4f7a}body{font-family:Georgia,serif;background:url(/paper.png)}";

async function paintBlue({ write, root }: Project): Promise<void> {
  await write("dist/_astro/site.css", OTHER_CSS);
  for (const page of ["dist/index.html", "dist/about/index.html", "dist/services/letterpress/index.html"]) {
    await write(page, (await readFile(join(root, page), "utf8")).replace("#7a1f2b", "#0a4f7a"));
  }
}

describe("a changed brand kit in route set B", () => {
  it("is attached to the site by the next publish, and the run after that changes nothing", async () => {
    const { service, ...project } = await openAtService("b");
    const host = addressOf(service, "a");
    await project.run("publish");
    await paintBlue(project);
    expect(await project.run("publish")).toMatchObject({ code: 0, said: expect.not.stringContaining("blocked") });
    const sites: unknown = await send(host, ["GET", "/api/sites"]);
    expect(sites).toMatchObject({ data: [{ brandKitId: expect.stringMatching(/^bk_/) }] });
    const id = /"brandKitId":"(bk_\w+)"/.exec(JSON.stringify(sites))?.[1] ?? "";
    const kit = JSON.stringify(await send(host, ["GET", `/api/brand-kits/${id}`]));
    expect(kit).toContain("#0a4f7a");
    expect(kit).not.toContain("#7a1f2b");
    expect(await project.run("publish")).toMatchObject(NOTHING_CHANGED);
  });

  it("is attached to the site at an independent host, too", async () => {
    const { stranger, ...project } = await openAtStranger(dialectB("B plain"));
    await project.run("publish");
    await paintBlue(project);
    expect(await project.run("publish")).toMatchObject({ code: 0 });
    const [site] = [...stranger.world.sites.values()];
    const kit = stranger.world.brandKits.get(String(site?.fields["brandKitId"]));
    expect(JSON.stringify(kit?.fields)).toContain("#0a4f7a");
    const before = stranger.world.log.length;
    expect(await project.run("publish")).toMatchObject(NOTHING_CHANGED);
    expect(writesAt(stranger.world, before)).toEqual([]);
  });
});

describe.each([dialectA("A plain"), dialectB("B plain")])("the account's library at $name", (dialect) => {
  it("contains no probe file after a publish", async () => {
    const { stranger, run } = await openAtStranger(dialect);
    expect(await run("publish")).toMatchObject({ code: 0 });
    const names = [...stranger.world.assets.values()].map(({ name }) => name);
    expect(names.filter((name) => name.includes("probe"))).toEqual([]);
    expect(names.filter((name) => !/^(?:photo|logo|paper|favicon|site)\./.test(name))).toEqual([]);
  });
});

describe.each(["a", "b"] as const)("the library of our own service, route set %s", (routeSet) => {
  it("contains no probe file after a publish", async () => {
    const { service, run } = await openAtService(routeSet);
    await run("publish");
    const list = JSON.stringify(await send(addressOf(service, "a"), ["GET", "/api/library"]));
    expect(list).toContain("photo.");
    expect(list).not.toContain("imprint-probe");
  });
});

describe("the end of a run", () => {
  it("reports that nothing was published and exits with 1 if every page was blocked", async () => {
    const { stranger, run } = await openAtStranger(dialectA("A plain"));
    for (const slug of ["index", "about", "services-letterpress"]) stranger.byHand.createPage(slug, `By hand: ${slug}`);
    const pages = structuredClone([...stranger.world.pages]);
    const { code, said } = await run("publish");
    expect(code).toBe(1);
    expect(said).toContain("Nothing could be published to");
    expect(said).not.toContain("Published to");
    expect(said).toContain("`adopt: true`");
    expect([...stranger.world.pages]).toEqual(pages);
  });

  it("exits with 1 in every run if all pages were edited on the service, and keeps the edits", async () => {
    const { stranger, run, write } = await openAtStranger(dialectA("A plain"));
    await run("publish");
    const slugs = ["index", "about", "services-letterpress"];
    for (const slug of slugs) stranger.byHand.editPage(slug, (html) => html.replace("<h1>", "<h1>Edited: "));
    await write("dist/_astro/site.css", OTHER_CSS);
    const { code, said } = await run("publish");
    expect(code).toBe(1);
    expect(said).toContain("pages 3 blocked");
    expect(said).not.toContain("Published to");
    expect(await run("publish")).toMatchObject({ code: 1, said: expect.not.stringContaining("Published to") });
    for (const slug of slugs) expect(stranger.world.pages.get(slug)?.html).toContain("<h1>Edited: ");
  });

  it.each([
    dialectA("A no uploads", { areas: { upload: { status: 402, words: "No library." } } }),
    dialectA("A without SVG", { library: { takes: "no-svg" } }),
    dialectB("B no brand kits", { areas: { brandKits: { status: 403, words: "Not in your plan." } } }),
    dialectB("B images without SVG", { library: { takes: "no-svg" } }),
    dialectA("A no HTML shown", { pages: { reads: "nothing" }, lists: { fields: "few" } }),
  ])("`imprint doctor` reports no problem where publishing succeeds: $name", async (dialect) => {
    const { run } = await openAtStranger(dialect);
    expect(await run("doctor")).toMatchObject({ code: 0, said: expect.stringContaining("prevents a publish") });
    expect(await run("publish")).toMatchObject({ code: 0 });
    expect(await run("doctor")).toMatchObject({ code: 0, said: expect.not.stringContaining("to fix before") });
  });

  it("`imprint doctor` warns of a key that may not write, in the host's words", async () => {
    const { proxy, run } = await openBehindProxy(dialectA("A with a key to read"));
    proxy.meddle(({ method, path, answer }) => {
      if (method === "GET" || !path.startsWith("/api/")) return undefined;
      answer.writeHead(403, { "content-type": "application/json" }).end('{"error":"This key can only read"}');
      return Promise.resolve();
    });
    const { said } = await run("doctor");
    expect(said).toContain('sent with this key: the library refuses them (403 "This key can only read")');
    expect(said).toContain("A read-only key can't publish");
    expect(said).not.toContain("You can publish");
  });

  it("`imprint doctor` counts the problems that prevent publishing", async () => {
    const { stranger } = await openAtStranger(dialectA("A plain"));
    const { run } = await openProject({ baseUrl: stranger.baseUrl, apiKey: "another-key" });
    expect(await run("doctor")).toMatchObject({
      code: 1,
      said: expect.stringContaining("1 problem to fix before you can publish."),
    });
    expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("KEY_REJECTED") });
  });
});

/** An address with a different server. */
async function openOther(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

describe("an address with a different server", () => {
  it.each([
    {
      what: "a shop",
      status: 200,
      type: "text/html",
      body: "<!doctype html><h1>A shop</h1>",
      errorCode: "SERVICE_WRONG_ADDRESS",
    },
    {
      what: "a not-found page",
      status: 404,
      type: "text/html",
      body: "<!doctype html><h1>Not found</h1>",
      errorCode: "SERVICE_WRONG_ADDRESS",
    },
    {
      what: "another API",
      status: 404,
      type: "application/json",
      body: `{"message":"no Route matched"}`,
      errorCode: "SERVICE_WRONG_ADDRESS",
    },
    {
      what: "an API with objects instead of lists",
      status: 200,
      type: "application/json",
      body: `{"hello":"world"}`,
      errorCode: "SERVICE_WRONG_ADDRESS",
    },
    {
      what: "truncated JSON",
      status: 200,
      type: "application/json",
      body: `{"data":[{"id":"pg_1","sl`,
      errorCode: "RESPONSE_UNREADABLE",
    },
    {
      what: "a list of other values",
      status: 200,
      type: "application/json",
      body: `{"data":[1,2,3]}`,
      errorCode: "SERVICE_WRONG_ADDRESS",
    },
  ])(
    "$what causes a clear error with the address, exit code 1, and no write",
    async ({ status, type, body, errorCode }) => {
      const methods: (string | undefined)[] = [];
      const baseUrl = await openOther(({ method }, response) => {
        methods.push(method);
        response.writeHead(status, { "content-type": type }).end(body);
      });
      const { run } = await openProject({ baseUrl, apiKey: "a-key-0123456789" });
      const { code, said } = await run("publish");
      expect(code).toBe(1);
      expect(said).toContain(errorCode);
      expect(said).toContain(baseUrl);
      expect(methods.filter((method) => method !== "GET" && method !== "HEAD")).toEqual([]);
    },
  );

  it("a server that replaces a host after the first publish gets nothing, and the lock file stays", async () => {
    const { service, ...project } = await openAtService("a");
    await project.run("publish");
    const since = new Date();
    const baseUrl = await openOther((_, response) => response.writeHead(200, { "content-type": "text/html" }).end("x"));
    expect(await project.run("publish", "--service", baseUrl)).toMatchObject({
      code: 1,
      said: expect.stringContaining("SERVICE_WRONG_ADDRESS"),
    });
    expect(writesOf(service, since)).toEqual([]);
    expect(await project.run("publish")).toMatchObject(NOTHING_CHANGED);
  });
});
