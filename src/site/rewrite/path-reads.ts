import { escapePattern } from "../../base/escape-pattern.ts";
import { applyEdits, type Edit } from "../../html/edits.ts";
import type { SiteWarning } from "../model.ts";
import { findNotedAddresses } from "./noted-addresses.ts";
import { warningAt, type TextContext } from "./text-context.ts";

export const OWN_PATH = "self.imprintPath?.()";
/** How scripts name the page's location. */
export const LOCATION = String.raw`(?:(?:window|self|globalThis|document)\??\.)?location`;
/** A read of its path. */
export const READ = String.raw`(?<path>(?<![\w$.])(?:${LOCATION}|new\s+URL\(\s*${LOCATION}(?:\.href)?\s*\))\??\.pathname\b)`;
const READ_WHOLE = String.raw`(?<![\w$.])(?:${LOCATION}\.href|document\.URL)\b`;
const SIGN = String.raw`\s*(?<sign>[!=]==?)\s*`;
const QUOTE = "[\"'`]";
// `item.href`, `this.items[0].url`: the complete expression, as far as it can be recognized.
const VALUE = String.raw`(?<value>(?<![\w$.)\]?"'\`]|[-+*/%]\s*)(?!(?:null|undefined|typeof|void)\b)[\w$]+(?:\??\.[\w$]+|\[[\w$.]+\])*)`;
const VALUE_ENDS = String.raw`(?![\w$]|\s*(?:[-+*/%.([\`]|\?\.))`;
// Code written by an earlier run stays unchanged.
const IS_NEW = String.raw`(?!\?\?[^,;]{1,200}self\.imprintPath)`;
const PATH_ENDS = String.raw`(?!\s*(?:[-+*/%.([]|\?\.))`;
/** Properties of menu items. Elements have no such property whose value is only a path. */
const ROUTE = String.raw`(?:href|url|path|to|link|route|permalink)`;
// `({ label: t, href: e }) =>`, `const { href } = item`
const TAKEN_OUT = new RegExp(
  String.raw`(?<=\{(?:[^{}]*,)?\s*)${ROUTE}(?:\s*:\s*([\w$]+))?(?=\s*(?:,[^{}]*)?\}\s*(?:\)|,|=(?!=)|\bof\b))`,
  "g",
);
// `const path = location.pathname`
const KEPT = new RegExp(String.raw`(?:\b(?:const|let|var)\s+|,\s*)([\w$]+)\s*=\s*${READ}(?=\s*[,;\n)])`, "g");
const KEPT_BY_NAME =
  /\{[^{}]*\bpathname\b(?:\s*:\s*([\w$]+))?[^{}]*\}\s*=\s*(?:(?:window|self|globalThis|document)\.)?location\b(?!\.)/g;

type Groups = Readonly<Record<string, string>>;

interface Rule {
  readonly pattern: RegExp;
  readonly write: (groups: Groups) => string;
}

function rule(pattern: string, write: Rule["write"]): Rule {
  return { pattern: new RegExp(pattern, "g"), write };
}

const bothOf = (path = ""): string => `[${path},${OWN_PATH}??${path}]`;
const isEither: Rule["write"] = ({ value, sign, path }) =>
  `${sign?.startsWith("!") === true ? "!" : ""}${bothOf(path)}.includes(${value})`;

/** `routes[path]`, but not what sets it. */
function readInTable(read: string): Rule {
  return rule(
    String.raw`${VALUE}\[\s*${read}\s*\]${IS_NEW}(?!\s*(?:=(?!=)|[?*/%+-]{1,2}=|\+\+|--))`,
    ({ value, path }) => `(${value}[${path}]??${value}[${OWN_PATH}])`,
  );
}

