import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { extractBrand } from "../../../src/brand/extract.ts";
import { toBrandKit } from "../../../src/brand/kit.ts";
import type { BrandKitBody } from "../../../src/contract/operations/content.ts";
import type { BrandFrame } from "../../../src/contract/brand-parts.ts";
import { AXE } from "../../axe.ts";
import { closePages, openBrowser } from "../../browser.ts";
import { DEFAULT_ORIGIN } from "../../brand/corpus/corpus-site.ts";
import {
  openWrittenSite,
  pagesOf,
  readWrittenSite,
  serveWrittenSite,
  WRITTEN_SITES,
  type WrittenSite,
} from "../../brand/corpus/written-sites.ts";
import { extractFrom, pageOf } from "../../brand/site-of.ts";
import { IS_WHOLE } from "../../whole.ts";
import { openRunningService } from "../open-service.ts";
import { openBrandedSite, SURFACES } from "./branding.ts";
import { SHOWN_SITES, SHOWS_ALL } from "./shown-sites.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => closePages(browser));

async function kitOf(site: WrittenSite): Promise<BrandKitBody> {
  const findings = await extractBrand({
    read: readWrittenSite(site),
    home: `${DEFAULT_ORIGIN}/`,
    pages: pagesOf(site),
    frame: {
      linkTo: (address) => (address.startsWith(DEFAULT_ORIGIN) ? "/p/index" : address),
      fileAt: () => undefined,
    },
  });
  // The library doesn't contain the corpus's pictures.
  return { ...toBrandKit(findings), logos: [] };
}

async function open() {
  const service = await openRunningService();
  const { wear } = await openBrandedSite(service, { name: "Tern & Quire" });
  return { pagesUrl: service.pagesUrl, wear };
}

/** Opens a page and returns the browser's errors. */
async function visit(page: Page, address: string): Promise<readonly string[]> {
  const said: string[] = [];
  page.removeAllListeners("console");
  page.on("console", (message) => {
    if (message.type() === "error") said.push(message.text());
  });
  await page.goto(address, { waitUntil: "load" });
  return said.filter((text) => !text.includes("404") && !text.includes("favicon"));
}

// The contrast of a header's text is the site's responsibility: it looks the same here.
const RUN_AXE = `axe.run(document, { iframes: false, resultTypes: ["violations"] }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.filter(({ target }) => id !== "color-contrast" || !Array.isArray(target[0]))
    .map(({ html }) => id + ": " + html.slice(0, 120))))`;

describe("the frame of each site", () => {
  const kits = new Map(SHOWN_SITES.map((site) => [site.name, kitOf(site)]));

  it("is found on more than half of the sites", async () => {
    const found = (await Promise.all(kits.values())).filter(({ frame }) => frame !== undefined);
    expect(found.length).toBeGreaterThan(SHOWN_SITES.length / 2);
  });

  it.each(SHOWN_SITES)(
    "is shown on the service's pages without errors from the browser or axe: $name",
    async ({ name }) => {
      const kit = await kits.get(name);
      if (kit?.frame === undefined) return;
      const { pagesUrl, wear } = await open();
      const page = await browser.newPage();
      await wear(kit);
      const found: string[] = [];
      const number = SHOWN_SITES.findIndex((site) => site.name === name);
      for (const [at, path] of SURFACES.entries()) {
        // In a sample, each site is checked on two of the pages, one in light and one in dark, in turns.
        if (!SHOWS_ALL && at % 2 !== number % 2) continue;
        found.push(...(await visit(page, pagesUrl + path)).map((text) => `${path}: ${text}`));
        await page.evaluate(AXE);
        const schemes = (["light", "dark"] as const).filter(
          (_, index) => SHOWS_ALL || index === Math.floor(at / 2) % 2,
        );
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme });
          const violations: string[] = await page.evaluate(RUN_AXE);
          found.push(...violations.map((text) => `${path}, ${colorScheme}: ${text}`));
        }
      }
      await page.close();
      expect(found).toEqual([]);
    },
  );
});

