import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Browser, ConsoleMessage, Page, Request } from "playwright-core";
import { messageOf } from "../../base/error.ts";
import { mapPool } from "../../base/pool.ts";
import { contentTypeOf } from "../../site/content-type.ts";
import type { BuiltSite } from "../../site/model.ts";
import type { LiveProblem, Verified } from "../report/words.ts";
import type { OnStep } from "../run.ts";
import type { OpenBrowser } from "./open-browser.ts";
import type { Live } from "./addresses.ts";

export interface BrowserContext {
  readonly built: BuiltSite;
  /** Shape of each live page, by slug. */
  readonly shapes: ReadonlyMap<string, string>;
  readonly openBrowser: OpenBrowser;
  /** Whether an address is on a host of the published pages or of the library. */
  readonly isOwnHost: (address: string) => boolean;
  readonly onStep: OnStep;
  readonly signal: AbortSignal | undefined;
}

export interface SeenInBrowser {
  /** Failed requests. */
  readonly requests: readonly LiveProblem[];
  /** Console errors. */
  readonly errors: readonly LiveProblem[];
  readonly browser: NonNullable<Verified["browser"]>;
}

const MOST_PAGES = 20;
const AT_ONCE = 2;

/**
 * Opens one page of each shape, both published and as built, and reports what fails only on the published page. If
 * there are too many shapes, opens those with the most pages.
 */
export async function verifyInBrowser(pages: readonly Live[], context: BrowserContext): Promise<SeenInBrowser> {
  const { built, openBrowser, onStep, signal } = context;
  const groups = groupByShape(pages, context.shapes);
  const chosen = groups.toSorted((one, other) => other.length - one.length).slice(0, MOST_PAGES);
  const browser = await openBrowser();
  const folder = await serveFolder(built);
  let done = 0;
  try {
    const seen = await mapPool(chosen, AT_ONCE, async ([page]) => {
      signal?.throwIfAborted();
      onStep({ kind: "browser", count: { done, total: chosen.length } });
      const failures =
        page === undefined ? [] : await findFailures(page, { ...context, browser, origin: folder.origin });
      done += 1;
      return failures;
    });
    const failures = seen.flat();
    return {
      requests: mergeFailures(failures.filter(({ isRequest }) => isRequest)),
      errors: mergeFailures(failures.filter(({ isRequest }) => !isRequest)),
      browser: { pages: chosen.length, shapes: groups.length },
    };
  } finally {
    await folder.close();
    await browser.close();
  }
}

function groupByShape(pages: readonly Live[], shapes: ReadonlyMap<string, string>): readonly (readonly Live[])[] {
  const groups = new Map<string, Live[]>();
  for (const page of pages) {
    const shape = shapes.get(page.slug);
    if (shape === undefined) continue;
    groups.set(shape, [...(groups.get(shape) ?? []), page]);
  }
  return [...groups.values()];
}

interface Opened extends BrowserContext {
  readonly browser: Browser;
  /** Origin of the locally served built site. */
  readonly origin: string;
}

interface Failure {
  readonly slug: string;
  readonly address: string;
  readonly found: string;
  readonly isRequest: boolean;
}

async function findFailures({ slug, desired, address }: Live, context: Opened): Promise<readonly Failure[]> {
  const { browser, built, origin, isOwnHost } = context;
  const published = await visitPage(browser, address);
  if (published.requests.length === 0 && published.errors.length === 0) return [];
  const route = built.pages.find(({ file }) => file === desired?.file)?.route;
  // A page that was created for a post has no file of its own.
  const before: Heard =
    route === undefined
      ? { requests: [], errors: [] }
      : await visitPage(browser, new URL(encodeURI(built.base + route.slice(1)), origin).href);
  const isOwn = (other: string) => other.startsWith(`${origin}/`) || isOwnHost(other);
  const known = new Set(before.requests.map((request) => nameOf(request.address, isOwn)));
  const requests = published.requests.filter((request) => !known.has(nameOf(request.address, isOwn)));
  const errors = without(published.errors, before.errors);
  return [
    ...requests.map(({ address, found }) => ({ slug, address, found, isRequest: true })),
    ...[...new Set(errors)].map((found) => ({ slug, address, found, isRequest: false })),
  ];
}

