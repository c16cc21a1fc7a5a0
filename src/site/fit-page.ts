import { applyEdits } from "../html/edits.ts";
import { findFontFaces, type FontFace } from "../html/font-faces.ts";
import { renderMarker, setMarker, UNSET_MARKER } from "../html/marker.ts";
import { parseHtml } from "../html/parse.ts";
import { sizeOfHtml, type PageHtml } from "../html/page-html.ts";
import { policyHash, renderTextHashPlaceholder } from "../html/fill-placeholders.ts";
import { innerRange, visitElements, type SourceRange } from "../html/tree.ts";
import type { RewrittenPage, SiteWarning } from "./model.ts";

interface PageBudget {
  /** Maximum page size in bytes. */
  readonly maxBytes: number;
  /** Path of the page's file below the dist folder, for warnings. */
  readonly file: string;
}

/**
 * Makes a page fit a size limit by omitting embedded fonts, in the order that readers notice least: italics, weights
 * other than regular, characters beyond basic Latin. Each is a warning. A page that still doesn't fit is returned
 * complete, with a warning that lists its largest parts.
 */
export function fitPage(page: RewrittenPage, { maxBytes, file }: PageBudget): RewrittenPage {
  if (sizeOfHtml(page) <= maxBytes) return page;
  const warnings: SiteWarning[] = [];
  const { findInsert } = page;
  let { html } = page;
  for (const sacrifice of SACRIFICES) {
    const faces = findInlineSheets(html).flatMap(({ css }) => findInlineFaces({ html: css, findInsert }));
    const leftOut = faces.filter((face) => sacrifice.isLeftOut(face, faces));
    if (leftOut.length === 0) continue;
    html = removeInlineFaces({ html, findInsert }, (face) => sacrifice.isLeftOut(face, faces));
    const families = [...new Set(leftOut.map(({ family }) => family))].join(", ");
    // Doesn't include the page's own size, so that pages that lack the same fonts are reported together.
    const message = `The page exceeds the limit of ${formatSize(maxBytes)}: ${sacrifice.words(families)}.`;
    warnings.push({ code: "font-left-out", file, message });
    if (sizeOfHtml({ html, findInsert }) <= maxBytes) {
      return {
        ...page,
        ...setMarker({ html: html.replace(renderMarker(page.hash), UNSET_MARKER), findInsert }),
        warnings: [...page.warnings, ...warnings],
      };
    }
  }
  const size = `The page has ${formatSize(sizeOfHtml(page))}, but at most ${formatSize(maxBytes)} is allowed`;
  const message = `${size}. Its largest parts: ${describeParts(page)}.`;
  return { ...page, warnings: [...page.warnings, { code: "page-too-large", file, message }] };
}

interface Sacrifice {
  readonly isLeftOut: (face: InlineFace, all: readonly InlineFace[]) => boolean;
  /** Describes what is omitted and what readers see instead. */
  readonly words: (families: string) => string;
}

const LAST_ASCII = 0x7f;

const SACRIFICES: readonly Sacrifice[] = [
  {
    isLeftOut: ({ style, family }, all) =>
      style === "italic" && all.some((other) => other.style === "upright" && other.family === family),
    words: (families) => `italics of ${families} are left out, so browsers slant the upright face`,
  },
  {
    isLeftOut: (face, all) =>
      all.some((other) => isSibling(other, face) && distanceToRegular(other) < distanceToRegular(face)),
    words: (families) => `weights of ${families} other than regular are left out, so browsers synthesize them`,
  },
  {
    isLeftOut: ({ ranges }) => ranges !== undefined && ranges.every(([first]) => first > LAST_ASCII),
    words: (families) => `characters of ${families} beyond basic Latin are left out, so other fonts show them`,
  },
];

function isSibling(other: InlineFace, face: InlineFace): boolean {
  return other.family === face.family && other.style === face.style;
}

function distanceToRegular({ weights: [lightest, boldest] }: InlineFace): number {
  return Math.max(lightest - 400, 400 - boldest, 0);
}

function describeParts(page: RewrittenPage): string {
  return findPageParts(page)
    .slice(0, 3)
    .map(({ name, bytes }) => `${name} (${formatSize(bytes)})`)
    .join(", ");
}

