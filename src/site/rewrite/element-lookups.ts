import { posix } from "node:path";
import { contentTypeOf, kindOf } from "../content-type.ts";
import { passWarnings, type PageDraft } from "./page-draft.ts";
import type { ScriptPlace } from "./script-routes.ts";
import type { Script } from "./scripts.ts";
import { findTarget } from "./targets.ts";
import { lineIn, type TextContext } from "./text-context.ts";

/** Where a script looks for a `<script>` or a style sheet by its address, or reads the query of a script's address. */
export interface ElementLookup extends ScriptPlace {
  readonly code: string;
  readonly finds: (address: string) => boolean;
  /** Whether it may be of a library, which does without the element. */
  readonly isGuess: boolean;
}

// `script[src*="widget.js"]`, `link[href$='t.css']`
const SELECTOR =
  /\b(?:script|link)(?:\[[^[\]]*\])*\[\s*(?:src|href)\s*([*^$]?)=\s*\\?["']?([^"'`\\\]${}]+?)\\?["']?\s*(?:[is]\s*)?\]/gi;
// `sheet.href.endsWith("/t.css")`
const METHOD =
  /\.(?:src|href)\??\.(endsWith|startsWith|includes|indexOf)\(\s*(["'`])([^"'`\\$]+\.(?:m?js|css))(?:\?[^"'`\\$]*)?\2/g;
const SIGNS: Readonly<Record<string, string>> = { endsWith: "$", startsWith: "^", includes: "*", indexOf: "*" };
// `document.getElementsByTagName("script")`, `document.currentScript`
const OWN_ELEMENT =
  /\bcurrentScript\b|\bdocument\.scripts\b|\bgetElementsByTagName\(\s*["'`]script["'`]|script\[\s*src\b/;
const QUERY = /\.searchParams\b|\bURLSearchParams\(|\.src\??\.(?:split|match|indexOf|includes)\(\s*["'`/]\\?\?/;
/** Scripts of this size are libraries. */
const LIBRARY_LENGTH = 50_000;

/** Finds where a script depends on the addresses of the page's scripts and style sheets. */
export function findElementLookups(context: TextContext): readonly ElementLookup[] {
  const { text, place } = context;
  const isGuess = text.length >= LIBRARY_LENGTH;
  const at = (index: number): Omit<ElementLookup, "finds"> => {
    const code = /.*/.exec(text.slice(index, index + 60))?.[0] ?? "";
    return { code, isGuess, file: place.file, line: lineIn(context, index) };
  };
  const lookups = [
    ...Array.from(text.matchAll(SELECTOR), ({ index, 0: code, 1: sign = "", 2: value = "" }) => {
      return { ...at(index), code, finds: matcher(sign, value) };
    }),
    ...Array.from(text.matchAll(METHOD), ({ index, 0: code, 1: method = "", 3: value = "" }) => {
      return { ...at(index), code: `${code})`, finds: matcher(SIGNS[method] ?? "", value) };
    }),
  ];
  const own = QUERY.test(text) && kindOf(contentTypeOf(place.file)) === "script" ? OWN_ELEMENT.exec(text) : null;
  if (own === null) return lookups;
  const finds = (address: string): boolean => /\?.*=/.test(address) && fileNameOf(address) === fileNameOf(place.file);
  return [...lookups, { ...at(own.index), code: own[0], finds }];
}

function matcher(sign: string, value: string): ElementLookup["finds"] {
  // An ending alone finds any of them.
  if (/^\.\w+$|^\/?$/.test(value)) return () => false;
  return (address) => {
    if (sign === "*") return address.includes(value);
    if (sign === "^") return address.startsWith(value);
    const [path = ""] = address.split("?");
    return sign === "$" ? address.endsWith(value) || path.endsWith(value) : address === value;
  };
}

function fileNameOf(address: string): string {
  return posix.basename(address.replace(/[?#].*$/s, ""));
}

const ELEMENT = /<(?:script|link)\b[^>]*?\s(?:src|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi;

/** Reports lookups that find a script or style sheet of the page only on the site itself. */
export function warnOfElementLookups(draft: PageDraft, scripts: readonly Script[]): void {
  const lookups = scripts.flatMap(({ elementLookups }) => elementLookups);
  if (lookups.length === 0) return;
  const written = Array.from(draft.html.matchAll(ELEMENT), ([, one, other, bare]) => one ?? other ?? bare ?? "");
  const addresses = written.filter((address) => {
    const target = findTarget(draft, address);
    return target.kind === "file" && /^(?:script|style)$/.test(kindOf(contentTypeOf(target.path)));
  });
  for (const { code, finds, isGuess, file, line } of lookups) {
    const address = addresses.find(finds);
    if (address === undefined) continue;
    const message = `A script looks for ${address} (${code}), which has another address where the page is published, without its query. Find the element by an id, and its settings by data-* attributes.`;
    passWarnings(draft, [{ code: "element-lookup", message, file, line, ...(isGuess && { isNotice: true }) }]);
  }
}
