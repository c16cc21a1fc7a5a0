// What readers see of a blog in a real browser: one service and one browser for all tests.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startService, type RunningService } from "../../../src/service.ts";
import type { SitePost } from "../../../src/posts/post.ts";
import { renderPostPage } from "../../../src/posts/render/post-page.ts";
import { parsePostHtml } from "../../../src/posts/render/post-html.ts";
import { AXE } from "../../axe.ts";
import { closePages, openBrowser } from "../../browser.ts";
import { clientOf } from "../open-service.ts";
import { AWKWARD_FIELDS, AWKWARD_POSTS, TWO_THEMES, VARIABLES } from "./awkward-posts.ts";

let service: RunningService;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  service = await startService({ ephemeral: true, dev: true, port: 0, pagesPort: 0 });
  browser = await openBrowser();
  page = await browser.newPage();
  const send = clientOf(service, { routeSet: "a" });
  await send("PUT", "/api/pages/index", { json: { html: '<!doctype html><html lang="en"><title>Home</title>' } });
  const site = await send("POST", "/api/sites", { json: { name: "Tern & Quire", homeSlug: "index" } });
  await send("POST", "/api/blogs", { json: { name: "Notes", slug: "notes", siteId: site.body["id"] } });
  for (const [slug, html] of Object.entries(AWKWARD_POSTS)) {
    await send("POST", "/api/blogs/notes/posts", { json: { slug, html, ...AWKWARD_FIELDS } });
  }
});

afterAll(async () => {
  await closePages(browser);
  await service.close();
});

const POST: SitePost = {
  ...{ file: "post.md", slug: "post", status: "published", html: "", sourceHash: "", tags: [] },
  ...{ title: AWKWARD_FIELDS.title, author: AWKWARD_FIELDS.author, excerpt: undefined, canonicalUrl: undefined },
  ...{ publishedAt: undefined, cover: undefined, assets: [], warnings: [] },
};

/** Code as rendered by the publisher. */
function changeCode(html: string): string {
  const changes = { images: new Map(), links: new Map(), idPrefix: "post", firstHeading: "keep" } as const;
  return parsePostHtml(html).render(changes);
}

const PATHS = ["/blog/notes", ...Object.keys(AWKWARD_POSTS).map((slug) => `/blog/notes/${slug}`)];

// Elements wider than the window, and elements outside it that scrolling can't reach.
const FIND_EXCESS = `document.documentElement.scrollWidth - window.innerWidth`;

it.each([320, 390])("nothing of a blog is wider than a window of %i pixels", async (width) => {
  await page.setViewportSize({ width, height: 800 });
  const excess: Record<string, unknown> = {};
  for (const path of PATHS) {
    await page.goto(`${service.pagesUrl}${path}`);
    excess[path] = await page.evaluate(FIND_EXCESS);
  }
  expect(Object.entries(excess).filter(([, pixels]) => pixels !== 0)).toEqual([]);
});

it("a wide table and a formula scroll in their own boxes, and long code and URLs are broken", async () => {
  await page.setViewportSize({ width: 320, height: 800 });
  const scrollers = async (slug: string) => {
    await page.goto(`${service.pagesUrl}/blog/notes/${slug}`);
    return await page.evaluate(`[...document.querySelectorAll("article *")]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX === "auto")
      .map(({ localName, className }) => localName + (className && "." + className))`);
  };
  expect(await scrollers("table")).toEqual(["table"]);
  expect(await scrollers("inline-code")).toEqual([]);
  expect(await scrollers("address")).toEqual([]);
  expect(await scrollers("words")).toEqual([]);
  expect(await scrollers("images")).toEqual([]);
  expect(await scrollers("math")).toEqual(["span.katex-mathml", "p"]);
});

it("a picture in a table is no wider than the box, and stays visible", async () => {
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(`${service.pagesUrl}/blog/notes/table-of-code`);
  expect(await page.locator("td img").boundingBox()).toMatchObject({ width: 256, height: 144 });
});

it("nothing of a post on its own page is wider than a window of 320 pixels", async () => {
  await page.setViewportSize({ width: 320, height: 800 });
  const excess: Record<string, unknown> = {};
  for (const [slug, html] of Object.entries(AWKWARD_POSTS)) {
    await page.setContent(renderPostPage({ ...POST, slug, html }).html);
    excess[slug] = await page.evaluate(FIND_EXCESS);
  }
  expect(Object.entries(excess).filter(([, pixels]) => pixels !== 0)).toEqual([]);
});

it.each([
  { scheme: "light", token: "rgb(207, 34, 46)", block: "rgb(255, 255, 255)", variable: "rgb(207, 34, 46)" },
  { scheme: "dark", token: "rgb(255, 123, 114)", block: "rgb(13, 17, 23)", variable: "rgb(255, 123, 114)" },
] as const)(
  "code with two themes, or with CSS variables, has the colors for $scheme",
  async ({ scheme, ...colors }) => {
    await page.emulateMedia({ colorScheme: scheme });
    const read = () =>
      page.evaluate(`(() => {
      const style = (selector) => getComputedStyle(document.querySelector(selector));
      return { token: style("#token").color, block: style("pre:has(#token)").backgroundColor, variable: style("#variable").color };
    })()`);
    await page.goto(`${service.pagesUrl}/blog/notes/code`);
    expect(await read()).toEqual(colors);
    const html = changeCode(`${TWO_THEMES}${VARIABLES}`);
    await page.setContent(renderPostPage({ ...POST, html }).html);
    expect(await read()).toEqual(colors);
    // Without any style sheet, as on a host that has its own.
    await page.setContent(`<!doctype html><meta name="color-scheme" content="light dark">${html}`);
    expect(await read()).toEqual(colors);
  },
);

const RUN_AXE = `axe.run(document, { iframes: false, rules: { "target-size": { enabled: true } } }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`;

it("lists and posts are accessible, in light and in dark", async () => {
  await page.setViewportSize({ width: 320, height: 800 });
  const complaints: unknown[] = [];
  for (const path of ["", "/table", "/code", "/math", "/footnotes", "/cjk"]) {
    await page.goto(`${service.pagesUrl}/blog/notes${path}`);
    await page.evaluate(AXE);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      complaints.push(path, await page.evaluate(RUN_AXE));
    }
  }
  expect(complaints.flat().filter((complaint) => String(complaint).includes(":"))).toEqual([]);
});
