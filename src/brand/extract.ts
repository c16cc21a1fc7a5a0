import { parseMetaRefresh } from "../html/address-texts.ts";
import { indexRules, type AppliedSheet, type RuleIndex } from "./css/cascade.ts";
import type { BrandFindings, SchemeName } from "./findings.ts";
import { findFrame, type FrameAddresses } from "./frame/frame.ts";
import { findDesign } from "./design.ts";
import { findFonts } from "./font/fonts.ts";
import { findLogoColors } from "./logo/logo-colors.ts";
import { findLogos } from "./logo/logos.ts";
import { pageKey, MAX_PAGE_LENGTH, parseDocument, resolveAddress, textOf } from "./document.ts";
import { createLikeness } from "./page/likeness.ts";
import { createLooks, looksOf, type PageLooks } from "./page/look.ts";
import { loadStyles } from "./page/page-styles.ts";
import { createReader, type ReadAddress, type Reader } from "./page/reader.ts";
import { copySprites } from "./page/sprites.ts";
import { loadScripts } from "./page/theme-switch.ts";
import { isTrial, samplePages, type SitePage } from "./page/site-page.ts";
import { findSiteName } from "./site-name.ts";
import { findColors } from "./vote/colors.ts";
import { distinguishHeadings } from "./vote/heading-votes.ts";
import { sum } from "./vote/tally.ts";

export const DEFAULT_PAGE_COUNT = 7;

/** A page with less text, in characters, is rendered by scripts. */
const LEAST_TEXT = 40;

export interface ExtractOptions {
  /** Reads an address: a file of a built folder, or a response of a server. */
  readonly read: ReadAddress;
  /** Absolute address of the home page. For a built folder, any that `read` understands: `https://site.example/`. */
  readonly home: string;
  /** Addresses of all pages, if they are known. Those that the home page links to come first. */
  readonly pages?: readonly string[];
  /** Maximum number of pages to analyze, including the home page. @default 7 */
  readonly maxPages?: number;
  /** Also extracts the frame of the home page; maps its links and files to addresses. */
  readonly frame?: FrameAddresses;
  /** Aborts the extraction; errors that `read` throws after that are passed on. */
  readonly signal?: AbortSignal;
}

/**
 * Finds colors, fonts, and logos of a site from its built pages and styles, without a browser. Never throws because of
 * the site's content: what can't be read is listed in `problems`, and what is uncertain is `null`. Deterministic.
 */
export async function extractBrand(options: ExtractOptions): Promise<BrandFindings> {
  const { read, home, signal } = options;
  const reader = createReader(read, { signal });
  const loaded = await loadPages(reader, options);
  signal?.throwIfAborted();
  const pages = lookAt(leadFirst(loaded));
  const speaking = pages.filter(({ weight }) => weight > 0);
  const logos = await findLogos(speaking, loaded[0]?.address ?? home, reader);
  const colorsOfLogo = await findLogoColors(logos, reader);
  const findScheme = (scheme: SchemeName) => findColors(speaking, scheme, colorsOfLogo);
  const colors = distinguishHeadings({ light: findScheme("light"), dark: findScheme("dark") });
  const fonts = findFonts(speaking);
  const [first] = pages;
  const frame = options.frame === undefined || first === undefined ? undefined : findFrame(first, options.frame);
  reportLooks(pages, reader);
  return {
    name: findSiteName(loaded, logos),
    home: loaded[0]?.address ?? home,
    pages: loaded.map(({ address }) => address),
    defaultScheme: pages[0]?.looks.defaultScheme ?? "light",
    colors,
    fonts,
    logos,
    design: (first && findDesign(first, colors[first.looks.defaultScheme]?.primary?.hex)) ?? null,
    frame: frame ?? null,
    problems: reader.problems(),
  };
}

/** A page before its styles are computed, which takes longer than everything before. */
interface LoadedPage extends Omit<SitePage, "looks"> {
  /** Equal for pages that look alike. */
  readonly likeness: string;
  look(): PageLooks;
}

/** Puts the page first that stands for the site: the home page, unless it is only an entrance to the others. */
function leadFirst(pages: readonly LoadedPage[]): readonly LoadedPage[] {
  const [home] = pages;
  const lead = pages.find(({ isBare, weight }) => !isBare && weight > 0);
  if (home === undefined || lead === undefined || lead === home) return pages;
  const others = pages.filter((page) => page !== lead && page !== home);
  return [{ ...lead, weight: home.weight }, ...others, { ...home, weight: lead.weight }];
}

/** Computes the looks of pages: among those that look alike, only of the first, which then counts for all. */
function lookAt(pages: readonly LoadedPage[]): readonly SitePage[] {
  return [...Map.groupBy(pages, ({ likeness }) => likeness).values()].flatMap((alike) => {
    const [first] = alike;
    if (first === undefined) return [];
    return { ...first, looks: first.look(), weight: sum(alike.map(({ weight }) => weight)) };
  });
}

