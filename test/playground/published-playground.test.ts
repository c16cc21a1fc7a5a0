import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toBrandKit } from "../../src/brand/kit.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { findBrand } from "../../src/sync/brand/desired-brand.ts";
import { startService, type RunningService } from "../../src/service.ts";
import { openBrowser } from "../browser.ts";
import { IS_WHOLE, sampleOf } from "../whole.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

interface Visit {
  readonly address: string;
  readonly status: number;
  readonly failedRequests: readonly string[];
  readonly consoleProblems: readonly string[];
  readonly undecodedImages: readonly string[];
  readonly links: readonly string[];
  readonly hasIsland: boolean;
}

const ROUTE_SETS = sampleOf(["a", "b"] as const, (routeSet) => routeSet === "a");

describe.each(ROUTE_SETS)("the playground, published to route set %s", (routeSet) => {
  let service: RunningService;
  let reader: BrowserContext;
  let slugs: readonly string[];
  let output: string;
  let visits: readonly Visit[];
  let laterMs = 0;
  // The content is the same in both route sets, except for files that B's library rejects.
  const isOpened = routeSet === "a" || IS_WHOLE;

  beforeAll(async () => {
    const now = () => new Date(Date.now() + laterMs);
    service = await startService({ ephemeral: true, port: 0, pagesPort: 0, allowNetworks: ["127.0.0.0/8"], now });
    output = await publishPlayground(service, routeSet);
    reader = await (await openBrowser()).newContext();
    slugs = await listSlugs(service);
    visits = isOpened ? await visitAll(reader, addressesOf(service, slugs)) : [];
  });

  afterAll(async () => {
    await reader?.close();
    await service?.close();
    await rm(new URL("../../playground/.imprint/memory.sqlite", import.meta.url), { recursive: true, force: true });
  });

  it("has every page of the site", () => {
    expect(slugs).toEqual(
      expect.arrayContaining(["index", "about", "contact", "work", "blog", "services-letterpress"]),
    );
    expect(slugs.length).toBeGreaterThanOrEqual(16);
  });

  it.runIf(isOpened)("shows every page without a failed request, a console error, or a broken image", () => {
    expect(visits.map(({ address }) => address)).toEqual(addressesOf(service, slugs));
    expect(visits.filter((visit) => visit.status !== 200)).toEqual([]);
    expect(visits.flatMap((visit) => visit.failedRequests)).toEqual([]);
    expect(visits.flatMap((visit) => visit.consoleProblems)).toEqual([]);
    expect(visits.flatMap((visit) => visit.undecodedImages)).toEqual([]);
  });

  it("links from every page only to published pages", async () => {
    const pages = addressesOf(service, slugs);
    const found = isOpened ? visits.map((visit) => visit.links) : await Promise.all(pages.map(readLinks));
    const links = new Set(found.flat().filter((link) => link.startsWith(service.pagesUrl)));
    expect(links.size).toBeGreaterThan(10);
    const dead: string[] = [];
    for (const link of links) if (!(await fetch(link)).ok) dead.push(link.slice(service.pagesUrl.length));
    // Route set B's library accepts only images: other files aren't published, which is reported.
    const expected = routeSet === "a" ? [] : ["/downloads/price-list-2026.pdf", "/rss.xml"];
    expect(dead.sort()).toEqual(expected);
    for (const path of expected) expect(output).toContain(path.slice(1));
  });

  it.runIf(isOpened)("has an island that reacts to a click", async () => {
    const page = await openIsland(reader, visits);
    const island = page.getByTestId("island").first();
    const before = await island.innerText();
    await island.getByRole("button").last().click();
    await expect.poll(() => island.innerText()).not.toBe(before);
    await page.close();
  });

  it.runIf(isOpened)(
    "produces the same brand kit from the folder, from its address, and from the service's extraction",
    async () => {
      const home = `${service.pagesUrl}/p/index`;
      const json = (place: string) => runBrand("export", "--format", "json", place);
      const fromFolder = withoutAddresses(await json("playground/dist"));
      expect(fromFolder).toContain('"#0d4658"');
      expect(withoutAddresses(await json(home))).toBe(fromFolder);

      const extracted = await fetch(`${service.baseUrl(routeSet)}/api/brand-kits/extract`, {
        method: "POST",
        headers: { authorization: `Bearer ${service.apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ url: home }),
      });
      const { findings } = await findBrand(fileURLToPath(new URL("../../playground/dist", import.meta.url)));
      const expected = JSON.stringify(toBrandKit(findings));
      expect(withoutAddresses(await extracted.text())).toBe(withoutAddresses(expected));
    },
  );

  it("doesn't publish its draft and its scheduled post", async () => {
    expect(slugs.filter((slug) => /guillotine|2090|hundred-cards/.test(slug))).toEqual([]);
    for (const path of ["/blog/blog", "/p/blog"]) {
      expect(await (await fetch(service.pagesUrl + path)).text()).not.toMatch(/guillotine|2090|hundred-cards/);
    }
  });

  it.runIf(isOpened)("shows the blog with its posts and their images", async () => {
    const blog = await fetch(`${service.pagesUrl}/blog/blog`);
    expect(blog.status).toBe(200);
    const html = await blog.text();
    const hrefs = [...html.matchAll(/href="([^"]*\/blog\/blog\/[^"]+)"/g)].map(([, href]) => href ?? "");
    const posts = hrefs.map((href) => new URL(href, blog.url).href);
    expect(new Set(posts).size).toBeGreaterThanOrEqual(8);
    const seen = await visitAll(reader, [...new Set(posts)]);
    expect(seen.flatMap((visit) => [...visit.failedRequests, ...visit.undecodedImages])).toEqual([]);
  });

  if (routeSet === "b") return;

  it("has a complete preview: links from its home page stay in it and reach every page", async () => {
    const argv = ["dist/cli.js", "publish", "--root", "playground", "--preview", "pr-12"];
    await runTool(process.execPath, argv, { service, routeSet });
    const ofPreview = (await listSlugs(service)).filter((slug) => slug.startsWith("preview-pr-12--"));
    expect(ofPreview).toHaveLength(slugs.length);
    // One address can send only so many analytics messages per minute.
    laterMs = 60_000;
    const reached = new Set([`${service.pagesUrl}/p/preview-pr-12--index`]);
    for (const address of reached) {
      const links = reached.size === 1 || IS_WHOLE ? await openSound(reader, address) : await readLinks(address);
      for (const link of links) if (link.startsWith(`${service.pagesUrl}/p/`)) reached.add(link);
    }
    // Nothing links to the 404 page.
    const linked = ofPreview.filter((slug) => slug !== "preview-pr-12--404");
    expect([...reached].toSorted()).toEqual(addressesOf(service, linked).toSorted());
  });
});

async function runBrand(...args: readonly string[]): Promise<string> {
  let text = "";
  const stream = { write: (part: string) => (text += part) };
  const code = await runCli(["brand", ...args], { cwd: repository, environment: {}, out: stream, error: stream });
  expect(code).toBe(0);
  return text;
}

/** Published files have other addresses, with a hash in their names. */
function withoutAddresses(kit: string): string {
  return kit.replaceAll(
    /https?:\/\/[^"]*\/([^"/]+)"/g,
    (_, name: string) => `${name.replace(/\.[0-9a-z]{8}\.[0-9a-f]{16}(?=\.)/, "")}"`,
  );
}

// The build publishes to the first route set; its output is published to the other one unchanged.
function publishPlayground(service: RunningService, routeSet: "a" | "b"): Promise<string> {
  const isBuilt = routeSet === "b";
  // Files that route set B's library rejects fail the run until they are accepted.
  const publishing = [process.execPath, "dist/cli.js", "publish", "--accept"];
  const [tool = "", ...args] = isBuilt ? publishing : ["astro", "build"];
  return runTool(tool, [...args, "--root", "playground"], { service, routeSet });
}

async function runTool(
  tool: string,
  args: readonly string[],
  { service, routeSet }: { readonly service: RunningService; readonly routeSet: "a" | "b" },
): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(tool, [...args], {
    cwd: repository,
    // Vitest sets MODE, BASE_URL, and more in the environment, which Astro would use for the site.
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      NODE_ENV: "production",
      ASTRO_TELEMETRY_DISABLED: "1",
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      IMPRINT_SERVICE: service.baseUrl(routeSet),
      IMPRINT_API_KEY: service.apiKey,
    },
  });
  return stdout + stderr;
}

async function listSlugs(service: RunningService): Promise<readonly string[]> {
  const answer = await fetch(`${service.baseUrl("a")}/api/pages?limit=100`, {
    headers: { authorization: `Bearer ${service.apiKey}` },
  });
  const { data }: { readonly data: readonly { readonly slug: string }[] } = JSON.parse(await answer.text());
  return data.map(({ slug }) => slug);
}

function addressesOf(service: RunningService, slugs: readonly string[]): readonly string[] {
  return slugs.map((slug) => `${service.pagesUrl}/p/${slug}`);
}

async function visitAll(context: BrowserContext, addresses: readonly string[]): Promise<readonly Visit[]> {
  const visits: Visit[] = [];
  for (const address of addresses) visits.push(await visit(context, address));
  return visits;
}

/** Links of a page that loads without errors. */
async function openSound(context: BrowserContext, address: string): Promise<readonly string[]> {
  const { links, hasIsland: _, ...seen } = await visit(context, address);
  const nothing = { failedRequests: [], consoleProblems: [], undecodedImages: [] };
  expect(seen).toEqual({ address, status: 200, ...nothing });
  return links;
}

/** The same, without a browser. */
async function readLinks(address: string): Promise<readonly string[]> {
  const answer = await fetch(address);
  expect([address, answer.status]).toEqual([address, 200]);
  const links = [...(await answer.text()).matchAll(/<a\s[^>]*?\bhref="([^"#]*)/g)];
  return links.map(([, link = ""]) => new URL(link.replaceAll("&amp;", "&"), address).href);
}

async function visit(context: BrowserContext, address: string): Promise<Visit> {
  const page = await context.newPage();
  const failedRequests: string[] = [];
  const consoleProblems: string[] = [];
  page.on("requestfailed", (request) => failedRequests.push(`${address}: ${request.url()}`));
  page.on("response", (response) => {
    if (response.status() >= 400) failedRequests.push(`${address}: ${response.status()} ${response.url()}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      consoleProblems.push(`${address}: ${message.text()}`);
  });
  page.on("pageerror", (error) => consoleProblems.push(`${address}: ${error.message}`));
  const response = await page.goto(address, { waitUntil: "load" });
  const undecoded = await findUndecodedImages(page);
  const links = await page.evaluate<string[]>(`[...document.querySelectorAll("a[href]")].map((anchor) => anchor.href)`);
  const hasIsland = (await page.getByTestId("island").count()) > 0;
  await page.close();
  return {
    address,
    status: response?.status() ?? 0,
    failedRequests,
    consoleProblems,
    undecodedImages: undecoded.map((source) => `${address}: ${source}`),
    links: links.map((link) => link.replace(/#.*$/, "")),
    hasIsland,
  };
}

// Lazy images load when they are visible, so each one is loaded before it is checked.
const FIND_UNDECODED = `(async () => {
  const images = [...document.images].filter((image) => image.hasAttribute("src"));
  for (const image of images) image.loading = "eager";
  const decoded = await Promise.all(images.map((image) => image.decode().then(() => true, () => false)));
  return images.filter((_, index) => !decoded[index]).map((image) => image.currentSrc || image.src);
})()`;

function findUndecodedImages(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(FIND_UNDECODED);
}

async function openIsland(context: BrowserContext, visits: readonly Visit[]): Promise<Page> {
  const visited = visits.find(({ hasIsland }) => hasIsland);
  if (visited === undefined) throw new Error("No published page holds the island.");
  const page = await context.newPage();
  await page.goto(visited.address, { waitUntil: "load" });
  await page.getByTestId("island").first().scrollIntoViewIfNeeded();
  await page.waitForSelector("astro-island:not([ssr])");
  return page;
}
