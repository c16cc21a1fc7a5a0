import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { launchBrowser } from "../../browser.ts";
import { openOriginal, type OriginalSite } from "../original-site.ts";
import { openPublished, type PublishedSite, type World } from "../published-site.ts";
import { listen, openWindow } from "../visit.ts";

/** A visitor's steps on a site with scripts, on both the original and the published site. */
export interface ScriptedVisit {
  readonly name: string;
  /** Address of the start page, relative to the site's base. */
  readonly start: string;
  /** Returns what the visitor saw on the way. */
  readonly act: (page: Page) => Promise<readonly string[]>;
  /** What the visitor must see on both sites. */
  readonly sees: readonly string[];
  /**
   * Text that a warning of the report may contain, with its file and line, instead of the same result: for cases that
   * can't always be supported.
   */
  readonly orReported?: RegExp;
  /** Whether its page does more than this; then failed requests of its other parts don't count for this visit. */
  readonly isPart?: boolean;
}

export interface VisitedSite {
  readonly title: string;
  /** Relative to the repository. */
  readonly folder: string;
  readonly visits: readonly ScriptedVisit[];
  /** Environment variables that the site's config reads. */
  readonly settings?: NodeJS.ProcessEnv;
  /** Further tests of each published site. */
  readonly also?: (published: () => PublishedSite) => void;
}

const FULL: readonly World[] = [
  { routeSet: "a", mode: "full" },
  { routeSet: "b", mode: "full" },
];
const STRICT: readonly World[] = [
  { routeSet: "a", mode: "strict" },
  { routeSet: "b", mode: "strict" },
];
const WIDTHS = [1280, 390];

/** Visits a real build under `astro preview`, and published to both route sets, full and strict. */
export function describeVisits({ title, folder, visits, settings, also }: VisitedSite): void {
  describe(`${title}`, () => {
    let original: OriginalSite;
    let browser: Browser;

    beforeAll(async () => {
      [original, browser] = await Promise.all([openOriginal(folder, settings), launchBrowser()]);
    });

    afterAll(async () => {
      await browser?.close();
      await original?.close();
    });

    const originalAddress = (route: string) =>
      new URL(`/${original.hints.base ?? ""}/${route}`.replace(/\/+/g, "/"), original.origin).href;

    // The original is the same for every host.
    const visited = new Map<string, ReturnType<typeof travel>>();
    function visitOriginal({ name, start, act }: ScriptedVisit, width: number): ReturnType<typeof travel> {
      const key = `${name} ${width}`;
      const known = visited.get(key) ?? travel(browser, { address: originalAddress(start), act, width });
      visited.set(key, known);
      return known;
    }

    describe("with astro preview", () => {
      for (const visit of visits) {
        const { name, sees } = visit;
        it.concurrent(`${name}`, async ({ expect }) => {
          const { seen } = await visitOriginal(visit, 1280);
          expect(seen.join("\n"), seen.join(" | ")).toBe(sees.join("\n"));
        });
      }
    });

    describe.each([...FULL, ...STRICT])("published to route set $routeSet, $mode:", (world) => {
      let published: PublishedSite;

      beforeAll(async () => {
        published = await openPublished(original, world);
      });

      afterAll(() => published?.close());

      // A strict host differs in its responses, not in its visitors' window widths.
      describe.each(world.mode === "full" ? WIDTHS : [1280])("%d wide", (width) => {
        for (const visit of visits) {
          const { name, start, act, sees, orReported, isPart = false } = visit;
          it.concurrent(`${name}`, async ({ expect }) => {
            const slug = published.slugs.get(start) ?? published.slugs.get(`${start}/`) ?? "";
            const address = `${published.origin}/p/${slug}`;
            const before = await visitOriginal(visit, width);
            const after = await travel(browser, { address, act, width });
            if (orReported !== undefined && after.seen.join("\n") !== sees.join("\n")) {
              expect(tellingsOf(published, orReported), `seen instead: ${after.seen.join(" | ")}`).not.toEqual([]);
              return;
            }
            expect.soft(after.seen.join("\n")).toBe(sees.join("\n"));
            if (isPart) return;
            expect.soft(after.failed.join("\n"), "requests that failed").toBe(before.failed.join("\n"));
            expect.soft(after.errors.join("\n"), "errors on the console").toBe(before.errors.join("\n"));
          });
        }
      });

      also?.(() => published);
    });
  });
}