async function loadPages(reader: Reader, options: ExtractOptions): Promise<readonly LoadedPage[]> {
  const { home, pages: known = [], maxPages = DEFAULT_PAGE_COUNT } = options;
  const kinds = { indexes: createIndexes(), likenessOf: createLikeness() };
  const first = await loadHome(reader, { address: home, ...kinds });
  if (first === undefined) return [];
  const addresses = samplePages(first, { known, limit: maxPages - 1 });
  const others = await Promise.all(addresses.map((address) => loadPage(reader, { address, ...kinds })));
  const seen = new Set([pageKey(first.address), pageKey(home)]);
  const distinct = others.filter((page) => {
    if (page === undefined || seen.has(pageKey(page.address)) || refreshOf(page) !== undefined) return false;
    seen.add(pageKey(page.address));
    return true;
  });
  return [first, ...distinct.flatMap((page) => (page === undefined ? [] : { ...page, weight: weigh(page, first) }))];
}

const MAX_REFRESHES = 3;

/** Loads the home page, or the one that it redirects to, such as that of a language. */
async function loadHome(reader: Reader, home: PageToLoad): Promise<LoadedPage | undefined> {
  let page = await loadPage(reader, home);
  for (let count = 0; page !== undefined && count < MAX_REFRESHES; count += 1) {
    const target = refreshOf(page);
    if (target === undefined || pageKey(target) === pageKey(page.address)) break;
    page = (await loadPage(reader, { ...home, address: target })) ?? page;
  }
  return page && { ...page, weight: 2 };
}

const LONGEST_WAIT_S = 5;

/** Target of a page's automatic redirect shortly after loading. */
function refreshOf({ address, document }: LoadedPage): string | undefined {
  const meta = document.elements.find(
    ({ name, attribs }) => name === "meta" && attribs["http-equiv"]?.toLowerCase() === "refresh",
  );
  const refresh = parseMetaRefresh(meta?.attribs["content"] ?? "");
  return refresh === undefined || refresh.seconds > LONGEST_WAIT_S
    ? undefined
    : resolveAddress(refresh.address, address);
}

/** Weight of a page relative to the home page. Test pages and fragments without styles are ignored. */
function weigh(page: LoadedPage, home: LoadedPage): number {
  if (home.sheets.length === 0) return 1;
  if (page.sheets.length === 0 || isTrial(page.address, home.address)) return 0;
  const own = new Set(home.sheets.map(({ sheet }) => sheet));
  return page.sheets.some(({ sheet }) => own.has(sheet)) ? 1 : 0.6;
}

interface PageToLoad {
  readonly address: string;
  readonly indexes: (sheets: readonly AppliedSheet[]) => Indexed;
  readonly likenessOf: ReturnType<typeof createLikeness>;
}

interface Indexed {
  readonly index: RuleIndex;
  /** Identifies the sheets and how the page applies them. */
  readonly key: string;
}

async function loadPage(reader: Reader, { address, indexes, likenessOf }: PageToLoad): Promise<LoadedPage | undefined> {
  const file = await reader.readText(address);
  if (file === undefined) return undefined;
  if (!/html|^$/i.test(file.contentType)) {
    reader.report(address, `Expected an HTML page, found ${file.contentType}.`);
    return undefined;
  }
  if (file.text.length > MAX_PAGE_LENGTH)
    reader.report(address, `Only the first ${MAX_PAGE_LENGTH} characters of the page were read.`);
  const document = await copySprites(parseDocument(file.text), file.address, reader);
  const isBare = document.body === undefined || textOf(document.body).length < LEAST_TEXT;
  if (isBare) {
    reader.report(address, "The page shows hardly any text without its scripts, which aren't run.");
  }
  const styles = await loadStyles(document, file.address, reader);
  if (styles.sheets.length === 0 && styles.googleFonts.length === 0) {
    reader.report(address, "The page has no readable style sheet.");
  }
  const hasThemes = styles.sheets.some(({ sheet }) =>
    sheet.rules.some(({ selectors }) => selectors.some(({ toggles }) => toggles.length > 0)),
  );
  const scripts = await loadScripts(document, { address: file.address, hasThemes, reader });
  const { index, key } = indexes(styles.sheets);
  const likeness = JSON.stringify([key, styles.googleFonts, scripts, isBare, likenessOf(document, index)]);
  const look = () => createLooks(document, { sheets: styles.sheets, index, scripts });
  return { address: file.address, document, ...styles, likeness, look, isBare, weight: 1 };
}

/** Most pages of a site share style sheets, whose rules are sorted only once. */
function createIndexes(): PageToLoad["indexes"] {
  const numbers = new Map<AppliedSheet["sheet"], number>();
  const known = new Map<string, RuleIndex>();
  return (sheets) => {
    for (const { sheet } of sheets) numbers.set(sheet, numbers.get(sheet) ?? numbers.size);
    const key = JSON.stringify(sheets.map(({ sheet, ...use }) => [numbers.get(sheet), use]));
    const index = known.get(key) ?? indexRules(sheets);
    known.set(key, index);
    return { index, key };
  };
}

function reportLooks(pages: readonly SitePage[], reader: Reader): void {
  for (const look of pages.flatMap(({ looks }) => looksOf(looks))) {
    for (const [subject, message] of look.problems()) reader.report(subject, message);
  }
}