// If a value may be an original route or a published address, both paths of the page are tried.
const RULES: readonly Rule[] = [
  // Compared with a string or split at one: the path that the script's author expected.
  ...[
    `${READ}(?=${SIGN}${QUOTE})`,
    `(?<=${QUOTE}${SIGN})${READ}`,
    String.raw`${READ}(?=${SIGN}[\w$.]+\s*\+\s*${QUOTE})`,
    String.raw`${READ}(?=\.(?:startsWith|endsWith|includes|indexOf|match|split|replace)\(\s*["'\`/])`,
    String.raw`${READ}(?=\s*\)\s*\{\s*(?:case|default)\b)`,
    String.raw`(?<=\.(?:test|exec)\(\s*)${READ}(?=\s*\))`,
    String.raw`${READ}(?=\.(?:toLowerCase|normalize|trim)\(\)${SIGN}${QUOTE})`,
    // In a list or set of strings
    String.raw`(?<=${QUOTE}\s*\]\s*\)?\.(?:includes|has|indexOf)\(\s*)${READ}(?=\s*\))`,
    // Normalized: `trim(location.pathname) === trim("/about/")`
    String.raw`(?<=[\w$]\(\s*)${READ}(?=\s*\)${SIGN}(?:[\w$.]+\(\s*)?${QUOTE}\/)`,
    String.raw`(?<=${QUOTE}\s*\)?\s*[!=]==?\s*[\w$.]+\(\s*)${READ}(?=\s*\))`,
    // Looked up in a table that is written there: `{ "/about/": "About" }[location.pathname]`
    String.raw`${READ}(?=\s*\bin\s*\{)`,
    String.raw`(?<=["'\`\w)\]]\s*,?\s*\}\s*\)?\[\s*)${READ}(?=\s*\])`,
    // The beginning of a file's address: `location.pathname + "data.json"`
    String.raw`${READ}(?=\s*\+\s*${QUOTE}[\w.\/-]+\.[a-z0-9]{2,5}${QUOTE})`,
    // Behind a locale: `"/de" + location.pathname`, `/${locale}${location.pathname}`
    String.raw`(?<=${QUOTE}\/[\w-]*${QUOTE}\s*\+\s*)${READ}`,
    String.raw`(?<=${QUOTE}\/${QUOTE}\s*\+\s*[\w$.]+\s*\+\s*)${READ}`,
    String.raw`(?<=(?:\`|\})\/(?:[\w-]*|\$\{[\w$.]+\})\$\{)${READ}(?=\})`,
  ].map((pattern) => rule(pattern, () => `(${OWN_PATH}??location.pathname)`)),
  rule(
    String.raw`${READ_WHOLE}(?=\.(?:includes|indexOf|endsWith|match|search)\(\s*(?:${QUOTE}\/|\/))`,
    () => `location.href.replace(location.pathname,()=>${OWN_PATH}??location.pathname)`,
  ),
  rule(`${VALUE}${SIGN}${READ}${PATH_ENDS}`, isEither),
  rule(`${READ}${SIGN}${VALUE}${VALUE_ENDS}`, isEither),
  rule(
    String.raw`${READ}\.(?<method>startsWith|endsWith|includes)\((?!\s*["'\`/)])`,
    ({ path, method }) => `((...texts)=>${bothOf(path)}.some(each=>each.${method}(...texts)))(`,
  ),
  rule(
    String.raw`${VALUE}\.(?<method>includes|has)\(\s*${READ}\s*\)`,
    ({ value, method, path }) => `${bothOf(path)}.some(each=>${value}.${method}(each))`,
  ),
  rule(
    String.raw`${READ}\s+in\s+${VALUE}${VALUE_ENDS}`,
    ({ value, path }) => `${bothOf(path)}.some(each=>each in ${value})`,
  ),
  rule(
    String.raw`${VALUE}\.get\(\s*${READ}\s*\)${IS_NEW}`,
    ({ value, path }) => `(${value}.get(${path})??${value}.get(${OWN_PATH}))`,
  ),
  readInTable(READ),
];

const READS = /\blocation(?:(?:\.href)?\s*\))?\??\.pathname\b|\b(?:location\.href|document\.URL)\./;

/**
 * Makes comparisons with the page's path work although its published path differs. The generated code has no quotes,
 * since the script may be inside a string.
 */
