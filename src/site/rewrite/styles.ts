import { findAttribute, hasWord, renderAttributes } from "../../html/attributes.ts";
import { innerRange, type HtmlElement } from "../../html/tree.ts";
import {
  dropIntegrity,
  passWarnings,
  recordFact,
  replaceElement,
  setAttribute,
  textPlaceOf,
  useAssets,
  type AttributePlace,
  type PageDraft,
} from "./page-draft.ts";
import { placeStyleSheet } from "./script-files.ts";
import { hasOptionalFonts, renderStyleSheet, type StyleSheet } from "./style-sheets.ts";
import { resolveTarget } from "./targets.ts";

/** Attributes of a `<link>` that don't apply to the `<style>` that replaces it. */
const LINK_ONLY = new Set(["rel", "href", "type", "integrity", "crossorigin", "referrerpolicy", "as", "fetchpriority"]);

// What makes a hint a style sheet.
const HINT_ONLY = new Set([...LINK_ONLY, "onload"]);

/** Attributes by which scripts find a link. Astro and Vite mark theirs, too. */
const NAMES = /^(?:id|class|title|data-(?!astro-|vite-).*)$/;

const RUNS_CODE = /<script\b|\son[a-z]+\s*=/i;

export function hasScripts({ html }: PageDraft): boolean {
  return RUNS_CODE.test(html);
}

/** Whether browsers apply a style sheet of the type that a link states: `text/less` is for scripts. */
export function isStyleType(element: HtmlElement): boolean {
  const [type = ""] = (findAttribute(element, "type") ?? "").split(";");
  return /^\s*(?:text\/css)?\s*$/i.test(type);
}

/** Whether browsers apply a style sheet only once the reader or a script chooses it. A `<style>` is always applied. */
function isInactive(element: HtmlElement): boolean {
  return hasWord(element, "rel", "alternate") || findAttribute(element, "disabled") !== undefined;
}

/** Moves a linked style sheet into the page or the library. */
export function rewriteStyleLink(element: HtmlElement, draft: PageDraft): void {
  const { context, page } = draft;
  const target = resolveTarget(draft, element, findAttribute(element, "href") ?? "");
  if (target.kind !== "file") return;
  // Scripts find such a link and change its address, or switch it off, which a `<style>` doesn't have.
  const isNamed = isInactive(element) || (element.attrs.some(({ name }) => NAMES.test(name)) && hasScripts(draft));
  const isInLibrary = context.settings.placement.styles === "library";
  if (isNamed || isInLibrary) {
    const { address, assets, warnings } = isInLibrary
      ? context.styles.addressOf(target.path, page.file)
      : placeStyleSheet(target.path, page.file, context);
    useAssets(draft, assets);
    passWarnings(draft, warnings);
    if (address.startsWith("data:")) recordFact(draft, "style-address", target.path);
    setAttribute(draft, element, { name: "href", value: address });
    dropIntegrity(draft, element);
    return;
  }
  const isHint = !hasWord(element, "rel", "stylesheet");
  const attributes = renderAttributes(draft.html, element, isHint ? HINT_ONLY : LINK_ONLY);
  writeSheet(draft, context.styles.fromFile(target.path, page.file), (css) => {
    draft.inlineTexts.push({ directive: "style-src", text: css });
    replaceElement(draft, element, `<style${attributes}>${css}</style>`);
  });
}

export function rewriteStyleElement(element: HtmlElement, draft: PageDraft): void {
  const range = innerRange(element);
  if (range === undefined) return;
  const source = draft.html.slice(range.start, range.end);
  if (!mayNameFiles(source) || draft.baseFile === undefined) {
    draft.inlineTexts.push({ directive: "style-src", text: source, original: source });
    return;
  }
  writeSheet(draft, draft.context.styles.fromText(source, textPlaceOf(draft, element)), (css) => {
    draft.inlineTexts.push({ directive: "style-src", text: css, original: source });
    if (css !== source) draft.edits.push({ ...range, text: css });
  });
}

/** Text in an SVG may contain elements and character references, which CSS doesn't need. */
export function rewriteSvgStyle(element: HtmlElement, draft: PageDraft): void {
  const range = innerRange(element);
  if (range !== undefined && !/[<&]/.test(draft.html.slice(range.start, range.end)))
    rewriteStyleElement(element, draft);
}

export function rewriteStyleAttribute(value: string, { element, draft }: AttributePlace): string | undefined {
  if (!mayNameFiles(value) || draft.baseFile === undefined) return undefined;
  const sheet = draft.context.styles.fromText(value, textPlaceOf(draft, element));
  useAssets(draft, sheet.assets);
  passWarnings(draft, sheet.warnings);
  const css = renderStyleSheet(sheet);
  return css === value ? undefined : css;
}

function mayNameFiles(css: string): boolean {
  return /url\(|@import|image-set\(|\[\s*(?:href|src)/i.test(css);
}

/** Which fonts a page doesn't need is known only after all of its text. */
function writeSheet(draft: PageDraft, sheet: StyleSheet, write: (css: string) => void): void {
  useAssets(draft, sheet.assets);
  passWarnings(draft, sheet.warnings);
  if (!hasOptionalFonts(sheet)) write(guardEndTag(renderStyleSheet(sheet)));
  else draft.afterwards.push((hasCharacter) => write(guardEndTag(renderStyleSheet(sheet, hasCharacter))));
}

/** An end tag in a style sheet's string would end the element. */
function guardEndTag(css: string): string {
  return css.replace(/<(?=\/style)/gi, "\\3c ");
}
