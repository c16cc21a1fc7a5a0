import { onceEach } from "../../base/once-each.ts";
import { escapePattern } from "../../base/escape-pattern.ts";
import { renderPlaceholder } from "../../html/placeholders.ts";
import { contentTypeOf, kindOf, listImages } from "../content-type.ts";
import type { BuiltSite, SiteAsset } from "../model.ts";
import { MAX_INLINE_BYTES } from "./data-limits.ts";
import { skipBrackets } from "./joined-strings.ts";
import { placeStyleSheet, withoutQuotes, writeTable, type Finding, type ScriptContext } from "./script-files.ts";
import { warningAt } from "./text-context.ts";

const QUOTED = String.raw`(?:"[^"\\\n]*"|'[^'\\\n]*'|\`(?:[^\`\\$]|\$(?!\{))*\`)`;
const PATTERN = String.raw`\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*`;
const READ = String.raw`(?<=(?<of>\.(?:src|currentSrc|href|srcset)|\.getAttribute\(\s*["'\`](?:src|href|srcset)["'\`]\s*\)))`;
// `const src = image.getAttribute("src")`
const KEPT =
  /(?<![\w$.])([\w$]+)\s*=\s*[^=;,\n{}]{1,100}?\.(?:src|href|getAttribute\(\s*["'`](?:src|href)["'`]\s*\))(?=\s*(?:[,;\n)}]|$))/g;
const SWAP = String.raw`\.(?:replace(?:All)?\(\s*(?<from>${QUOTED}|${PATTERN})\s*,\s*(?<to>${QUOTED})\s*\)|split\(\s*(?<split>${QUOTED})\s*\)\.join\(\s*(?<join>${QUOTED})\s*\))`;
const COMPUTED_SWAP = String.raw`(?<method>\.replace(?:All)?)(?=\()`;
const TEST = String.raw`\.(?<method>endsWith|startsWith|includes|indexOf|match|search|split)\(\s*(?<text>${QUOTED}|${PATTERN})(?=\s*\))`;

// A table of more, as for `replace("1", "2")`, would cost more than it helps.
const MAX_IMAGES = 100;

/** An address as a script knows it on the site's own host, and where it is published. */
interface Entry {
  readonly written: string;
  readonly published: string;
  readonly assets: readonly SiteAsset[];
}

/**
 * Finds where a script makes an image's address from that of another, or looks for a name in one, and these are files
 * of the site. Published addresses have nothing in common, so the script gets a table of them.
 */
export function findSwappedImages(context: ScriptContext): readonly Finding[] {
  const { text } = context;
  if (!/\b(?:src|href|srcset|currentSrc)\b/.test(text)) return [];
  const names = new Set(Array.from(text.matchAll(KEPT), ([, name = ""]) => escapePattern(name)));
  const kept = names.size === 0 ? [] : [String.raw`(?<=(?<!\?\?e|[\w$.]|\$\{)(?:${[...names].join("|")}))`];
  const find = (operation: string): readonly RegExpExecArray[] =>
    [READ, ...kept].flatMap((receiver) => [
      ...text.matchAll(new RegExp(String.raw`${receiver}(?<optional>\??)${operation}`, "g")),
    ]);
  return [
    ...find(SWAP).flatMap((match) => swap(match, context)),
    ...find(COMPUTED_SWAP).flatMap((match) => swapComputed(match, context)),
    ...find(TEST).flatMap((match) => test(match, context)),
    ...compareNamed(context),
  ];
}

/** `image.src.replace("light", "dark")`, `icon.href.replace(/light/, "dark")`, `src.split("light").join("dark")` */
function swap({ index: start, 0: call, groups = {} }: RegExpExecArray, context: ScriptContext): readonly Finding[] {
  const { from = groups["split"] ?? "", to = groups["join"] ?? "", of } = groups;
  const isAll = groups["split"] !== undefined || /^\??\.replaceAll/.test(call);
  const change = readChange(from, { to: to.slice(1, -1), isAll });
  const pairs = listFiles(of, context).flatMap((path) => {
    const other = change?.(path) ?? path;
    return other !== path && context.site.files.has(other) ? [[path, other] as const] : [];
  });
  if (pairs.length === 0) return [];
  if (!mayList(pairs.flat(), MAX_IMAGES * 2, context)) return tooMany(start, from, context);
  const placed = pairs.map(([path, other]) => [place(path, of, context), place(other, of, context)] as const);
  const entries = placed.flatMap(([all, others]) =>
    all.flatMap(({ published }, index) => {
      const other = others[index] ?? others[0];
      return other === undefined ? [] : [[published, other.published] as const];
    }),
  );
  // A `srcset` may list several addresses.
  const each = of?.includes("srcset") === true ? String.raw`/[^\s,]+/g` : "/^[^]*$/";
  const [optional = "", operation = ""] = [groups["optional"], call.replace(/^\?/, "")];
  const written = `${optional}.replace(${each},e=>${writeTable(entries, to.charAt(0))}[e]??e${operation})`;
  return [
    {
      edit: { start, end: start + call.length, text: written },
      assets: placed.flat(2).flatMap(({ assets }) => assets),
    },
  ];
}

function readChange(
  from: string,
  { to, isAll }: { readonly to: string; readonly isAll: boolean },
): ((path: string) => string) | undefined {
  const text = from.slice(1, -1);
  if (!from.startsWith("/")) return (path) => (isAll ? path.replaceAll(text, to) : path.replace(text, to));
  const pattern = readPattern(from);
  return pattern && ((path) => path.replace(pattern, to));
}

function readPattern(literal: string): RegExp | undefined {
  const end = literal.lastIndexOf("/");
  try {
    return new RegExp(literal.slice(1, end), literal.slice(end + 1));
  } catch {
    return undefined;
  }
}

/** `image.src.replace("light", theme)`, `image.src.replace(dark ? "light" : "dark", dark ? "dark" : "light")` */
function swapComputed({ index: start, groups = {} }: RegExpExecArray, context: ScriptContext): readonly Finding[] {
  const { of, optional = "", method = "" } = groups;
  const { text } = context;
  const open = start + optional.length + method.length;
  const end = skipBrackets(text, open) ?? open;
  const values = text.slice(open, end);
  const isPlain = new RegExp(String.raw`^\(\s*(?:${QUOTED}|${PATTERN})\s*,\s*${QUOTED}\s*\)$`).test(values);
  if (of?.includes("srcset") === true || isPlain || /=>|\b(?:function|await|yield)\b/.test(values)) return [];
  const words = new Set(Array.from(values.matchAll(WORD), ([, , string, word]) => string ?? word ?? ""));
  const files = listFiles(of, context);
  const images = files.filter((path) => [...words].some((word) => hasOther(path, word, files)));
  if (words.size === 0 || images.length === 0) return [];
  if (!mayList(images, MAX_IMAGES, context)) return tooMany(start, [...words][0] ?? "", context);
  const [quote = '"'] = /["'`]/.exec(values) ?? [];
  const entries = images.flatMap((path) => place(path, of, context));
  const originals = writeOriginals(entries, quote);
  const published = writeTable(entries.map((each) => [each.written, each.published] as const).toReversed(), quote);
  const written = `${optional}.replace(/^[^]*$/,address=>(made=>${published}[made+${quote}?${quote}]??made)((${originals}[address]?.slice(0,-1)??address)${method}${values}))`;
  return [{ edit: { start, end, text: written }, assets: entries.flatMap(({ assets }) => assets) }];
}

// In a string, or at least three letters of a pattern.
const WORD = /(["'`])([\w./-]{2,})\1|(?<=\/[^"'`\s]*)(?<![\\A-Za-z])([A-Za-z]{3,})(?=[^"'`\s]*\/)/g;

/** Whether another file has something else in place of a word. */
function hasOther(path: string, word: string, files: readonly string[]): boolean {
  const [before = "", ...rest] = path.split(word);
  const after = rest.join(word);
  return (
    rest.length > 0 &&
    files.some((file) => {
      const isLike = file !== path && file.length > before.length + after.length;
      return isLike && file.startsWith(before) && file.endsWith(after) && !file.slice(before.length).includes("/");
    })
  );
}

/** `image.src.endsWith("moon.svg")`, `image.src.includes("play")`, `image.src.split("/").pop() === "moon.svg"` */
function test({ index: start, groups = {} }: RegExpExecArray, context: ScriptContext): readonly Finding[] {
  const { of, optional = "", method = "", text = "" } = groups;
  if (of?.includes("srcset") === true) return [];
  const pattern = text.startsWith("/") ? readPattern(text) : undefined;
  // A short name may mean something else elsewhere, in which patterns find anything.
  const files = of === undefined ? listImages(context.site) : listFiles(of, context);
  const images = files.filter((path) => isFound(path, { method, text, pattern }, context));
  if (images.length === 0) return [];
  if (!mayList(images, MAX_IMAGES, context)) return tooMany(start, text, context);
  const entries = images.flatMap((path) => place(path, of, context));
  const [quote = '"'] = /^["'`]/.exec(text) ?? [];
  const written = `${optional}.replace(/^[^]*$/,e=>${writeOriginals(entries, quote)}[e]?.slice(0,-1)??e)`;
  return [{ edit: { start, end: start, text: written }, assets: entries.flatMap(({ assets }) => assets) }];
}

const WHOLE_READ = /(?<=\.getAttribute\(\s*\1src(["'`])\s*\))(?!\s*(?:\??\.|[[(=]\s*[^=]))/g;

/**
 * `image.getAttribute("src") === "/moon.png"`, `list.indexOf(image.getAttribute("src"))`: an element may show the same
 * image as another type than the one that the script names.
 */
function compareNamed(context: ScriptContext): readonly Finding[] {
  const reads = [...context.text.matchAll(WHOLE_READ)];
  if (reads.length === 0) return [];
  const images = listFiles(".src", context).filter((path) => isNamed(context.site.base + path, context));
  const entries = images.flatMap((path) => {
    const [shown, named] = place(path, ".src", context);
    return shown === undefined || named === undefined ? [] : [{ shown, named }];
  });
  if (entries.length === 0 || entries.length > MAX_IMAGES) return [];
  const addresses = entries.map(({ shown, named }) => [shown.published, named.published] as const);
  const assets = entries.flatMap(({ shown, named }) => [...shown.assets, ...named.assets]);
  return reads.map(({ index: start, 1: quote = "" }) => {
    return {
      edit: { start, end: start, text: `?.replace(/^[^]*$/,e=>${writeTable(addresses, quote)}[e]??e)` },
      assets,
    };
  });
}

function isNamed(address: string, { text }: ScriptContext): boolean {
  return ['"', "'", "`"].some((quote) => text.includes(quote + address + quote));
}

function isFound(
  path: string,
  { method, text, pattern }: { readonly method: string; readonly text: string; readonly pattern: RegExp | undefined },
  context: ScriptContext,
): boolean {
  const address = context.site.base + path;
  const name = path.slice(path.lastIndexOf("/") + 1);
  // Its last part, which is compared with a name.
  if (method === "split")
    return /^.\/.$/.test(text) && ["'", '"', "`"].some((each) => context.text.includes(each + name));
  if (text.startsWith("/")) return pattern?.test(address) === true;
  const written = text.slice(1, -1);
  return method === "endsWith" ? address.endsWith(written) : written.length > 1 && address.includes(written);
}

function listFiles(of: string | undefined, { site, runsIn }: ScriptContext): readonly string[] {
  const images = listImages(site);
  return runsIn === "page" && (of === undefined || of.includes("href")) ? [...images, ...listStyles(site)] : images;
}

/** Whether a script may get a table of this many files, of which it contains the style sheets if no library has them. */
function mayList(paths: readonly string[], most: number, { site, settings }: ScriptContext): boolean {
  if (paths.length > most) return false;
  const sheets = paths.filter((path) => kindOf(contentTypeOf(path)) === "style");
  const bytes = sheets.reduce((sum, path) => sum + (site.files.get(path)?.bytes ?? 0), 0);
  return settings.placement.files === "library" || bytes <= MAX_INLINE_BYTES;
}

const listStyles = onceEach(({ files, assetsDir }: BuiltSite) =>
  [...files.keys()].filter((path) => kindOf(contentTypeOf(path)) === "style" && !path.startsWith(`${assetsDir}/`)),
);

/** As elements show it, and as scripts and data name it; as links of the head have it. */
function place(path: string, of: string | undefined, context: ScriptContext): readonly Entry[] {
  const { assets, place: at, site } = context;
  const written = `${site.base}${encodeURI(path)}?`;
  if (kindOf(contentTypeOf(path)) === "style") {
    const placed = placeStyleSheet(path, at.usedIn, context);
    return [{ written, published: placed.address, assets: placed.assets }];
  }
  const uses = of?.includes("href") === true ? (["same-type", "never"] as const) : (["any-type", "same-type"] as const);
  const found = uses.map((optimize) => assets.fromFile(path, { usedIn: at.usedIn, optimize }));
  return [...new Map(found.map((asset) => [asset.hash, asset])).values()].map((asset) => {
    return { written, published: renderPlaceholder(asset.hash), assets: [asset] };
  });
}

/** With an empty query, so that they aren't replaced as addresses if the published page is rewritten again. */
function writeOriginals(entries: readonly Entry[], quote: string): string {
  return writeTable(
    entries.map(({ written, published }) => [published, withoutQuotes(written)] as const),
    quote,
  );
}

function tooMany(start: number, text: string, context: ScriptContext): readonly Finding[] {
  const message = `A script looks for ${text} in the address of an image or style sheet, which is different where the page is published, and more files of the site have it than the script can list: ${MAX_IMAGES}, and ${MAX_INLINE_BYTES / 1024} KiB of style sheets if the page contains them. Use a longer part of their names, or addresses in data attributes.`;
  return [{ warnings: [warningAt(start, context, { code: "computed-address", message })] }];
}