/** Returns the locations of warnings that mention something. */
function tellingsOf({ report }: PublishedSite, text: RegExp): readonly string[] {
  return report.warnings
    .filter(({ file, message }) => text.test(message) && file !== undefined)
    .map(({ message }) => message);
}

interface Travel {
  readonly address: string;
  readonly width: number;
  readonly act: ScriptedVisit["act"];
}

const PATIENCE_MS = 5000;

async function travel(browser: Browser, { address, width, act }: Travel) {
  const window = await openWindow(browser, width);
  try {
    // Another site, which a browser without a network can't reach.
    await window.route("https://elsewhere.example/**", (route) =>
      route.fulfill({ contentType: "text/html", body: "<title>Elsewhere</title><h1>Elsewhere</h1>" }),
    );
    // All visits come from one visitor here, who opens more pages per minute than the service counts.
    await window.route("**/_b", (route) => route.fulfill({ status: 204 }));
    const page = await window.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const heard = listen(page);
    await page.goto(address, { waitUntil: "load" });
    await calm(page);
    const seen = await act(page).catch((error: unknown) => [`could not go on: ${String(error).split("\n", 1)[0]}`]);
    await calm(page);
    return {
      seen,
      // A navigation aborts pending requests of the previous page.
      failed: heard.failed.map(({ reason }) => reason).filter((reason) => reason !== "net::ERR_ABORTED"),
      errors: heard.console.filter((line) => line.startsWith("error:")),
    };
  } finally {
    await window.close();
  }
}

// A page with a shared worker never becomes idle.
async function calm(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle", { timeout: 2000 }).catch(() => undefined);
}

/** Describes the open page: its heading, with the query and fragment of its address. */
export async function whereIs(page: Page): Promise<string> {
  await page.waitForLoadState("load");
  const heading = await page.locator("h1").first().innerText();
  return `${heading} ${await page.evaluate<string>("location.search + location.hash")}`.trim();
}

/** Navigates to another page and returns its description. */
export async function lead(page: Page, act: () => Promise<unknown>): Promise<string> {
  const before = await page.title();
  await act();
  const hasLeft = `document.title !== ${JSON.stringify(before)} && document.readyState === "complete"`;
  return await page.waitForFunction(hasLeft).then(
    () => whereIs(page),
    () => `still ${before}`,
  );
}

/** Returns the text of an element once a script has written it. */
export async function writtenText(page: Page, id: string): Promise<string> {
  const element = page.getByTestId(id);
  const isWritten = `!["", "waiting"].includes(document.querySelector('[data-testid="${id}"]')?.textContent ?? "")`;
  await page.waitForFunction(isWritten).catch(() => undefined);
  return element.innerText();
}

/** Returns the width of an element's background image, if it loads. */
export async function backgroundWidth(page: Page, id: string): Promise<string> {
  const width = await page.evaluate<number>(`(async () => {
    const image = new Image();
    image.src = getComputedStyle(document.querySelector('[data-testid="${id}"]')).backgroundImage.slice(5, -2);
    return image.decode().then(() => image.naturalWidth, () => 0);
  })()`);
  return `${width} pixels`;
}

/** Counts the broken images of a page. */
export async function brokenImages(page: Page): Promise<string> {
  const count = await page.evaluate<number>(
    "Promise.all([...document.images].map((image) => image.decode().then(() => 0, () => 1))).then((all) => all.reduce((sum, one) => sum + one, 0))",
  );
  return `${count} broken images`;
}
