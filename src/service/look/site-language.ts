import { canonicalLanguage, directionOf, type Direction } from "../../base/language.ts";
import { findAttribute } from "../../html/attributes.ts";
import { parseHtml } from "../../html/parse.ts";

export interface SiteLanguage {
  /** The `lang` of the home page, as a canonical tag. */
  readonly language: string | undefined;
  /** The `dir` of the home page, or else that of its language. */
  readonly direction: Direction;
}

export const UNKNOWN_LANGUAGE: SiteLanguage = { language: undefined, direction: "ltr" };

const START_BYTES = 4096;

/** Reads the `<html>` tag of a home page, which is near the start. */
export function readSiteLanguage(html: Uint8Array): SiteLanguage {
  const { root } = parseHtml(Buffer.from(html.subarray(0, START_BYTES)).toString("utf8"));
  const language = canonicalLanguage(findAttribute(root, "lang"));
  const direction = findAttribute(root, "dir")?.toLowerCase();
  const isSet = direction === "ltr" || direction === "rtl";
  return { language, direction: isSet ? direction : directionOf(language) };
}