/** Returns the comparable part of an address, for the published and the locally served site. */
function nameOf(address: string, isOwn: (address: string) => boolean): string {
  if (!isOwn(address)) return address;
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** Returns the errors that occur more often than before. */
function without(errors: readonly string[], before: readonly string[]): readonly string[] {
  const left = [...before];
  return errors.filter((error) => {
    const place = left.indexOf(error);
    if (place !== -1) left.splice(place, 1);
    return place === -1;
  });
}

/** Merges the same problem of several pages; an error has the address of its first page. */
function mergeFailures(failures: readonly Failure[]): readonly LiveProblem[] {
  const merged = new Map<string, LiveProblem>();
  for (const { slug, address, found, isRequest } of failures) {
    const key = isRequest ? `${address} ${found}` : found;
    const known = merged.get(key);
    const usedBy = [...new Set([...(known?.usedBy ?? []), slug])];
    const hint = isRequest ? REQUEST_HINT : ERROR_HINT;
    merged.set(key, known === undefined ? { kind: "browser", address, found, usedBy, hint } : { ...known, usedBy });
  }
  return [...merged.values()];
}

const REQUEST_HINT =
  "The request succeeds in the built site. Name the file in the page itself, so that it is uploaded.";
const ERROR_HINT = "The error doesn't occur in the built site. Open the page with the browser's developer tools.";

/** Problems while a page is open. */
export interface Heard {
  readonly requests: readonly FailedRequest[];
  /** Console errors and uncaught errors of scripts, without addresses. */
  readonly errors: readonly string[];
}

export interface FailedRequest {
  readonly address: string;
  readonly found: string;
}

const LOAD_MS = 30_000;
const QUIET_FOR_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/** Opens a page as a first-time visitor and scrolls through it, which triggers lazy loading. */
export async function visitPage(browser: Browser, address: string): Promise<Heard> {
  const window = await browser.newContext({ reducedMotion: "reduce" });
  try {
    const page = await window.newPage();
    const [heard, becomesQuiet] = [listen(page), watchRequests(page)];
    try {
      await page.goto(address, { waitUntil: "load", timeout: LOAD_MS });
      await page.evaluate(SCROLL_THROUGH);
      await becomesQuiet();
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

/** Returns a function that waits until no request was in progress for a moment. A page that polls never gets quiet. */
function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  let onChange = () => {};
  const end = (request: Request) => {
    open.delete(request);
    onChange();
  };
  page.on("request", (request) => {
    open.add(request);
    onChange();
  });
  page.on("requestfinished", end).on("requestfailed", end);
  // Scripts seldom read the body of an error, and the browser then never finishes the request.
  page.on("response", (response) => response.status() >= 400 && end(response.request()));
  return () =>
    new Promise((resolve) => {
      let quiet: NodeJS.Timeout | undefined;
      onChange = () => {
        clearTimeout(quiet);
        if (open.size === 0) quiet = setTimeout(resolve, QUIET_FOR_MS);
      };
      onChange();
      setTimeout(resolve, LONGEST_WAIT_MS).unref();
    });
}

function listen(page: Page): Heard {
  const requests: FailedRequest[] = [];
  const errors: string[] = [];
  const fail = (address: string, found: string) => {
    if (requests.every((request) => request.address !== address)) requests.push({ address, found });
  };
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "no response";
    // Browsers abort requests for playing or abandoned media themselves.
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

// Failed requests are listed separately, with their addresses.
function isError(message: ConsoleMessage): boolean {
  return message.type() === "error" && !message.text().startsWith("Failed to load resource");
}

// The same error contains different addresses on the published page.
function withoutAddresses(text: string): string {
  return text.replace(/\b(?:https?|data|blob):[^\s'")]+/g, "<address>");
}

/** The built site, served on 127.0.0.1 as by a static host. */
export interface ServedFolder {
  /** Without a trailing slash. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves the files of a built site, and no others. */
export async function serveFolder(built: BuiltSite): Promise<ServedFolder> {
  const pages = new Map(built.pages.map(({ route, file }) => [route.replace(/\/$/, ""), file]));
  const files = new Set([...built.files.keys(), ...pages.values()]);
  const unwritten = new Map(built.pages.map(({ file, html }) => [file, html]));

  function fileAt(target: string): string | undefined {
    const path = decodePath(target);
    if (path === undefined || !`${path}/`.startsWith(built.base)) return undefined;
    const below = path.slice(built.base.length);
    return files.has(below) ? below : pages.get(`/${below}`.replace(/\/$/, ""));
  }

  const server = createServer((request, response) => {
    const file = fileAt(request.url ?? "/");
    if (file === undefined) return void response.writeHead(404, { "content-type": "text/plain" }).end("Not found");
    response.writeHead(200, { "content-type": contentTypeOf(file) });
    const html = unwritten.get(file);
    if (html !== undefined) return void response.end(html);
    createReadStream(join(built.root, file))
      .on("error", () => response.destroy())
      .pipe(response);
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function decodePath(target: string): string | undefined {
  try {
    return decodeURIComponent(new URL(target, "http://site.invalid").pathname);
  } catch {
    return undefined;
  }
}
