import { findAttribute, renderAttributes } from "../../html/attributes.ts";
import { innerRange, type HtmlElement } from "../../html/tree.ts";
import {
  dropIntegrity,
  lineOf,
  passWarnings,
  replaceElement,
  setAttribute,
  useAssets,
  type PageDraft,
} from "./page-draft.ts";
import { hasOptionalFonts, renderStyleSheet, type StyleSheet } from "./style-sheet.ts";
import { resolveTarget } from "./targets.ts";

/** Attributes of a `<link>` that mean nothing on the `<style>` that takes its place. */
const LINK_ONLY = new Set(["rel", "href", "type", "integrity", "crossorigin", "referrerpolicy", "as", "fetchpriority"]);

/** A linked stylesheet, put into the page or the library. */
export function rewriteStyleLink(element: HtmlElement, draft: PageDraft): void {
  const { shop, page } = draft;
  const target = resolveTarget(draft, element, findAttribute(element, "href") ?? "");
  if (target.kind !== "file") return;
  if (shop.settings.placement.styles === "library") {
    const { address, assets, warnings } = shop.styles.addressOf(target.path, page.file);
    useAssets(draft, assets);
    passWarnings(draft, warnings);
    setAttribute(draft, element, { name: "href", value: address });
    dropIntegrity(draft, element);
    return;
  }
  const attributes = renderAttributes(draft.html, element, LINK_ONLY);
  writeSheet(draft, shop.styles.fromFile(target.path, page.file), (css) => {
    draft.inlineTexts.push({ directive: "style-src", text: css });
    replaceElement(draft, element, `<style${attributes}>${css}</style>`);
  });
}

/** The addresses in a `<style>`. */
export function rewriteStyleElement(element: HtmlElement, draft: PageDraft): void {
  const range = innerRange(element);
  if (range === undefined) return;
  const source = draft.html.slice(range.start, range.end);
  if (!mayNameFiles(source) || draft.baseFile === undefined) {
    draft.inlineTexts.push({ directive: "style-src", text: source });
    return;
  }
  const firstLine = lineOf(draft, element) ?? 1;
  const place = { file: draft.page.file, base: draft.baseFile, usedIn: draft.page.file, firstLine };
  writeSheet(draft, draft.shop.styles.fromText(source, place), (css) => {
    draft.inlineTexts.push({ directive: "style-src", text: css });
    if (css !== source) draft.edits.push({ ...range, text: css });
  });
}

/** Text in an SVG may hold elements and character references, which CSS does not need. */
export function rewriteSvgStyle(element: HtmlElement, draft: PageDraft): void {
  const range = innerRange(element);
  if (range !== undefined && !/[<&]/.test(draft.html.slice(range.start, range.end)))
    rewriteStyleElement(element, draft);
}

/** The addresses in a `style` attribute. */
export function rewriteStyleAttribute(element: HtmlElement, draft: PageDraft, value: string): void {
  if (!mayNameFiles(value) || draft.baseFile === undefined) return;
  const firstLine = lineOf(draft, element) ?? 1;
  const place = { file: draft.page.file, base: draft.baseFile, usedIn: draft.page.file, firstLine };
  const sheet = draft.shop.styles.fromText(value, place);
  useAssets(draft, sheet.assets);
  passWarnings(draft, sheet.warnings);
  const css = renderStyleSheet(sheet);
  if (css !== value) setAttribute(draft, element, { name: "style", value: css });
}

function mayNameFiles(css: string): boolean {
  return /url\(|@import|image-set\(/i.test(css);
}

/** Which fonts a page can do without is known when all of its text is. */
function writeSheet(draft: PageDraft, sheet: StyleSheet, write: (css: string) => void): void {
  useAssets(draft, sheet.assets);
  passWarnings(draft, sheet.warnings);
  if (!hasOptionalFonts(sheet)) write(guardEndTag(renderStyleSheet(sheet)));
  else draft.afterwards.push((hasCharacter) => write(guardEndTag(renderStyleSheet(sheet, hasCharacter))));
}

/** An end tag in a stylesheet's string would end the element. */
function guardEndTag(css: string): string {
  return css.replace(/<(?=\/style)/gi, "\\3c ");
}
