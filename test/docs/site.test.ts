import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ERRORS } from "../../src/base/error.ts";
import { startService, type RunningService } from "../../src/service.ts";
import { closePages, openBrowser } from "../browser.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const site = join(repository, "docs/site");
const dist = join(site, "dist");

async function forget(): Promise<void> {
  for (const name of ["imprint.lock.json", ".imprint"]) await rm(join(site, name), { recursive: true, force: true });
}

/** Every possible link target: addresses of pages, with their ids, and of files. */
async function readBuild(): Promise<ReadonlyMap<string, string>> {
  const files = globSync("**/*.*", { cwd: dist }).map((path) => path.replaceAll("\\", "/"));
  const entries = files.map(async (path) => {
    const html = path.endsWith(".html") ? await readFile(join(dist, path), "utf8") : "";
    return [`/${path.replace(/(?:^|(?<=\/))index\.html$/, "")}`, html] as const;
  });
  return new Map(await Promise.all(entries));
}

// Starlight loads the search when the browser is idle, which it may not be for a minute while other tests run, or at
// once in browsers without such a function.
const LOAD_SEARCH_AT_ONCE = "window.requestIdleCallback = undefined";

describe("the docs site", () => {
  let service: RunningService;
  let build: ReadonlyMap<string, string>;

  beforeAll(async () => {
    await forget();
    service = await startService({ ephemeral: true, port: 0, pagesPort: 0 });
    const { apiKey } = await service.createKey({ name: "docs" });
    const astro = join(repository, "node_modules/astro/bin/astro.mjs");
    await promisify(execFile)(process.execPath, [astro, "build"], {
      cwd: site,
      maxBuffer: 1 << 26,
      env: {
        PATH: process.env["PATH"],
        HOME: process.env["HOME"],
        NODE_ENV: "production",
        ASTRO_TELEMETRY_DISABLED: "1",
        IMPRINT_SERVICE: service.baseUrl("a"),
        IMPRINT_API_KEY: apiKey,
      },
    });
    build = await readBuild();
  });

  afterAll(async () => {
    await closePages(await openBrowser());
    await service.close();
    await forget();
  });

  it("has every page of docs/ and every error, all of them in its navigation", () => {
    const files = globSync("docs/{,decisions/}*.md", { cwd: repository }).map((path) => {
      return path.replaceAll("\\", "/").replace(/^docs\/(.*)\.md$/, "/$1/");
    });
    const pages = files.map((path) => (path === "/README/" ? "/" : path));
    const errors = Object.keys(ERRORS).map((code) => `/errors/${code.toLowerCase()}/`);
    const wanted = [...pages, ...errors];
    expect(wanted.filter((path) => !build.has(path))).toEqual([]);
    const [navigation = ""] = /<nav class="sidebar[\s\S]*?<\/nav>/.exec(build.get("/") ?? "") ?? [];
    expect(wanted.filter((path) => !navigation.includes(`href="${path}"`))).toEqual([]);
  });

  it("has no dead links", () => {
    const dead: string[] = [];
    for (const [path, html] of build) {
      for (const [, link = ""] of html.matchAll(/<a\s[^>]*?href="([^"]*)"/g)) {
        const { origin, pathname, hash } = new URL(link, `http://docs.example${path}`);
        if (origin !== "http://docs.example") continue;
        const target = build.get(pathname);
        const id = decodeURIComponent(hash.slice(1));
        const isThere = target !== undefined && (id === "" || target.includes(` id="${id}"`));
        if (!isThere && id !== "_top") dead.push(`${path}: ${link}`);
      }
    }
    expect(dead).toEqual([]);
  });

  it("finds pages that explain a variable or an operation before files that mention it", async () => {
    const browser = await openBrowser();
    const page = await browser.newPage();
    await page.addInitScript(LOAD_SEARCH_AT_ONCE);
    for (const text of ["IMPRINT_API_KEY", "PATCH posts"]) {
      await page.goto(`${service.pagesUrl}/p/index`);
      await page.locator("button[data-open-modal]").click();
      await page.locator(".pagefind-ui__search-input").fill(text);
      await page.getByText(new RegExp(`results? for ${text}`)).waitFor();
      const links = page.locator(".pagefind-ui__result-link");
      // Each result is loaded when it is shown, after the number of results.
      await links.nth(1).waitFor();
      const found = await links.evaluateAll((all) => all.map((link) => String(Object(link).pathname)));
      expect(found.length).toBeGreaterThan(1);
      expect(found.filter((path) => /route-coverage|examples/.test(path))).toEqual([]);
    }
  });

  it("can be published with imprint, and its search finds a section there, even on a phone", async () => {
    const browser = await openBrowser();
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.addInitScript(LOAD_SEARCH_AT_ONCE);
    await page.goto(`${service.pagesUrl}/p/index`);
    await page.locator("button[data-open-modal]").click();
    await page.locator(".pagefind-ui__search-input").fill("Behind Caddy");
    const found = page
      .locator(".pagefind-ui__result-link")
      .getByText(/Behind Caddy/)
      .first();
    await found.click();
    await page.getByRole("heading", { level: 2, name: "Behind Caddy" }).waitFor();
    expect(await page.locator("h1").count()).toBe(1);
    expect(page.url().startsWith(`${service.pagesUrl}/p/server`)).toBe(true);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });
});
