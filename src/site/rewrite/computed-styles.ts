import { contentTypeOf, kindOf } from "../content-type.ts";
import type { SiteAsset } from "../model.ts";
import { placeAsset } from "./assets.ts";
import { readAppended } from "./joined-strings.ts";
import { areFew, listMatching } from "./matching-files.ts";
import type { Finding, ScriptContext } from "./script-files.ts";
import { HOLE } from "./script-places.ts";
import { warningAt } from "./text-context.ts";

// Before its first computed part.
const BEGINNING = /(?<=\burl\((?:\\?["'])?)\/(?!\/)[^"'`()\s\\<>$]*(?=\$\{|["'`]\s*\+)/g;
const TEMPLATE = new RegExp(String.raw`(?:${HOLE.source}|[^"'\`()\s\\<>$])+`, "y");
const END = /["'`()\s\\<>]/;

/** An address in a style within a string, with the code that ends the string before it and begins one after it. */
interface Built {
  readonly address: string;
  readonly start: number;
  readonly end: number;
  readonly opening: string;
  readonly closing: string;
}

/**
 * Finds where a script builds the address of an image in a style (`` `url(/img/${name}.png)` ``), which the route map
 * doesn't see: the script gets a table of the addresses that it may mean.
 */
export function findComputedStyles(context: ScriptContext): readonly Finding[] {
  const { text, site } = context;
  if (!text.includes("url(")) return [];
  return Array.from(text.matchAll(BEGINNING), ({ index, 0: beginning }): Finding => {
    const built = beginning.startsWith(site.base) ? readBuilt(text, index, beginning) : undefined;
    const path = built?.address.slice(site.base.length) ?? "";
    const ask = { isFetched: false };
    const images = listMatching(path, ask, context).named.filter((file) => kindOf(contentTypeOf(file)) === "image");
    if (built !== undefined && images.length > 0 && areFew(images, ask, context)) return lookUp(images, built, context);
    const [folder = ""] = path.split("*");
    if (folder === "" || ![...site.files.keys()].some((file) => file.startsWith(folder))) return {};
    const message = `A script builds the address of an image in a style, url(${beginning}…), which won't be found where the page is published. Use complete addresses, or style sheet classes.`;
    return { warnings: [warningAt(index, context, { code: "computed-address", message })] };
  });
}

function readBuilt(text: string, start: number, beginning: string): Built | undefined {
  const stop = start + beginning.length;
  if (text[stop] === "$") {
    TEMPLATE.lastIndex = start;
    const [found = ""] = TEMPLATE.exec(text) ?? [];
    const address = found.replace(HOLE, "*");
    return { address, start, end: start + found.length, opening: "${", closing: "}" };
  }
  const quote = text.charAt(stop);
  const joined = readAppended(text, stop + 1, END);
  if (joined?.quote === undefined) return undefined;
  const { text: after, end, quote: last } = joined;
  return { address: beginning + after, start, end, opening: `${quote}+`, closing: `+${last}` };
}

function lookUp(images: readonly string[], { start, end, opening, closing }: Built, context: ScriptContext): Finding {
  const { text, site, assets, place } = context;
  const first = opening === "${" ? "`" : opening.charAt(0);
  const last = opening === "${" ? "`" : closing.charAt(1);
  const used: SiteAsset[] = [];
  const entries = images.flatMap((file) => {
    const placed = placeAsset(file, { assets, usedIn: place.usedIn });
    used.push(...placed.assets);
    const names = new Set([site.base + file, site.base + encodeURI(file)]);
    const plain = [...names].filter((name) => !/["'`\\$]/.test(name));
    // With an empty query, so that it isn't replaced as an address if the published page is rewritten again.
    // Only in brackets can a template be a key.
    return plain.map((name) => `[${first}${name}?${first}]:${first}${placed.address}${first}`);
  });
  const table = `(e=>({${entries.join(",")}})[e+${first}?${first}]??e)(`;
  const edit = { start, end, text: `${opening}${table}${first}${text.slice(start, end)}${last})${closing}` };
  return { edit, assets: used };
}
