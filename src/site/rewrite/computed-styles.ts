import { contentTypeOf, kindOf } from "../content-type.ts";
import { placeAsset } from "./assets.ts";
import { readAppended } from "./joined-strings.ts";
import { areFew } from "./data-limits.ts";
import { listMatching } from "./matching-files.ts";
import { writeTable, type Finding, type ScriptContext } from "./script-files.ts";
import { HOLE, markComputed } from "./script-places.ts";
import { warningAt } from "./text-context.ts";

// Before its first computed part.
const BEGINNING = /(?<=\burl\((?:\\?["'])?)\/(?!\/)[^"'`()\s\\<>$]*(?=\$\{|["'`]\s*\+)/g;
const TEMPLATE = new RegExp(String.raw`(?:${HOLE.source}|[^"'\`()\s\\<>$])+`, "y");
const END = /["'`()\s\\<>]/;

/** An address in a style within a template or a concatenation. */
interface Built {
  /** With `*` for computed parts. */
  readonly address: string;
  readonly start: number;
  readonly end: number;
  /** The quotes of the string in which it begins, and of the one in which it ends. */
  readonly first: string;
  readonly last: string;
  readonly isTemplate: boolean;
}

/**
 * Finds where a script builds the address of an image in a style (`` `url(/img/${name}.png)` ``), which the route map
 * doesn't see: the script gets a table of the addresses that it may mean.
 */
export function findComputedStyles(context: ScriptContext): readonly Finding[] {
  const { text, site } = context;
  if (!text.includes("url(")) return [];
  return Array.from(text.matchAll(BEGINNING)).flatMap(({ index, 0: beginning }): readonly Finding[] => {
    if (!beginning.startsWith(site.base)) return [];
    const built = readBuilt(text, index, beginning);
    const found = built === undefined ? undefined : lookUp(built, context);
    if (found !== undefined) return [found];
    const folder = beginning.slice(site.base.length);
    if (folder === "" || ![...site.files.keys()].some((file) => file.startsWith(folder))) return [];
    const message = `A script builds an address in a style, url(${beginning}…), which won't be found where the page is published. Use complete addresses, or style sheet classes.`;
    return [{ warnings: [warningAt(index, context, { code: "computed-address", message })] }];
  });
}

function readBuilt(text: string, start: number, beginning: string): Built | undefined {
  const stop = start + beginning.length;
  const first = text.charAt(stop);
  if (first === "$") {
    TEMPLATE.lastIndex = start;
    const [found = ""] = TEMPLATE.exec(text) ?? [];
    const range = { start, end: start + found.length };
    return { ...range, address: markComputed(found), first: "`", last: "`", isTemplate: true };
  }
  const joined = readAppended(text, stop + 1, END);
  if (joined?.quote === undefined) return undefined;
  return { address: beginning + joined.text, start, end: joined.end, first, last: joined.quote, isTemplate: false };
}

/** Returns `undefined` if no image of the site has such an address, or too many have. */
function lookUp({ address, start, end, first, last, isTemplate }: Built, context: ScriptContext): Finding | undefined {
  const { text, site, assets, place } = context;
  const ask = { isFetched: false };
  const { named } = listMatching(address.slice(site.base.length), ask, context);
  const images = named.filter((file) => kindOf(contentTypeOf(file)) === "image");
  if (images.length === 0 || !areFew(images, ask, context)) return undefined;
  const placed = images.map((file) => ({ file, ...placeAsset(file, { assets, usedIn: place.usedIn }) }));
  const entries = placed.flatMap(({ file, address: published }) => {
    const names = new Set([site.base + file, site.base + encodeURI(file)]);
    // With an empty query, so that it isn't replaced as an address if the published page is rewritten again.
    return [...names].filter((name) => !/["'`\\$]/.test(name)).map((name) => [`${name}?`, published] as const);
  });
  const looked = `(e=>${writeTable(entries, first)}[e+${first}?${first}]??e)(${first}${text.slice(start, end)}${last})`;
  const inserted = isTemplate ? `\${${looked}}` : `${first}+${looked}+${last}`;
  return { edit: { start, end, text: inserted }, assets: placed.flatMap((each) => each.assets) };
}
