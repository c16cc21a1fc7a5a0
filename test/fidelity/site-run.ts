import type { Browser } from "playwright-core";
import { mapPool } from "../../src/base/pool.ts";
import { comparePictures, type Difference } from "./compare-pictures.ts";
import { openOriginal, type OriginalSite } from "./original-site.ts";
import { openPublished, type PublishedSite, type World } from "./published-site.ts";
import { visit, type Visit } from "./visit.ts";

/** One page on both sites. */
export interface ComparedPage {
  readonly route: string;
  readonly original: Visit;
  readonly published: Visit;
  readonly difference: Difference;
}

/** A built site that was visited under `astro preview`. */
export interface SiteRun {
  readonly original: OriginalSite;
  /** Publishes it and visits every published page. */
  publishTo(world: World): Promise<WorldRun>;
  close(): Promise<void>;
}

export interface WorldRun {
  readonly published: PublishedSite;
  readonly pages: readonly ComparedPage[];
  /** Address of a page under `astro preview`. */
  readonly originalAddress: (route: string) => string;
  readonly publishedAddress: (route: string) => string;
}

// A page mostly waits for its network to become idle.
const WINDOWS = 4;

/** Builds and serves a site. Opens every original page only once, however often the site is published. */
export async function startRun(folder: string, browser: Browser): Promise<SiteRun> {
  const original = await openOriginal(folder);
  const visits = new Map<string, Promise<Visit>>();
  const opened: PublishedSite[] = [];

  function visitOriginal(address: string): Promise<Visit> {
    const known = visits.get(address) ?? visit(browser, address);
    visits.set(address, known);
    return known;
  }

  async function publishTo(world: World): Promise<WorldRun> {
    const published = await openPublished(original, world);
    opened.push(published);
    const addresses = await findAddresses(original, published);
    const originalAddress = (route: string) => addresses.get(route) ?? original.origin;
    const publishedAddress = (route: string) => `${published.origin}/p/${published.slugs.get(route) ?? ""}`;
    const pages = await mapPool([...published.slugs.keys()], WINDOWS, async (route) => {
      const before = await visitOriginal(originalAddress(route));
      const after = await visit(browser, publishedAddress(route));
      const difference = await comparePictures(before.picture, after.picture);
      return { route, original: before, published: after, difference };
    });
    return { published, pages, originalAddress, publishedAddress };
  }

  return {
    original,
    publishTo,
    async close() {
      await Promise.all(opened.map((published) => published.close()));
      await original.close();
    },
  };
}

// `trailingSlash` and `build.format` decide which form of an address the preview server responds to.
async function findAddresses({ origin, hints }: OriginalSite, { files, slugs }: PublishedSite) {
  const addresses = new Map<string, string>();
  for (const { route, file } of files.filter((page) => slugs.has(page.route))) {
    for (const form of formsOf(file)) {
      const address = new URL(`/${hints.base ?? ""}/${form}`.replace(/\/+/g, "/"), origin).href;
      const answer = await fetch(address, { redirect: "manual" });
      await answer.body?.cancel();
      if (answer.status !== 200) continue;
      addresses.set(route, address);
      break;
    }
  }
  return addresses;
}

/** Returns the forms of a page's address, as relative links depend on the trailing slash. */
function formsOf(file: string): readonly string[] {
  const folder = file.replace(/(?:^|\/)index\.html$/, "");
  return folder === file ? [file.replace(/\.html$/, ""), file] : [`${folder}/`, folder];
}
