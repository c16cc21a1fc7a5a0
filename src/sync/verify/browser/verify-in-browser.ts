import type { Browser } from "playwright-core";
import { mapPool } from "../../../base/pool.ts";
import type { BuiltSite } from "../../../site/model.ts";
import type { LiveProblem, Verified } from "../../report/words.ts";
import type { OnStep } from "../../step.ts";
import type { LivePage } from "../verify-addresses.ts";
import type { OpenBrowser } from "./open-browser.ts";
import { serveFolder } from "./serve-folder.ts";
import { visitPage, type Heard } from "./visit-page.ts";

export interface BrowserContext {
  readonly built: BuiltSite;
  /** Shape of each page that is live, by slug. */
  readonly shapes: ReadonlyMap<string, string>;
  readonly openBrowser: OpenBrowser;
  /** Whether an address is on a host of the published pages or of the library. */
  readonly isOwnHost: (address: string) => boolean;
  readonly onStep: OnStep;
  readonly signal: AbortSignal | undefined;
}

export interface SeenInBrowser {
  /** Requests that fail. */
  readonly requests: readonly LiveProblem[];
  /** Errors of the console. */
  readonly errors: readonly LiveProblem[];
  readonly browser: NonNullable<Verified["browser"]>;
}

const MOST_PAGES = 20;
const AT_ONCE = 2;

/**
 * Opens one page of each shape, published and as it was built, and reports what fails only where it is published. Of
 * more shapes than fit, those that most pages have are opened.
 */
export async function verifyInBrowser(pages: readonly LivePage[], context: BrowserContext): Promise<SeenInBrowser> {
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

function groupByShape(
  pages: readonly LivePage[],
  shapes: ReadonlyMap<string, string>,
): readonly (readonly LivePage[])[] {
  const groups = new Map<string, LivePage[]>();
  for (const page of pages) {
    const shape = shapes.get(page.desired.slug);
    if (shape === undefined) continue;
    groups.set(shape, [...(groups.get(shape) ?? []), page]);
  }
  return [...groups.values()];
}

interface Opened extends BrowserContext {
  readonly browser: Browser;
  /** Of the built site as it is served here. */
  readonly origin: string;
}

interface Failure {
  readonly slug: string;
  readonly address: string;
  readonly found: string;
  readonly isRequest: boolean;
}

async function findFailures({ desired, address }: LivePage, context: Opened): Promise<readonly Failure[]> {
  const { browser, built, origin, isOwnHost } = context;
  const published = await visitPage(browser, address);
  if (published.requests.length === 0 && published.errors.length === 0) return [];
  const route = built.pages.find(({ file }) => file === desired.file)?.route;
  // A page that was made of a post has no file of its own.
  const before: Heard =
    route === undefined
      ? { requests: [], errors: [] }
      : await visitPage(browser, new URL(encodeURI(built.base + route.slice(1)), origin).href);
  const isOwn = (other: string) => other.startsWith(`${origin}/`) || isOwnHost(other);
  const known = new Set(before.requests.map((request) => nameOf(request.address, isOwn)));
  const requests = published.requests.filter((request) => !known.has(nameOf(request.address, isOwn)));
  const errors = without(published.errors, before.errors);
  return [
    ...requests.map(({ address, found }) => ({ slug: desired.slug, address, found, isRequest: true })),
    ...[...new Set(errors)].map((found) => ({ slug: desired.slug, address, found, isRequest: false })),
  ];
}

/** What two addresses share when one of them is that of the built site, served here. */
function nameOf(address: string, isOwn: (address: string) => boolean): string {
  if (!isOwn(address)) return address;
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** The errors that occur more often than before. */
function without(errors: readonly string[], before: readonly string[]): readonly string[] {
  const left = [...before];
  return errors.filter((error) => {
    const place = left.indexOf(error);
    if (place !== -1) left.splice(place, 1);
    return place === -1;
  });
}

/** One problem for what several pages have; an error has no address of its own but that of its first page. */
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
