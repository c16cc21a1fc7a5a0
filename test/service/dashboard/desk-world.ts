// A service with a blog, and a signed-in browser that writes posts.
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { startService, type RunningService, type ServiceOptions } from "../../../src/service.ts";
import { closePages, openBrowser } from "../../browser.ts";
import { clientOf, type Send } from "../open-service.ts";
import { openSignedIn, type Look } from "./look.ts";

const WIDE: Look = { scheme: "light", width: 1280 };

/** Accumulates a page's layout shift in `globalThis.shifts`. */
export const COUNT_SHIFTS = `globalThis.shifts = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true });`;

/** Opens the service for all tests of a file. */
export function openDeskWorld(options: Pick<ServiceOptions, "now" | "limits"> = {}) {
  let service: RunningService;
  let send: Send;

  beforeAll(async () => {
    service = await startService({ ephemeral: true, dev: true, port: 0, pagesPort: 0, ...options });
    send = clientOf(service, { routeSet: "a" });
    await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
  });

  afterAll(async () => {
    await closePages(await openBrowser());
    await service.close();
  });

  /** Opens a context that the test may sign out or disconnect. */
  async function openContext(look = WIDE): Promise<BrowserContext> {
    const context = await openSignedIn(await openBrowser(), service, look);
    onTestFinished(() => context.close());
    return context;
  }

  /** The context of all other tests, which keeps the compiled scripts. */
  const shared = new Map<Look, Promise<BrowserContext>>();

  async function openDesk(path: string, look = WIDE): Promise<Page> {
    const context = shared.get(look) ?? openBrowser().then((browser) => openSignedIn(browser, service, look));
    shared.set(look, context);
    const page = await openIn(await context, path);
    onTestFinished(() => page.close());
    return page;
  }

  async function openIn(context: BrowserContext, path: string): Promise<Page> {
    const page = await context.newPage();
    await page.addInitScript(COUNT_SHIFTS);
    await page.goto(`${service.url}${path}`);
    await page.locator(".cm-content").waitFor();
    return page;
  }

  return {
    get service() {
      return service;
    },
    get send() {
      return send;
    },
    openContext,
    openIn,
    openDesk,
    /** Returns the path of the post's page. */
    async addPost(slug: string, markdown: string): Promise<string> {
      await send("POST", "/api/blogs/news/posts", { json: { slug, title: slug, markdown } });
      return `/blogs/news/posts/${slug}`;
    },
    readPost: async (slug: string) =>
      (await send("GET", `/api/blogs/news/posts?include=content&slug=${slug}`)).items[0],
  };
}

/** Types at the start of the text. */
export async function write(page: Page, text: string): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText(text);
}

export const expectSoon = <Value>(read: () => Promise<Value> | Value) => expect.poll(read, { timeout: 15_000 });

export const status = (page: Page) => page.locator("#desk-status");
export const preview = (page: Page) => page.frameLocator(".desk-preview iframe").locator("article");
export const textOf = (page: Page) => page.locator("textarea[name=text]").inputValue();

/** Saves with the keyboard. */
export async function save(page: Page): Promise<void> {
  await page.locator(".cm-content").press("Control+s");
}
