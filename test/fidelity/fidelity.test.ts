import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseQuickly } from "../../src/html/quick/quick-parse.ts";
import { launchBrowser } from "../browser.ts";
import { keepPictures } from "./compare-pictures.ts";
import { createLinkOracle, type Expected } from "./expected-links.ts";
import type { Report } from "../../src/publish.ts";
import type { World } from "./published-site.ts";
import { startRun, type SiteRun, type WorldRun } from "./site-run.ts";
import { SITES } from "./sites.ts";
import { renderRow, renderTable } from "./table.ts";
import { isReported, withoutReported } from "./reported.ts";
import { listen, openWindow, settle } from "./visit.ts";

const FULL: readonly World[] = [
  { routeSet: "a", mode: "full" },
  { routeSet: "b", mode: "full" },
];
const STRICT: readonly World[] = [
  { routeSet: "a", mode: "strict" },
  { routeSet: "b", mode: "strict" },
];
const MOST_DIFFERENT = 0.001;

const rows: (readonly string[])[] = [];
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  process.stdout.write(`\n${renderTable(rows)}\n`);
});

describe.each(SITES)("$name: $uses", ({ name, folder, journeys, buttons, reported = [], isAlsoStrict = false }) => {
  let site: SiteRun;

  beforeAll(async () => {
    site = await startRun(folder, browser);
  });

  afterAll(() => site?.close());

  describe.each(isAlsoStrict ? [...FULL, ...STRICT] : FULL)("published to route set $routeSet, $mode", (world) => {
    let run: WorldRun;

    beforeAll(async () => {
      run = await site.publishTo(world);
      rows.push(renderRow(name, world, run));
    });

    it("publishes every page", () => {
      // A strict host doesn't announce where it shows pages, which the report mentions; every page is published all the same.
      const refused = run.published.report.entries.filter(
        ({ kind, resource }) => (kind === "failed" || kind === "blocked") && resource !== "host",
      );
      expect(refused).toEqual([]);
      expect(run.pages.length).toBeGreaterThan(0);
      const missing = run.pages.filter((page) => page.original.status !== 200 || page.published.status !== 200);
      expect(missing.map(({ route }) => route)).toEqual([]);
    });

    it("looks the same as with astro preview", async () => {
      for (const { route, original, published, difference } of run.pages) {
        if (difference.share > MOST_DIFFERENT) {
          const place = `${name}-${run.published.slugs.get(route)}-${world.routeSet}-${world.mode}`;
          await keepPictures(place, {
            original: original.picture,
            published: published.picture,
            difference: difference.picture,
          });
        }
        expect.soft(difference.share, `share of different pixels on ${route}`).toBeLessThanOrEqual(MOST_DIFFERENT);
      }
    });

    it("logs the same console messages, and no error", () => {
      for (const { route, original, published } of run.pages) {
        expect.soft(original.console.filter(isError), `original ${route}`).toEqual([]);
        expect.soft(withoutReported(run.published.report, published).console, route).toEqual(original.console);
      }
    });

    it("makes no failing request, and none to another host", () => {
      for (const { route, published } of run.pages) {
        expect.soft(withoutReported(run.published.report, published).failed, route).toEqual([]);
        const foreign = published.origins.filter((origin) => origin !== "null" && origin !== run.published.origin);
        expect.soft(foreign, route).toEqual([]);
      }
    });

    it("has HTML that is parsed without parse5", () => {
      const refused = globSync("**/*.html", { cwd: site.original.dist }).flatMap((file) => {
        const result = parseQuickly(readFileSync(join(site.original.dist, file), "utf8"));
        return result.kind === "refused" ? [`${file}: ${result.reason}`] : [];
      });
      expect(refused).toEqual([]);
    });

    it("reports unsupported content", () => {
      expect(run.published.report.warnings.map(({ code }) => code)).toEqual(expect.arrayContaining([...reported]));
    });

    it("shows every image and hydrates every island", () => {
      for (const { route, original, published } of run.pages) {
        expect.soft(original.broken, `original ${route}`).toEqual([]);
        expect.soft(published.broken, route).toEqual([]);
      }
    });

    it("reacts to every button as with astro preview", () => {
      for (const { route, original, published } of run.pages) {
        expect.soft(published.presses, route).toEqual(original.presses);
        expect
          .soft(
            original.presses.filter(({ didChange }) => !didChange),
            `original ${route}`,
          )
          .toEqual([]);
      }
      expect(run.pages.flatMap(({ published }) => published.presses)).toHaveLength(buttons);
    });

    it("links to the same targets", async () => {
      const expected = createLinkOracle({ original: site.original, published: run.published });
      for (const { route, original, published } of run.pages) {
        expect.soft(published.links.length, `links of ${route}`).toBe(original.links.length);
        for (const [index, link] of original.links.entries()) {
          const { address = "nowhere" } = published.links[index] ?? {};
          const verdict = await judge(expected(link, route), address, run.published.report);
          expect.soft(verdict, `${link.href} on ${route} leads to ${address}`).toBe("fine");
        }
      }
    });

    it("has published addresses in its canonical, alternate, and image metadata", async () => {
      const expected = createLinkOracle({ original: site.original, published: run.published });
      for (const { route, original, published } of run.pages) {
        expect.soft(published.headAddresses.length, route).toBe(original.headAddresses.length);
        // A strict service doesn't announce where it shows pages, so the original addresses stay.
        for (const [index, { name, address }] of world.mode === "full" ? original.headAddresses.entries() : []) {
          const { address: actual = "nowhere" } = published.headAddresses[index] ?? {};
          const verdict = await judge(expected({ href: address, address }, route), actual, run.published.report);
          expect.soft(verdict, `${name} of ${route} is ${actual}`).toBe("fine");
        }
      }
    });

    it.each(journeys)("$name", async ({ start, travel, sees }) => {
      for (const address of [run.originalAddress(start), run.publishedAddress(start)]) {
        const window = await openWindow(browser);
        const page = await window.newPage();
        const heard = listen(page);
        await page.goto(address, { waitUntil: "load" });
        await settle(page);
        const seen = await travel(page);
        await window.close();
        expect.soft(seen, address).toEqual(sees);
        const { console, failed } = withoutReported(run.published.report, heard);
        // A navigation aborts pending requests of the previous page.
        expect
          .soft(
            failed.filter(({ reason }) => reason !== "net::ERR_ABORTED"),
            address,
          )
          .toEqual([]);
        expect.soft(console.filter(isError), address).toEqual([]);
      }
    });
  });
});

function isError(line: string): boolean {
  return line.startsWith("error:");
}

async function judge(expected: Expected, address: string, report: Report): Promise<string> {
  if (expected.kind === "address") return expected.address === address ? "fine" : `not ${expected.address}`;
  if (isReported(report, expected.path)) return "fine";
  if (expected.kind === "dangling") return `the report does not tell that ${expected.path} leads nowhere`;
  const answer = await fetch(address, { method: "HEAD" });
  return answer.status === 200 ? "fine" : `answers ${answer.status}`;
}