export function replacePathReads(text: string): readonly Edit[] {
  if (!/\bpathname\b|\b(?:location\.href|document\.URL)\./.test(text)) return [];
  const edits: Edit[] = [];
  // Most scripts read the path of another address, and checking every value of a large one is slow.
  const rules = READS.test(text) ? RULES : [];
  for (const { pattern, write } of [...rules, ...rulesOfKept(text)]) {
    for (const { index: start, 0: found, groups = {} } of text.matchAll(pattern)) {
      const end = start + found.length;
      const isTaken = edits.some((other) => other.start < end && start < other.end);
      // A link's own path is the published one, as is the page's.
      if (!isTaken && groups["value"]?.endsWith("pathname") !== true) edits.push({ start, end, text: write(groups) });
    }
  }
  return edits;
}

/** Rules for a variable that holds the path and is compared with a route: a property, or a variable that holds one. */
function rulesOfKept(text: string): readonly Rule[] {
  const kept = Array.from(text.matchAll(KEPT), ({ 1: name = "" }) => name);
  const byName = Array.from(text.matchAll(KEPT_BY_NAME), ({ 1: name = "pathname" }) => name);
  const names = [...new Set([...kept, ...byName])];
  if (names.length === 0) return [];
  const routes = new Set(Array.from(text.matchAll(TAKEN_OUT), ([found, name = found]) => name));
  const takenOut = [...routes].map((name) => String.raw`(?<![\w$.])${escapePattern(name)}`).join("|") || "(?!)";
  return names.flatMap((name) => {
    const path = String.raw`(?<path>(?<![\w$.])${escapePattern(name)})(?![\w$])`;
    const value = String.raw`${VALUE}(?<=\.${ROUTE}|${takenOut})`;
    return [
      rule(`${value}${SIGN}${path}${PATH_ENDS}`, isEither),
      rule(`${path}${SIGN}${value}${VALUE_ENDS}`, isEither),
      readInTable(path),
    ];
  });
}

const OTHER_READ =
  /(?<![\w$.])(?:(?:window|self|globalThis|document)\.)?location\.pathname\b(?!\s*=(?!=))|\{[^{}]*\bpathname\b[^{}]*\}\s*=\s*(?:(?:window|self|globalThis|document)\.)?location\b/;
// Of the events of Astro's client router
const EVENT_READ = /\.(?:to|from)\.pathname\b/;
const TEXT_COMPARED =
  /[!=]==?\s*["'`]\/|\.(?:startsWith|endsWith|includes|indexOf|match)\(\s*["'`]?\/|\.(?:get|has|includes|indexOf)\(\s*(?:window\.)?location\.pathname\b/;
const SHOWN =
  /\b(?:textContent|innerText|innerHTML)\s*\+?=\s*[^;\n]{0,80}?\blocation\.pathname\b|(?:\bchildren\s*:|=>)\s*(?:window\.)?location\.pathname\s*[,)}\]]/;

/**
 * Reads that weren't replaced may be compared with something unchanged or changed, or shown to a reader: only the
 * author knows.
 */
export function warnOfPathReads(
  context: Pick<TextContext, "text" | "place">,
  replaced: readonly Edit[],
): readonly SiteWarning[] {
  if (!context.text.includes("pathname")) return [];
  const blank = ({ start, end }: { readonly start: number; readonly end: number }): Edit => {
    return { start, end, text: " ".repeat(end - start) };
  };
  const unreplaced = applyEdits(context.text, replaced.map(blank));
  const others = applyEdits(unreplaced, findNotedAddresses(unreplaced).map(blank));
  const event = /["'`]astro:(?:before|after)-/.test(others) ? EVENT_READ.exec(others) : null;
  if (event !== null) {
    const message =
      'A script reads the path that a navigation leads to or comes from, which is different where the page is published. Compare it directly with a string (`event.to.pathname === "/about/"`), which keeps working.';
    return [warningAt(event.index, context, { code: "script-reads-path", message })];
  }
  const found = OTHER_READ.exec(others);
  if (found === null || !(TEXT_COMPARED.test(others) || SHOWN.test(others))) return [];
  const message =
    'A script reads location.pathname, which is different where the page is published. Compare it directly with a string (`location.pathname === "/about/"`), which keeps working.';
  return [warningAt(found.index, context, { code: "script-reads-path", message })];
}
