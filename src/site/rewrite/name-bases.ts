import { escapePattern } from "../../base/escape-pattern.ts";
import type { Edit } from "../../html/edits.ts";
import type { PlacedData } from "./data-files.ts";

// `list = new URL("/lists/one.json", location)`
const KEPT = /([\w$]+)\s*=\s*(?:new\s+URL\(\s*)?$/;
const CUT = String.raw`\??\.(?:href\.)?(?:slice|substring|replace|split|match)\(`;

/** Whether data names files that scripts may look for beside it. */
export function namesNeighbors({ named = [] }: Pick<PlacedData, "named">): boolean {
  return named.some(({ address }) => address.startsWith("/"));
}

/** Whether a script resolves other names against an address, or cuts its folder out of it. */
export function isBase(script: string, { start, end }: Pick<Edit, "start" | "end">): boolean {
  const [, name] = KEPT.exec(script.slice(Math.max(0, start - 60), start)) ?? [];
  if (name === undefined) return new RegExp(`^${CUT}`).test(script.slice(end, end + 20));
  const variable = String.raw`(?<![\w$.])${escapePattern(name)}(?![\w$])`;
  const resolved = String.raw`\bnew\s+URL\([^;\n]{1,200}?,\s*(?:new\s+URL\(\s*)?${variable}`;
  return new RegExp(`${resolved}|${variable}${CUT}`).test(script);
}

/**
 * Finds the address on the site itself of a response, which has the one that the route map has. Without quotes, since
 * the script may be inside a string.
 */
const OWN_ADDRESS =
  "(a=>{for(const{dataset:d,textContent:t}of document.scripts)if(d.imprintMap!=null){const{root:r,files:f}=JSON.parse(t);for(const p in f)if(new self.URL(f[p],document.baseURI).href===a)return new self.URL(r+encodeURI(p),document.baseURI).href}return a})";

// `new URL("one.json", response.url)`, also as rewritten by us, since published pages may be rewritten again.
const RESPONSE = /(?<=\bnew\s+URL\([^;\n]{1,200}?,\s*)(?<![\w$.])[\w$]+\.url(?=\s*\))/g;
const WRITTEN_NAME = new RegExp(
  String.raw`(?<=\bnew\s+URL\(\s*)(["'\`])([\w-][\w./-]*\.\w+)\1(?=\s*,\s*(?:${escapePattern(OWN_ADDRESS)}\()?[\w$]+\.url\)?\s*\))`,
  "g",
);

/** Whether a script resolves other names against the address of a response. */
export function resolvesFromResponse(script: string): boolean {
  return /\bfetch\(/.test(script) && (script.search(RESPONSE) >= 0 || script.includes(OWN_ADDRESS));
}

/** Finds the names that a script resolves against the address of a response, which are in a folder that it knows. */
export function findResponseNames(
  script: string,
): readonly (Pick<Edit, "start" | "end"> & { readonly name: string })[] {
  return Array.from(script.matchAll(WRITTEN_NAME), ({ index: start, 0: literal, 2: name = "" }) => {
    return { start, end: start + literal.length, name };
  });
}

/**
 * Lets a script resolve names against the address of a response on the site itself, which is the one that the route map
 * has for its published address.
 */
export function replaceResponseUrls(script: string): readonly Edit[] {
  if (!resolvesFromResponse(script)) return [];
  return Array.from(script.matchAll(RESPONSE), ({ index: start, 0: address }) => {
    return { start, end: start + address.length, text: `${OWN_ADDRESS}(${address})` };
  });
}

// Of anything but the page's own address: `icon.split("/").pop()`, `icon.lastIndexOf("/")`
const LAST_NAME =
  /(?<!\b(?:pathname|href|location|url|path))\??\.(?:split\(\s*(["'`])\/\1\s*\)\s*\??\.(?:pop\(|at\(\s*-|slice\(\s*-|reverse\()|lastIndexOf\(\s*["'`]\/["'`])/;
// `icon.match(/pics[/](.+)[.]png/)`, `icon.replace(/^.*\//, "")`
const BY_PATTERN =
  /\.(?:match|replace|search)\(\s*\/(?:[^\n]{0,80}?(?:\.\]?|\\\.)(?:png|jpe?g|webp|avif|gif|svg|mp[34]|webm|json)\b|\^?\.[*+]\??(?:\\\/|\[\\?\/\]))/;
// `icon.includes("pics/a")`, `icon.endsWith("/a.png")`, but not `location.pathname.startsWith("/blog/")`, or a type
const PART =
  /(?<!\b(?:pathname|href|location|url|path|type)|\))\??\.(?:(?:endsWith|startsWith|includes|indexOf)\(\s*(["'`])(?!(?:application|audio|font|image|multipart|text|video)\/)[^"'`\s:]*[\w-]\/[^"'`\s:]*\1|endsWith\(\s*(["'`])[\w./-]*\.[a-z][a-z0-9]{1,10}\2)/;
// The route map doesn't redirect what styles show.
const STYLE = /\bbackground(?:Image|-image)?\b|\burl\(/;
/** A script of this size contains libraries, so that only the code around the request counts. */
const LIBRARY_LENGTH = 50_000;
const NEAR = 1500;

/**
 * Whether a script takes names out of addresses, or looks for parts of them, so that it needs those in data that it
 * requests at a position as written.
 */
export function cutsNames(script: string, at: number): boolean {
  const near = script.length < LIBRARY_LENGTH ? script : script.slice(Math.max(0, at - NEAR), at + NEAR);
  return !STYLE.test(near) && [LAST_NAME, BY_PATTERN, PART].some((sign) => sign.test(near));
}
