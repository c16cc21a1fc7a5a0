import { renderPlaceholder } from "../../html/placeholders.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import { writeTable, type Finding, type ScriptContext } from "./script-files.ts";

// `image.src.replace("light", "dark")`, `icon.getAttribute("href").replace(/light/, "dark")`
const SWAP =
  /(?<=\.(?:src|href|getAttribute\(\s*["'`](?:src|href)["'`]\s*\)))\.replace(?:All)?\(\s*(?:(["'`])([\w./-]+)\1|\/([\w-]+)\/g?)\s*,\s*(["'`])([\w./-]*)\4\s*\)/g;

// A table of more, as for `replace("1", "2")`, would cost more than it helps.
const MAX_PAIRS = 100;

/**
 * Finds where a script makes an image's address from that of another, and both are files of the site. Published
 * addresses have nothing in common, so the script gets a table of them.
 */
export function findSwappedImages({ text, site, assets, place }: ScriptContext): readonly Finding[] {
  if (!/\b(?:src|href)\b/.test(text)) return [];
  return Array.from(text.matchAll(SWAP)).flatMap((match): Finding[] => {
    const { index: start, 0: call, 2: string, 3: word, 4: quote = "", 5: replacement = "" } = match;
    const pairs = [...site.files.keys()].flatMap((path) => {
      const other = path.replace(string ?? word ?? "", replacement);
      const isSwapped = other !== path && site.files.has(other) && kindOf(contentTypeOf(path)) === "image";
      return isSwapped ? [[path, other] as const] : [];
    });
    if (pairs.length === 0 || pairs.length > MAX_PAIRS) return [];
    const use = { usedIn: place.usedIn, optimize: "any-type" } as const;
    const images = pairs.map(([path, other]) => [assets.fromFile(path, use), assets.fromFile(other, use)] as const);
    const entries = images.map(([from, to]) => [renderPlaceholder(from.hash), renderPlaceholder(to.hash)] as const);
    const text = `.replace(/^[^]*$/,e=>${writeTable(entries, quote)}[e]??e${call})`;
    return [{ edit: { start, end: start + call.length, text }, assets: images.flat() }];
  });
}
