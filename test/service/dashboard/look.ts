// Opens pages of the dashboard in a real, signed-in browser, and runs automated checks. `npm run screenshots` saves
// screenshots of all variants for review in test/artifacts/dashboard.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContext, ConsoleMessage, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import * as z from "zod";
import type { RunningService } from "../../../src/service.ts";
import { AXE } from "../../axe.ts";
import { closePages, openBrowser } from "../../browser.ts";
import { sampleOf } from "../../whole.ts";
import { followLink } from "./signed-in.ts";

/** A page to check. */
export interface Shown {
  /** Name for its screenshots. */
  readonly name: string;
  readonly path: string;
  /** @default 200 */
  readonly status?: number;
}

export interface Look {
  readonly scheme: "light" | "dark";
  /** Width of the window, in CSS pixels. */
  readonly width: 1280 | 390;
}

interface LookRequest {
  readonly shown: Shown;
  readonly looks: readonly Look[];
  /**
   * Variants to check for accessibility.
   *
   * @default all of them
   */
  readonly judged?: readonly Look[];
}

/** Forms and states that look like another page's: `npm test` looks at the first of each kind. */
const KINDS = /-(?:delete|remove|revoke|new|none|long|unused|waiting|draft)$/;

/** Returns all pages, or one of each kind in `npm test`. */
export function samplePages(pages: readonly Shown[]): readonly Shown[] {
  const kindOf = ({ name }: Shown) => KINDS.exec(name)?.[0];
  return sampleOf(
    pages,
    (page) => pages.find((other) => kindOf(other) === kindOf(page)) === page || kindOf(page) === undefined,
  );
}

const KEEPS_SCREENSHOTS = process.env["IMPRINT_SCREENSHOTS"] !== undefined;

const FIRST_LOOK: Look = { scheme: "light", width: 1280 };

/** The variants of a page: both color schemes and both widths. */
const LOOKS: readonly Look[] = [
  FIRST_LOOK,
  { scheme: "dark", width: 390 },
  ...(KEEPS_SCREENSHOTS
    ? ([
        { scheme: "dark", width: 1280 },
        { scheme: "light", width: 390 },
      ] as const)
    : []),
];

const ARTIFACTS = join(import.meta.dirname, "../../artifacts/dashboard");
const HEIGHTS = { 1280: 800, 390: 780 } as const;

// Excludes frames, which show pages of the account that their authors are responsible for.
const RUN_AXE = `axe.run(document, { iframes: false, rules: { "target-size": { enabled: true } } }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`;

/** Signs a browser in to the dashboard with a new link, without showing a page: that takes a second. */
export async function openSignedIn(
  browser: Browser,
  service: Pick<RunningService, "createSignInLink">,
  look: Look,
): Promise<BrowserContext> {
  const { scheme, width } = look;
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: HEIGHTS[width] } });
  const { url } = await service.createSignInLink();
  async function send(request: Request): Promise<Response> {
    const { method } = request;
    const [headers, data] = [Object.fromEntries(request.headers), Buffer.from(await request.arrayBuffer())];
    const answer = await context.request.fetch(request.url, { method, headers, data, maxRedirects: 0 });
    return new Response(await answer.text(), { status: answer.status() });
  }
  expect((await followLink({ url: new URL(url).origin, fetch: send }, url)).status).toBe(303);
  return context;
}

/**
 * Opens each page once and returns its problems in any of the variants, one sentence each. Checks accessibility in
 * every variant, or in one per page in turns.
 */
export async function lookAtAll(
  service: RunningService,
  pages: readonly Shown[],
  { barriers = "in every look" }: { readonly barriers?: "in every look" | "by turns" } = {},
): Promise<readonly string[]> {
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await (await openSignedIn(browser, service, FIRST_LOOK)).newPage();
  const complaints: string[] = [];
  for (const [index, shown] of pages.entries()) {
    const judged = barriers === "in every look" ? LOOKS : [LOOKS[index % LOOKS.length] ?? FIRST_LOOK];
    complaints.push(...(await lookAt(page, service, { shown, looks: LOOKS, judged })));
  }
  return complaints;
}

/** Opens a page and returns its problems in some variants, one sentence each. */
export async function lookAt(
  page: Page,
  service: Pick<RunningService, "url">,
  { shown, looks, judged = looks }: LookRequest,
): Promise<readonly string[]> {
  const complaints: string[] = [];
  const onConsole = (message: ConsoleMessage) => {
    // The browser also reports expected missing pages.
    const isExpected = shown.status !== undefined && message.location().url === `${service.url}${shown.path}`;
    if (["error", "warning"].includes(message.type()) && !isExpected) complaints.push(`console: ${message.text()}`);
  };
  const onError = (error: Error) => complaints.push(`script: ${error.message}`);
  page.on("console", onConsole).on("pageerror", onError);
  for (const look of looks.slice(0, 1)) await take(page, look);
  const answer = await page.goto(`${service.url}${shown.path}`);
  if (answer?.status() !== (shown.status ?? 200)) complaints.push(`status: ${answer?.status()}`);
  await showAll(page);
  await page.evaluate(AXE);
  for (const look of looks) {
    await take(page, look);
    const barriers = judged.includes(look) ? z.array(z.string()).parse(await page.evaluate(RUN_AXE)) : [];
    const found = [...(await findOverflow(page)), ...barriers];
    complaints.push(...found.map((complaint) => `${look.scheme}, ${look.width} pixels wide: ${complaint}`));
    if (KEEPS_SCREENSHOTS) await keepScreenshot(page, { shown, look });
  }
  page.off("console", onConsole).off("pageerror", onError);
  return complaints.map((complaint) => `${shown.name}: ${complaint}`);
}

async function take(page: Page, { scheme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height: HEIGHTS[width] });
}

const AWAIT_IMAGES = `Promise.all([...document.images].filter(({ complete }) => !complete).map((image) =>
  new Promise((resolve) => { image.onload = image.onerror = resolve; })))`;

const CAPTURES = 3;

// On a busy machine, Chromium sometimes fails to capture a long page.
async function capture(page: Page, path: string): Promise<void> {
  for (let count = 1; ; count++) {
    try {
      await page.screenshot({ path });
      return;
    } catch (error) {
      if (count === CAPTURES || !String(error).includes("Unable to capture screenshot")) throw error;
    }
  }
}

// Loads lazy frames and images, as a screenshot wouldn't wait for them.
async function showAll(page: Page): Promise<void> {
  await page.evaluate(
    `for (const late of document.querySelectorAll("[loading=lazy]")) late.removeAttribute("loading")`,
  );
  for (const frame of page.frames()) {
    await frame.waitForURL(({ protocol }) => protocol !== "about:");
    await frame.waitForLoadState("load");
  }
  await page.evaluate(AWAIT_IMAGES);
}

async function findOverflow(page: Page): Promise<readonly string[]> {
  const width = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
  return width > 0 ? [`${width} pixels wider than the window`] : [];
}

// A browser only renders visible frames, so the window is made as high as the page.
async function keepScreenshot(page: Page, { shown, look }: { readonly shown: Shown; readonly look: Look }) {
  const height = await page.evaluate<number>("document.documentElement.scrollHeight");
  await page.setViewportSize({ width: look.width, height });
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
  await mkdir(ARTIFACTS, { recursive: true });
  await capture(page, join(ARTIFACTS, `${shown.name}-${look.scheme}-${look.width}.png`));
}
