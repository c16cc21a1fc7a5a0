import { looksLikeAddress, replaceJsonStrings, replaceSrcset } from "../../html/address-texts.ts";
import { innerRange, type HtmlElement } from "../../html/tree.ts";
import { askForFolder, askForName, placeForScripts, placeImage, placeMarkup } from "./data-attributes.ts";
import { isPattern } from "./patterns-in-data.ts";
import { replaceElement, warn, type AttributePlace, type PageDraft } from "./page-draft.ts";
import { absoluteLinkTo, findTarget, linkTo, placeFile } from "./targets.ts";

/** Rewrites structured data for search engines: absolute addresses of pages, and images. */
export function rewriteLinkedData(element: HtmlElement, draft: PageDraft): void {
  rewriteBlock(element, draft, (text) => {
    const target = looksLikeAddress(text) ? findTarget(draft, text) : undefined;
    if (target === undefined) return undefined;
    return target.kind === "file"
      ? placeFile(draft, element, { ...target, optimize: "same-type" })
      : absoluteLinkTo(draft, target);
  });
}

/** Rewrites the props of an island, so that it doesn't restore the old addresses when it hydrates. */
export function rewriteProps(json: string, { element, draft }: AttributePlace): string | undefined {
  const value = replaceJsonStrings(json, (text, key) => placeValue(text, key, { element, draft }));
  return value === json ? undefined : value;
}

export function rewriteData(element: HtmlElement, draft: PageDraft): void {
  rewriteBlock(element, draft, (text, key) => placeValue(text, key, { element, draft }));
}

function placeValue(
  text: string,
  key: string | undefined,
  { element, draft }: Pick<AttributePlace, "element" | "draft">,
): string | undefined {
  const list = replaceSrcset(text, (address) => placeImage(address, { element, draft }));
  const rewritten = list ?? placeMarkup(text, { element, draft });
  if (rewritten !== undefined) return rewritten;
  if (!looksLikeAddress(text) || isPattern(text)) return askForName(text, { element, draft });
  // A single slash may also be a separator.
  if (text === "/" && !/^(?:href|url|link|to)$/i.test(key ?? "")) return undefined;
  const target = findTarget(draft, text);
  if (target.kind === "file") return placeForScripts(text, target, { element, draft });
  if (target.kind === "missing") return askForFolder(text, { element, draft });
  return target.kind === "page" ? linkTo(draft, element, target) : undefined;
}

/**
 * Rewrites speculation rules. Patterns other than "every page" can't be expressed with slugs, so rules with them are
 * removed.
 */
export function rewriteSpeculationRules(element: HtmlElement, draft: PageDraft): void {
  const { context } = draft;
  let isLost = false;
  const { text: rules, original } = rewriteBlock(element, draft, (text, key) => {
    if (key === "href_matches") {
      if (text === "/*" || text === `${context.site.base}*`) return context.settings.pageHref("*");
      isLost ||= text !== context.settings.pageHref("*");
    }
    if (!looksLikeAddress(text)) return undefined;
    const target = findTarget(draft, text);
    return target.kind === "page" ? linkTo(draft, element, target) : undefined;
  });
  if (!isLost) {
    draft.inlineTexts.push({ directive: "script-src", text: rules, original });
    return;
  }
  warn(draft, element, {
    code: "speculation-rules",
    message: "Speculation rules are left out: their patterns don't match the published addresses.",
  });
  replaceElement(draft, element, "");
}

function rewriteBlock(
  element: HtmlElement,
  draft: PageDraft,
  replace: (text: string, key: string | undefined) => string | undefined,
): { readonly text: string; readonly original: string } {
  const range = innerRange(element);
  if (range === undefined) return { text: "", original: "" };
  const json = draft.html.slice(range.start, range.end);
  const text = replaceJsonStrings(json, replace);
  if (text !== json) draft.edits.push({ ...range, text });
  return { text, original: json };
}
