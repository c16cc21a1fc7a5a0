import { indexRules, type AppliedSheet, type RuleIndex } from "./css/cascade.ts";
import type { BrandFindings } from "./findings.ts";
import { findFonts } from "./font/fonts.ts";
import { findLogos } from "./logo/logos.ts";
import { pageKey, MAX_PAGE_LENGTH, parseDocument, textOf } from "./document.ts";
import { createLooks } from "./page/look.ts";
import { loadStyles } from "./page/page-styles.ts";
import { createReader, type ReadAddress, type Reader } from "./page/reader.ts";
import { samplePages, type SitePage } from "./page/site-page.ts";
import { findSiteName } from "./site-name.ts";
import { findColors } from "./vote/colors.ts";

/** How many pages are looked at when nothing else is said. */
export const DEFAULT_PAGE_COUNT = 7;

/** A page with less text, in characters, is made by scripts. */
const LEAST_TEXT = 40;

export interface ExtractOptions {
  /** Gives what is at an address: a file of a built folder, or an answer of a server. */
  readonly read: ReadAddress;
  /** Absolute address of the home page. For a built folder any that `read` understands: `https://site.example/`. */
  readonly home: string;
  /** Addresses of further pages. Pages that the home page links to come first. */
  readonly pages?: readonly string[];
  /** Most pages that are looked at, the home page counted. @default 7 */
  readonly maxPages?: number;
  /** Ends the extraction: what `read` throws after the abort is thrown on. */
  readonly signal?: AbortSignal;
}

/**
 * Finds colors, fonts and logos of a site from its built pages and styles, without a browser. Never throws for what
 * the site contains: what can't be read is among the `problems`, and what is not certain is `null`. The same content
 * always gives the same findings.
 */
export async function extractBrand(options: ExtractOptions): Promise<BrandFindings> {
  const { read, home, signal } = options;
  const reader = createReader(read, { signal });
  const pages = await loadPages(reader, options);
  signal?.throwIfAborted();
  const logos = await findLogos(pages, pages[0]?.address ?? home, reader);
  const colors = { light: findColors(pages, "light"), dark: findColors(pages, "dark") };
  const fonts = findFonts(pages);
  reportLooks(pages, reader);
  return {
    name: findSiteName(pages, logos),
    home: pages[0]?.address ?? home,
    pages: pages.map(({ address }) => address),
    defaultScheme: pages[0]?.looks.defaultScheme ?? "light",
    colors,
    fonts,
    logos,
    problems: reader.problems(),
  };
}

async function loadPages(reader: Reader, options: ExtractOptions): Promise<readonly SitePage[]> {
  const { home, pages: known = [], maxPages = DEFAULT_PAGE_COUNT } = options;
  const indexes = createIndexes();
  const first = await loadPage(reader, { address: home, weight: 2, indexes });
  if (first === undefined) return [];
  const addresses = samplePages(first, { known, limit: maxPages - 1 });
  const others = await Promise.all(addresses.map((address) => loadPage(reader, { address, weight: 1, indexes })));
  const seen = new Set([pageKey(first.address)]);
  const distinct = others.filter((page) => {
    if (page === undefined || seen.has(pageKey(page.address))) return false;
    seen.add(pageKey(page.address));
    return true;
  });
  return [first, ...distinct.flatMap((page) => page ?? [])];
}

interface PageToLoad {
  readonly address: string;
  readonly weight: number;
  readonly indexes: (sheets: readonly AppliedSheet[]) => RuleIndex;
}

async function loadPage(reader: Reader, { address, weight, indexes }: PageToLoad): Promise<SitePage | undefined> {
  const file = await reader.readText(address);
  if (file === undefined) return undefined;
  if (!/html|^$/i.test(file.contentType)) {
    reader.report(address, `A page was expected, and ${file.contentType} was found.`);
    return undefined;
  }
  if (file.text.length > MAX_PAGE_LENGTH)
    reader.report(address, `Only the first ${MAX_PAGE_LENGTH} characters of the page were read.`);
  const document = parseDocument(file.text);
  const isBare = document.body === undefined || textOf(document.body).length < LEAST_TEXT;
  if (isBare) {
    reader.report(address, "The page shows hardly any text without its scripts: what they would show is not seen.");
  }
  const styles = await loadStyles(document, file.address, reader);
  if (styles.sheets.length === 0 && styles.googleFonts.length === 0) {
    reader.report(address, "The page has no style sheet that could be read.");
  }
  const looks = createLooks(document, styles.sheets, indexes(styles.sheets));
  return { address: file.address, document, ...styles, looks, isBare, weight };
}

/** Pages of a site mostly have the same style sheets: their rules are sorted once. */
function createIndexes(): PageToLoad["indexes"] {
  const numbers = new Map<AppliedSheet["sheet"], number>();
  const known = new Map<string, RuleIndex>();
  return (sheets) => {
    for (const { sheet } of sheets) numbers.set(sheet, numbers.get(sheet) ?? numbers.size);
    const key = JSON.stringify(sheets.map(({ sheet, ...use }) => [numbers.get(sheet), use]));
    const index = known.get(key) ?? indexRules(sheets);
    known.set(key, index);
    return index;
  };
}

function reportLooks(pages: readonly SitePage[], reader: Reader): void {
  for (const { looks } of pages) {
    for (const look of [looks.light, looks.dark]) {
      for (const [subject, message] of look?.problems() ?? []) reader.report(subject, message);
    }
  }
}