function formatSize(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

interface PagePart {
  readonly name: string;
  readonly bytes: number;
}

/** The contents of a page, largest first: each embedded font, script, and file, its styles, and the rest. */
function findPageParts(page: RewrittenPage): readonly PagePart[] {
  const { html, findInsert } = page;
  const sheets = findInlineSheets(html).map(({ css }) => ({ html: css, findInsert }));
  const fonts = sheets.flatMap(findInlineFaces).map((face) => ({ name: nameOf(face), bytes: face.bytes }));
  const scripts = [...(page.scriptFiles ?? []), ...findInlineScripts(page)];
  const styles = {
    name: "styles",
    bytes: sheets.reduce((sum, sheet) => sum + sizeOfHtml(sheet), 0) - sumOf(fonts),
  };
  const rest = sizeOfHtml(page) - sumOf([...fonts, ...scripts, styles]);
  const parts = [...fonts, ...scripts, styles, { name: "markup", bytes: rest }];
  return parts.filter(({ bytes }) => bytes > 0).toSorted((one, other) => other.bytes - one.bytes);
}

function sumOf(parts: readonly { readonly bytes: number }[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** `Literata 400 italic` */
function nameOf({ family, weights, style }: InlineFace): string {
  const [lightest, boldest] = weights;
  const weight = lightest === boldest ? String(lightest) : `${lightest}–${boldest}`;
  return `font ${family} ${weight}${style === "italic" ? " italic" : ""}`;
}

const IN_MAP = /"([^"\\]+)":"(data:(?:[^"\\]|\\.)*)"/g;

/** Import maps and the route map name what they embed: `"@i/_astro/a.js":"data:text/javascript,…"`. */
function findInScript(script: string, findInsert: PageHtml["findInsert"]): readonly PagePart[] {
  const embedded = Array.from(script.matchAll(IN_MAP), ([, key = "", address = ""]) => ({
    name: key.startsWith("@i/") ? `script ${key.slice("@i/".length)}` : `file ${key}`,
    bytes: sizeOfHtml({ html: address, findInsert }),
  }));
  const start = script.trim().slice(0, LONGEST_START).replaceAll(/\s+/g, " ");
  const rest = sizeOfHtml({ html: script, findInsert }) - sumOf(embedded);
  return [...embedded, { name: `inline script \`${start}…\``, bytes: rest }];
}

const LONGEST_START = 40;

function findInlineScripts({ html, findInsert }: PageHtml): readonly PagePart[] {
  const parts: PagePart[] = [];
  visitElements(parseHtml(html), (element) => {
    const range = element.tagName === "script" ? innerRange(element) : undefined;
    if (range !== undefined) parts.push(...findInScript(html.slice(range.start, range.end), findInsert));
  });
  return parts;
}

/** A font embedded in a page's `<style>` as a `data:` address. */
interface InlineFace extends SourceRange {
  readonly family: string;
  readonly style: "upright" | "italic";
  /** The lightest and boldest weight of the face. */
  readonly weights: readonly [lightest: number, boldest: number];
  /** Code points that the face covers; `undefined`: all. */
  readonly ranges: FontFace["ranges"];
  /** Size of its rule in the page, in bytes. */
  readonly bytes: number;
}

/** The style sheets in a page's `<style>` elements, with their source ranges. */
function findInlineSheets(html: string): readonly (SourceRange & { readonly css: string })[] {
  const sheets: (SourceRange & { readonly css: string })[] = [];
  visitElements(parseHtml(html), (element) => {
    const range = element.tagName === "style" ? innerRange(element) : undefined;
    if (range !== undefined) sheets.push({ ...range, css: html.slice(range.start, range.end) });
  });
  return sheets;
}

/** Removes fonts from a page's style sheets and updates its content security policies. */
function removeInlineFaces({ html, findInsert }: PageHtml, isLeftOut: (face: InlineFace) => boolean): string {
  const changes = findInlineSheets(html).flatMap(({ css, start, end }) => {
    const removed = findInlineFaces({ html: css, findInsert }).filter(isLeftOut);
    const edits = removed.map((face) => ({ start: face.start, end: face.end, text: "" }));
    return removed.length === 0 ? [] : [{ start, end, css, text: applyEdits(css, edits) }];
  });
  return changes.reduce(
    (page, { css, text }) => {
      const before = { html: css, findInsert };
      const after = { html: text, findInsert };
      return page
        .replaceAll(policyHash(before), policyHash(after))
        .replaceAll(renderTextHashPlaceholder(before), renderTextHashPlaceholder(after));
    },
    applyEdits(html, changes),
  );
}

function findInlineFaces({ html: css, findInsert }: PageHtml): readonly InlineFace[] {
  return findFontFaces(css).flatMap(({ start, end, source, ranges }): readonly InlineFace[] => {
    if (source === undefined || !css.slice(source.start, source.end).includes("data:")) return [];
    const descriptors = css.slice(start, source.start) + css.slice(source.end, end);
    const family = (descriptorOf(descriptors, "family") ?? "").replaceAll(/^["']|["']$/g, "");
    const style = /italic|oblique/i.test(descriptorOf(descriptors, "style") ?? "") ? "italic" : "upright";
    const weights = parseWeights(descriptorOf(descriptors, "weight") ?? "400");
    const bytes = sizeOfHtml({ html: css.slice(start, end), findInsert });
    return [{ start, end, family, style, weights, ranges, bytes }];
  });
}

function descriptorOf(descriptors: string, name: string): string | undefined {
  return new RegExp(`font-${name}\\s*:\\s*([^;}]+)`, "i").exec(descriptors)?.[1]?.trim();
}

function parseWeights(text: string): readonly [number, number] {
  const [lightest = 400, boldest = lightest] = text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => (word === "bold" ? 700 : Number.parseInt(word, 10) || 400));
  return [lightest, boldest];
}
