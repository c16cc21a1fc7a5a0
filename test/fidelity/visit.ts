import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, ConsoleMessage, Page } from "playwright-core";
import { pressButtons, type Press } from "./press-buttons.ts";

/** What a reader gets on one page. */
export interface Visit {
  readonly address: string;
  readonly status: number;
  /** PNG screenshot of the whole page. */
  readonly picture: Buffer;
  /** Sorted console messages without addresses. */
  readonly console: readonly string[];
  /** Requests without a response, or with a status of 400 or more. */
  readonly failed: readonly FailedRequest[];
  /** Every host that the page requested. */
  readonly origins: readonly string[];
  readonly links: readonly Link[];
  readonly headAddresses: readonly HeadAddress[];
  readonly presses: readonly Press[];
  /** Broken images and islands that didn't hydrate. */
  readonly broken: readonly string[];
}

export interface FailedRequest {
  readonly address: string;
  readonly reason: string;
}

/** A machine-readable address: canonical, hreflang, og:url or og:image. */
export interface HeadAddress {
  readonly name: string;
  readonly address: string;
}

export interface Link {
  /** As written in the page. */
  readonly href: string;
  /** Absolute. */
  readonly address: string;
}

/** Messages and requests while a page is open, added over time. */
export interface Heard {
  readonly console: readonly string[];
  readonly failed: readonly FailedRequest[];
  readonly origins: ReadonlySet<string>;
}

const VIEWPORT = { width: 1280, height: 800 };

/** Opens a reader's window without state of earlier visits. Default width: 1280. */
export async function openWindow(browser: Browser, width = VIEWPORT.width): Promise<BrowserContext> {
  const settings = {
    viewport: { ...VIEWPORT, width },
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
  } as const;
  const window = await browser.newContext(settings);
  await window.addInitScript({ path: fileURLToPath(new URL("in-page.js", import.meta.url)) });
  return window;
}

/** Opens a page, scrolls through it and presses every button. */
export async function visit(browser: Browser, address: string): Promise<Visit> {
  const window = await openWindow(browser);
  try {
    const page = await window.newPage();
    const heard = listen(page);
    const response = await page.goto(address, { waitUntil: "load" });
    const broken = await settle(page);
    const picture = await page.screenshot({ fullPage: true, animations: "disabled", caret: "hide" });
    const links = await page.evaluate<Link[]>("fidelity.links()");
    const headAddresses = await page.evaluate<HeadAddress[]>("fidelity.headAddresses()");
    const presses = await pressButtons(page);
    return {
      address,
      status: response?.status() ?? 0,
      picture,
      links,
      headAddresses,
      presses,
      broken,
      console: heard.console.toSorted(),
      failed: heard.failed,
      origins: [...heard.origins],
    };
  } finally {
    await window.close();
  }
}

/** Starts recording console messages and failed requests. */
export function listen(page: Page): Heard {
  const heard = { console: [] as string[], failed: [] as FailedRequest[], origins: new Set<string>() };
  page.on("request", (request) => heard.origins.add(new URL(request.url()).origin));
  const fail = (address: string, reason: string) => {
    if (heard.failed.every((failure) => failure.address !== address)) heard.failed.push({ address, reason });
  };
  page.on("requestfailed", (request) => fail(request.url(), request.failure()?.errorText ?? "no answer"));
  page.on("response", (response) => {
    if (response.status() >= 400) fail(response.url(), `status ${response.status()}`);
  });
  page.on("console", (message) => heard.console.push(`${message.type()}: ${withoutAddresses(message)}`));
  page.on("pageerror", (error) => heard.console.push(`error: ${error.message}`));
  return heard;
}

// The same message contains different addresses on the published page.
function withoutAddresses(message: ConsoleMessage): string {
  return message.text().replace(/\b(?:https?|data|blob):[^\s'")]+/g, "<address>");
}

const WAKING_MS = 10_000;

/** Triggers lazy loading and hydration, and waits. Returns the images and islands that failed. */
export async function settle(page: Page): Promise<readonly string[]> {
  await page.evaluate("fidelity.scrollThrough()");
  const asleep = await page.evaluate<string[]>(`fidelity.wakeIslands(${WAKING_MS})`);
  await page.waitForLoadState("networkidle");
  const undecoded = await page.evaluate<string[]>("fidelity.undecodedImages()");
  return [...asleep, ...undecoded];
}