describe("the frame of a site", () => {
  it("paints the header like the site", async () => {
    const { pagesUrl, wear } = await open();
    const page = await browser.newPage();
    const colorOf = async (name: string) => {
      const site = WRITTEN_SITES.find((known) => known.name === name);
      if (site === undefined) throw new Error(`There is no site ${name}.`);
      await wear(await kitOf(site));
      await visit(page, `${pagesUrl}/blog/notes`);
      return page.evaluate(
        `getComputedStyle(document.querySelector(".frame").shadowRoot.querySelector(".imprint-part")).backgroundColor`,
      );
    };
    expect(await colorOf("vale-choir")).toBe("rgb(106, 27, 77)");
    expect(await colorOf("county-library")).toBe("rgb(0, 90, 91)");
    expect(await colorOf("dark-header-law")).toBe("rgb(20, 33, 61)");
    await page.close();
  });

  it("has the site's font size, whatever the service's own pages have", async () => {
    const { pagesUrl, wear } = await open();
    const page = await browser.newPage();
    const site = WRITTEN_SITES.find((known) => known.name === "ghost-letter");
    if (site === undefined) throw new Error("There is no such site.");
    const own = await browser.newPage();
    await serveWrittenSite(own, site);
    await openWrittenSite(own, site, "light");
    const measure = (root: string) =>
      `[...${root}.querySelectorAll("header a, .imprint-header a")].map((link) => getComputedStyle(link)).map(({ fontSize, lineHeight, padding }) => [fontSize, lineHeight, padding].join(" "))`;
    const expected: string[] = await own.evaluate(measure("document"));
    await wear(await kitOf(site));
    await visit(page, `${pagesUrl}/blog/notes`);
    const seen: string[] = await page.evaluate(measure(`document.querySelector(".frame").shadowRoot`));
    expect(seen.length).toBeGreaterThan(1);
    expect(expected.filter((style) => seen.includes(style)).length).toBeGreaterThanOrEqual(seen.length);
    await Promise.all([own.close(), page.close()]);
  });

  it("has the site's position, if the site lays out its pages as a column", async () => {
    const { pagesUrl, wear } = await open();
    const page = await browser.newPage({ viewport: { width: 1000, height: 750 } });
    const site = WRITTEN_SITES.find(({ name }) => name === "gull-notes");
    if (site === undefined) throw new Error("There is no such site.");
    await wear(await kitOf(site));
    await visit(page, `${pagesUrl}/blog/notes`);
    const [home, about] = await Promise.all(
      ["Gull Notes", "About"].map((name) => page.getByRole("link", { name }).boundingBox()),
    );
    const [left, right] = [home?.x ?? 0, (about?.x ?? 0) + (about?.width ?? 0)];
    // As wide as its text, and centered: on the site, it has another button.
    expect(right - left).toBeLessThan(400);
    expect(Math.round((left + right) / 2)).toBe(500);
    await page.close();
  });

  it("is a column beside the page, as on the site, if the window is wide enough", async () => {
    const { pagesUrl, wear } = await open();
    const page = await browser.newPage();
    const site = WRITTEN_SITES.find(({ name }) => name === "sidebar-loom");
    if (site === undefined) throw new Error("There is no such site.");
    await wear(await kitOf(site));
    for (const [width, isBeside] of [
      [1280, true],
      [390, false],
    ] as const) {
      await page.setViewportSize({ width, height: 750 });
      await visit(page, `${pagesUrl}/blog/notes`);
      const column = await page.locator(".frame").first().boundingBox();
      const main = await page.locator("main").boundingBox();
      const right = (column?.x ?? 0) + (column?.width ?? 0);
      expect({ width, isBeside: right <= (main?.x ?? 0) }).toEqual({ width, isBeside });
      expect(main?.y).toBeLessThan(isBeside ? 1 : 500);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
    await page.close();
  });

  it.each([
    [
      "with a width for its picture",
      `<table width="760"><tr><td><a href="/"><img src="PICTURE" width="760" height="90" alt="Tidewater"></a></td></tr></table>`,
    ],
    [
      "with fixed cells",
      `<table class="fixed"><tr><td><a href="/">Tidewater</a></td><td><a href="/fees">Fees</a></td><td><a href="/tides">Tides</a></td></tr></table>`,
    ],
  ])("doesn't make the page wider than a small window if it is a table %s", async (_, table) => {
    const picture = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 760 90'/%3E`;
    const css =
      "body { margin: 0 } .fixed { table-layout: fixed; width: 760px; white-space: nowrap } td { padding: 4px }";
    const body = `<div id="header">${table.replace("PICTURE", picture)}</div><main><h1>Tides</h1><p>${"Words on the page. ".repeat(20)}</p></main>`;
    const { pagesUrl, wear } = await open();
    const { frame } = await extractFrom(
      { "/": pageOf(css, body) },
      { frame: { linkTo: (to) => to, fileAt: () => undefined } },
    );
    expect(frame?.header).toContain("<table");
    await wear({ name: "Tide", ...(frame === null ? {} : { frame }) });
    const page = await browser.newPage();
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${pagesUrl}/blog/notes`, { waitUntil: "load" });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      const table: number = await page.evaluate(
        `document.querySelector(".frame").shadowRoot.querySelector("table").getBoundingClientRect().width`,
      );
      expect(Math.min(760, table)).toBe(Math.min(760, width));
    }
    await page.close();
  });

  it("is as high as the window if it is a column, also if the site gives its height in percent", async () => {
    const { pagesUrl, wear } = await open();
    const page = await browser.newPage({ viewport: { width: 1280, height: 750 } });
    const site = WRITTEN_SITES.find(({ name }) => name === "stave-docs");
    if (site === undefined) throw new Error("There is no such site.");
    await wear(await kitOf(site));
    await visit(page, `${pagesUrl}/blog/notes`);
    expect(await page.locator(".imprint-part").boundingBox()).toEqual({ x: 0, y: 0, width: 260, height: 750 });
    await page.close();
  });

  it("is replaced with logo and name if the kit has none", async () => {
    const { pagesUrl, wear } = await open();
    await wear({ name: "Plain", colors: [{ role: "primary", hex: "#6a1b4d" }] });
    const html = await (await fetch(`${pagesUrl}/blog/notes`)).text();
    expect(html).toContain('<header class="top">');
    expect(html).not.toContain("shadowrootmode");
  });
});

const PLAIN: BrandFrame = { header: '<header><a href="/p/index">Home</a></header>', footer: "", css: "", fonts: "" };

const HOSTILE: readonly (BrandFrame & { readonly name: string })[] = [
  { ...PLAIN, name: "a script", header: "<header>Top<script>hacked = 1</script></header>" },
  { ...PLAIN, name: "a handler", header: '<header onclick="hacked=1"><img src=x onerror="hacked=1">Top</header>' },
  {
    ...PLAIN,
    name: "the end of the template",
    header: "<header>Top</header></template></div><script>hacked = 1</script>",
  },
  {
    ...PLAIN,
    name: "links that run scripts",
    header:
      '<a href="javascript:hacked=1">a</a><a href=" jav&#9;ascript:hacked=1">b</a><a href="data:text/html,x">c</a>',
  },
  {
    ...PLAIN,
    name: "frames, forms, and objects",
    header:
      '<header>Top<iframe srcdoc="<script>parent.hacked=1</script>"></iframe><form action="https://evil.example"><input></form><object data="x"></object><embed src="x"><base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/"></header>',
  },
  {
    ...PLAIN,
    name: "SVG with a script",
    header:
      '<header><svg><script>hacked=1</script><foreignObject><img src=x onerror="hacked=1"></foreignObject><animate onbegin="hacked=1"/><use href="https://evil.example/#a"/></svg>Top</header>',
  },
  {
    ...PLAIN,
    name: "pictures from another host",
    header:
      '<header><img src="https://evil.example/a.png"><picture><source srcset="https://evil.example/b.png 2x"><img src="//evil.example/c.png"></picture><p style="background:url(https://evil.example/d.png)">Top</p></header>',
  },
  { ...PLAIN, name: "styles that load resources", css: "header{background:url(https://evil.example/e.png)}" },
  { ...PLAIN, name: "styles that import other styles", css: '@import "https://evil.example/f.css";' },
  { ...PLAIN, name: "styles that end their element", css: "header{}</style><script>hacked=1</script>" },
  {
    ...PLAIN,
    name: "fonts that load resources",
    fonts: '@font-face{font-family:"X";src:url("https://evil.example/g.woff2")}',
  },
  { ...PLAIN, name: "fonts that contain rules", fonts: "body{display:none}" },
  { ...PLAIN, name: "escaped addresses", css: "header{background:u\\72l(https://evil.example/h.png)}" },
];

describe("a frame by an attacker", () => {
  it.each(HOSTILE)("runs nothing and loads nothing: $name", async ({ name, header, footer, css, fonts }) => {
    const { pagesUrl, wear } = await open();
    await wear({ name: "Hostile", frame: { header, footer, css, fonts } });
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    // Each surface shows the same frame; in a sample, each kind is on one of them.
    const own = HOSTILE.findIndex((kind) => kind.name === name) % SURFACES.length;
    for (const path of SURFACES.filter((_, index) => IS_WHOLE || SHOWS_ALL || index === own)) {
      await page.goto(`${pagesUrl}${path}`, { waitUntil: "load" });
      expect(await page.evaluate("typeof hacked")).toBe("undefined");
      expect(await page.evaluate("getComputedStyle(document.body).display")).toBe("flex");
      const links: string[] = await page.evaluate(
        `[...document.querySelectorAll(".frame")].flatMap((frame) => [...frame.shadowRoot.querySelectorAll("a[href]")].map((a) => a.protocol))`,
      );
      expect(links.filter((protocol) => !["http:", "https:"].includes(protocol))).toEqual([]);
    }
    expect(asked.filter((address) => !address.startsWith(pagesUrl))).toEqual([]);
    await page.close();
  });
});
