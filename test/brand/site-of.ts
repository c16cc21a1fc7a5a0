import type { Element } from "domhandler";
import { indexRules } from "../../src/brand/css/cascade.ts";
import type { ComputedStyle } from "../../src/brand/css/computed-style.ts";
import { parseSheet } from "../../src/brand/css/parse-sheet.ts";
import { extractBrand, type ExtractOptions } from "../../src/brand/extract.ts";
import type { BrandFindings, SchemeName } from "../../src/brand/findings.ts";
import { parseDocument } from "../../src/brand/document.ts";
import { createLooks } from "../../src/brand/page/look.ts";

export const HOME = "https://site.example/";

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css",
  svg: "image/svg+xml",
  png: "image/png",
  js: "text/javascript",
};

/** Extracts the brand of a site with these files by path. */
export function extractFrom(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<ExtractOptions> = {},
): Promise<BrandFindings> {
  return extractBrand({
    home: HOME,
    read: async (address) => {
      const path = new URL(address).pathname;
      const content = address.startsWith(HOME) ? files[path] : undefined;
      const type = TYPES[path.split(".").at(-1) ?? ""] ?? "text/html; charset=utf-8";
      return content === undefined ? undefined : { content, contentType: type };
    },
    ...options,
  });
}

/** Returns a page with inline styles and enough text. */
export function pageOf(css: string, body: string): string {
  return `<!doctype html><html lang="en"><head><title>Tidewater</title><style>${css}</style></head><body>${body}</body></html>`;
}

/** Computes the style of the element with the ID `it`. */
export function styleOfIt(css: string, body: string, scheme: SchemeName = "light"): ComputedStyle {
  const document = parseDocument(`<!doctype html><html lang="en"><body>${body}</body></html>`);
  const sheets = [{ sheet: parseSheet(css, HOME), conditions: [], layer: "" }];
  const look = createLooks(document, { sheets, index: indexRules(sheets), scripts: { inPage: [], files: [] } })[scheme];
  const element = document.elements.find((candidate: Element) => candidate.attribs["id"] === "it");
  if (look === undefined || element === undefined)
    throw new Error(`The page has no ${scheme} look, or no element #it.`);
  // As on a site, where similar elements were computed before.
  document.elements.forEach(look.styleOf);
  return look.styleOf(element);
}
