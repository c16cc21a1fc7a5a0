import type { HtmlElement } from "../../html/tree.ts";
import { warn, type PageDraft } from "./page-draft.ts";
import type { SiteWarning } from "../model.ts";

const PATH_COMPARED = /\blocation\.pathname\s*(?:[!=]==?|\.(?:startsWith|endsWith|includes|match|split|replace)\b)/;

/** Tells of inline scripts that can't work where the page is published. */
export function warnAboutScript(element: HtmlElement, draft: PageDraft, text: string): void {
  warnAboutSearch(element, draft, text);
  if (text.includes("/_server-islands/")) {
    warn(draft, element, {
      code: "server-island",
      message: "A server island needs a running Astro server; its fallback stays.",
    });
  }
  if (text.includes("location.pathname") && PATH_COMPARED.test(text)) {
    const message = "A script compares location.pathname, which is another one where the page is published.";
    warn(draft, element, { code: "script-reads-path", message });
  }
}

/** Pagefind loads its index from a folder of the site by computed addresses. */
export function warnAboutSearch(element: HtmlElement, draft: PageDraft, text: string): void {
  if (usesPagefind(text)) warn(draft, element, PAGEFIND);
}

/** What is told of a script file, whichever pages load it. */
export function findScriptFileWarnings(text: string, file: string): readonly SiteWarning[] {
  return usesPagefind(text) ? [{ ...PAGEFIND, file }] : [];
}

const PAGEFIND = {
  code: "pagefind",
  message: "The search of Pagefind can't find its index where the page is published.",
} as const;

// Bundlers keep the folder's name, but not always the slashes around it.
function usesPagefind(text: string): boolean {
  return text.includes("/pagefind/") || text.includes("pagefind/pagefind.js");
}
