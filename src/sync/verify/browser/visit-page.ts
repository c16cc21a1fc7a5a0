import type { Browser, ConsoleMessage, Page } from "playwright-core";
import { messageOf } from "../../../base/error.ts";

/** What goes wrong while a page is open. */
export interface Heard {
  readonly requests: readonly FailedRequest[];
  /** Errors of the console and those that scripts throw, without addresses. */
  readonly errors: readonly string[];
}

export interface FailedRequest {
  readonly address: string;
  readonly found: string;
}

const LOAD_MS = 30_000;
const QUIET_MS = 10_000;

/** Opens a page as a first-time visitor does and scrolls through it, which wakes up what waits for that. */
export async function visitPage(browser: Browser, address: string): Promise<Heard> {
  const window = await browser.newContext({ reducedMotion: "reduce" });
  try {
    const page = await window.newPage();
    const heard = listen(page);
    try {
      await page.goto(address, { waitUntil: "load", timeout: LOAD_MS });
      await page.evaluate(SCROLL_THROUGH);
      // A page that polls is never quiet.
      await page.waitForLoadState("networkidle", { timeout: QUIET_MS }).catch(() => {});
    } catch (error) {
      const [reason = ""] = messageOf(error).split("\n");
      return { ...heard, errors: [...heard.errors, withoutAddresses(`The page could not be opened: ${reason}`)] };
    }
    return { requests: [...heard.requests], errors: [...heard.errors] };
  } finally {
    await window.close();
  }
}

const SCROLL_THROUGH = `(async () => {
  for (let top = 0; top < Math.min(document.documentElement.scrollHeight, 50000); top += innerHeight) {
    scrollTo(0, top);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
})()`;

function listen(page: Page): Heard {
  const requests: FailedRequest[] = [];
  const errors: string[] = [];
  const fail = (address: string, found: string) => {
    if (requests.every((request) => request.address !== address)) requests.push({ address, found });
  };
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "no response";
    // Of media that plays or was left, browsers stop the request themselves.
    if (reason !== "net::ERR_ABORTED") fail(request.url(), reason);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) fail(response.url(), String(response.status()));
  });
  page.on("console", (message) => {
    if (isError(message)) errors.push(withoutAddresses(message.text()));
  });
  page.on("pageerror", (error) => errors.push(withoutAddresses(error.message)));
  return { requests, errors };
}

// Failed requests are listed by themselves, with their address.
function isError(message: ConsoleMessage): boolean {
  return message.type() === "error" && !message.text().startsWith("Failed to load resource");
}

// The same complaint names other addresses on the published page.
function withoutAddresses(text: string): string {
  return text.replace(/\b(?:https?|data|blob):[^\s'")]+/g, "<address>");
}
