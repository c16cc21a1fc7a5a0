import type { Edit } from "../../html/edits.ts";
import type { SiteWarning } from "../model.ts";
import { lineIn, type TextContext } from "./text-context.ts";

const NAMED = /(["'`])((?:https?:\/\/[\w.:-]+)?\/[^"'`\s\\<>$]*)(\1|\$\{)/g;
// A script that leads to the root or to a relative address; other addresses are looked up.
const LEADS =
  /(?:\blocation(?:\.href)?\s*=(?!=)|\blocation\.(?:assign|replace)\()\s*["'`](?![a-z][a-z+.-]*:|\/\/|[#?"'`])|\b(?:open|navigate)\(\s*["'`]\.{0,2}\/(?!\/)/i;

/**
 * Whether a script names a page of the site: a string that is its address or begins that of several, as in a template.
 * The root alone counts only where the script leads there, since many scripts split texts at slashes.
 */
export function namesPages({ site, addresses, settings, place, text }: TextContext): boolean {
  if (LEADS.test(text)) return true;
  const file = place.base ?? place.file;
  for (const [, , address = "", ending] of text.matchAll(NAMED)) {
    const below = address.startsWith(site.base) ? address.slice(site.base.length - 1) : address;
    if (below === "/") continue;
    const isNamed = ending === "${" ? hasPageBelow(below, settings) : addresses.resolve(address, file).kind === "page";
    if (isNamed) return true;
  }
  return false;
}

function hasPageBelow(path: string, { slugs }: TextContext["settings"]): boolean {
  for (const route of slugs.keys()) if (route.startsWith(path)) return true;
  return false;
}

// A script that leads to a relative address, or to one that stands in a field or in data. A variable called `location`
// is not the browser's, and `replace()` with two parameters is that of a string.
const LED =
  /(?<![\w$.]|\b(?:const|let|var)\s+)(?:(?:window|self|globalThis|document|top|parent)\.)?location(?:(?:\.href)?\s*=(?!=)|\.(?:assign|replace)\((?=[^,()]*\)))\s*((["'`])(?![a-zA-Z][a-zA-Z+.-]*:|[/#?\s]|\2)[^"'`\\\n]*\2|[\w$]+(?:\.[\w$]+|\[[\w$.]+\])*\.(?:value|dataset\.\w+))(?![\w$]|\s*[-+.?([|&`*/])/g;
const OWN_LOCATION = /\b(?:const|let|var|function|import)\b[^;()=]*\blocation\b|[({,]\s*location\s*[,)}:]/;

/**
 * Has what a script leads to read against the address that the page had, not against the published one. Free of quotes,
 * since the script may stand in a string; in an attribute `URL` alone is that of the document.
 */
export function leadFromRoute(text: string): readonly Edit[] {
  if (!text.includes("location") || OWN_LOCATION.test(text)) return [];
  return Array.from(text.matchAll(LED)).flatMap(({ index, 0: found, 1: target = "" }) => {
    const end = index + found.length;
    return [
      { start: end - target.length, end: end - target.length, text: "new self.URL(" },
      { start: end, end, text: ",new self.URL(self.imprintPath?.()??document.baseURI,document.baseURI))" },
    ];
  });
}

const COMPUTED_STYLE = /\burl\((?:\\?["'])?(\/(?!\/)[^"'`()\s\\<>$]+)(?:\$\{|["'`]\s*\+)/g;

/** The route map leads what elements load, not what styles show. */
export function warnOfComputedStyles(context: TextContext): readonly SiteWarning[] {
  const { text, site, place } = context;
  if (!text.includes("url(")) return [];
  const files = [...site.files.keys()];
  return Array.from(text.matchAll(COMPUTED_STYLE)).flatMap(({ index, 1: address = "" }) => {
    const path = address.startsWith(site.base) ? address.slice(site.base.length) : address.slice(1);
    if (!files.some((file) => file.startsWith(path))) return [];
    const message = `A script builds the address of an image in a style, url(${address}…), which won't be found where the page is published. Use complete addresses, or classes of a style sheet.`;
    return [{ code: "computed-address", file: place.file, line: lineIn(context, index), message }];
  });
}

const STYLED = /\burl\((?:\\?["'])?(?:\$\{|["'`]\s*\+)/;

/** Where a script puts a value into a style as an address, of which nobody can say whether it is one of the site. */
export function findComputedStyle(context: TextContext): ScriptPlace | undefined {
  const found = STYLED.exec(context.text);
  return found === null ? undefined : { file: context.place.file, line: lineIn(context, found.index) };
}

/** A place in the built site. */
export interface ScriptPlace {
  readonly file: string;
  readonly line: number;
}

const REGISTRATION = /\bserviceWorker\s*(?:\?\.|\.)\s*register\(\s*(?:(["'`])([^"'`$]*)\1)?/g;

/** A page can only be controlled by a service worker of its own host, which publishes none. */
export function warnOfRegistrations(context: TextContext): readonly SiteWarning[] {
  return Array.from(context.text.matchAll(REGISTRATION), ({ index, 2: address }) => {
    const name = address === undefined ? "a service worker" : `the service worker ${address}`;
    const message = `A script registers ${name}, which can't control published pages; the call does nothing there.`;
    const line = lineIn(context, index);
    return { code: "service-worker", file: context.place.file, line, message, isNotice: true };
  });
}
