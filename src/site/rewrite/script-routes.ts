import type { Edit } from "../../html/edits.ts";
import type { SiteWarning } from "../model.ts";
import { lineIn, resolveIn, warningAt, type TextContext } from "./text-context.ts";

const NAMED = /(["'`])((?:https?:\/\/[\w.:-]+)?\/[^"'`\s\\<>$]*)(\1|\$\{)/g;
// A script that navigates to the root or to a relative address; other addresses are looked up.
const LEADS =
  /(?:\blocation(?:\.href)?\s*=(?!=)|\blocation\.(?:assign|replace)\()\s*["'`](?![a-z][a-z+.-]*:|\/\/|[#?"'`])|\b(?:open|navigate)\(\s*["'`]\.{0,2}\/(?!\/)/i;

/**
 * Whether a script references a page of the site: a string that is a page's address or, as in a template, the beginning
 * of several. The root alone counts only if the script navigates there, since many scripts split strings at slashes.
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

// A script that navigates to a relative address, or to one from a field or data. A variable named `location` isn't the
// browser's, and `replace()` with two arguments is a string method.
const LED =
  /(?<![\w$.]|\b(?:const|let|var)\s+)(?:(?:window|self|globalThis|document|top|parent)\.)?location(?:(?:\.href)?\s*=(?!=)|\.(?:assign|replace)\((?=[^,()]*\)))\s*((["'`])(?![a-zA-Z][a-zA-Z+.-]*:|[/#?\s]|\2)[^"'`\\\n]*\2|[\w$]+(?:\.[\w$]+|\[[\w$.]+\])*\.(?:value|dataset\.\w+))(?![\w$]|\s*[-+.?([|&`*/])/g;
const OWN_LOCATION = /\b(?:const|let|var|function|import)\b[^;()=]*\blocation\b|[({,]\s*location\s*[,)}:]/;

// `new URL("data.json", document.baseURI)`; what is behind is read from its end.
const BASED =
  /(?<=\bnew\s+URL\(\s*\1(?![a-zA-Z][\w+.-]*:|[/#?"'`])[^"'`\n]*(["'`])\s*,\s*)(?:document\.(?:baseURI|URL|location(?:\.href)?)|(?:(?:window|self|globalThis)\.)?location(?:\.href)?)(?=\s*\))/g;
const FROM_ROUTE = "new self.URL(self.imprintPath?.(1)??document.baseURI,document.baseURI)";

/**
 * Resolves the address that a script navigates to, or a relative one that it resolves itself, against the page's
 * original address, or that of its `<base>`, rather than its published one. Without quotes, since the script may be
 * inside a string; in an attribute, plain `URL` is the document's.
 */
export function resolveFromRoute(text: string): readonly Edit[] {
  if (!/\blocation\b|\bdocument\.(?:baseURI|URL)\b/.test(text) || OWN_LOCATION.test(text.replace(BASED, ""))) return [];
  const based = Array.from(text.matchAll(BASED), ({ index: start, 0: found }) => {
    return { start, end: start + found.length, text: FROM_ROUTE };
  });
  const led = Array.from(text.matchAll(LED)).flatMap(({ index, 0: found, 1: target = "" }) => {
    const end = index + found.length;
    return [
      { start: end - target.length, end: end - target.length, text: "new self.URL(" },
      { start: end, end, text: `,${FROM_ROUTE})` },
    ];
  });
  return [...based, ...led];
}

// Except for addresses that are looked up.
const STYLED = /\burl\((?:\\?["'])?(?:\$\{|["'`]\s*\+)(?!\(e=>\(\{)/;

/**
 * Finds where a script inserts a value as an address into a style; it can't be determined whether that is one of the
 * site.
 */
export function findComputedStyle(context: TextContext): ScriptPlace | undefined {
  const found = STYLED.exec(context.text);
  return found === null ? undefined : { file: context.place.file, line: lineIn(context, found.index) };
}

/** A position in the built site. */
export interface ScriptPlace {
  readonly file: string;
  readonly line: number;
}

const REGISTRATION = /\bserviceWorker\s*(?:\?\.|\.)\s*register\(\s*(?:(["'`])([^"'`$]*)\1(?=\s*[,)]))?/g;

/** Only a service worker from a page's own host can control it, and that host publishes none. */
export function warnOfRegistrations(context: TextContext): readonly SiteWarning[] {
  return Array.from(context.text.matchAll(REGISTRATION), ({ index, 2: address }) => {
    const name = address === undefined ? "a service worker" : `the service worker ${address}`;
    const message = `A script registers ${name}, which can't control published pages; the call does nothing there.`;
    return warningAt(index, context, { code: "service-worker", message, isNotice: true });
  });
}

// As Astro builds it into the scripts of pages.
const ACTION = /\/_actions\/(?:\$\{|["'`]\s*\+)/;

/** Reports a script that calls actions of Astro, which only its server can run. */
export function warnOfActions(context: TextContext): readonly SiteWarning[] {
  const index = context.text.search(ACTION);
  const message = "A script calls an action, which needs a running Astro server.";
  return index === -1 ? [] : [warningAt(index, context, { code: "action", message })];
}

const ADDED = /\.(?:add\(\s*|addAll\(\s*\[[^\]]*?)(["'`])([^"'`$\n]+)\1/g;

/**
 * Reports what a script adds to a cache and doesn't find where the page is published: pages, and files that are in the
 * route map, which the browser's cache doesn't ask.
 */
export function warnOfCaches(context: TextContext): readonly SiteWarning[] {
  if (!/\bcaches\b/.test(context.text)) return [];
  const isInLibrary = context.settings.placement.files === "library";
  return Array.from(context.text.matchAll(ADDED)).flatMap(({ index, 2: address = "" }): readonly SiteWarning[] => {
    const { kind } = resolveIn(context, address);
    if (kind !== "page" && (kind !== "file" || isInLibrary)) return [];
    const message = `A script adds ${address} to a cache, and won't find it where the page is published. Fetch it, and store the response in the cache with put().`;
    return [warningAt(index, context, { code: "fetched-file", message })];
  });
}
