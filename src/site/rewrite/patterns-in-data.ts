import { decodeComponent } from "../../base/decode-component.ts";
import { onceEach } from "../../base/once-each.ts";
import { createLineFinder } from "../../html/edits.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { BuiltSite, SiteWarning } from "../model.ts";
import type { PlacedAsk } from "./scripts.ts";
import type { RewriteTools } from "./text-context.ts";

/** Files that data names in a way that only scripts resolve. */
export interface NamedFiles {
  readonly asks: readonly PlacedAsk[];
  readonly warnings: readonly SiteWarning[];
}

export interface NamesContext extends Pick<RewriteTools, "site" | "settings" | "addresses"> {
  /** The data's file. */
  readonly file: string;
  readonly text: string;
  /** Whether the addresses of all files stay as they are. Default: only those that no rule replaces. */
  readonly keepsNames?: boolean;
}

// As filled in by map libraries: `/tiles/{z}/{x}/{y}{r}.png`
const PATTERN =
  /^(?:https?:\/\/[^\s/"'`<>{}]+)?(?=[^?#]*\/)[^\s"'`<>:]*\{-?\w{1,20}\}[^\s"'`<>:]*\.[a-z0-9]{2,11}(?:[?#].*)?$/i;

/** Whether a text is the address of files with computed parts. */
export function isPattern(text: string): boolean {
  return PATTERN.test(text);
}

/** A pattern as the address of an `Ask`. */
export function writeComputed(pattern: string): string {
  return pattern.replace(/[?#].*$/, "").replace(/(?:\{-?\w+\})+/g, "*");
}

/** A value in data that stands for several files, with the nearest key before it and its position. */
export interface ValueOfMany {
  readonly value: string;
  readonly key: string | undefined;
  readonly index: number;
}

// More than any map has; each is compared with all files of the site.
const MAX_PATTERNS = 100;

/** Finds the files for patterns in data, which scripts request from the site's own addresses. */
export function findPatterns(patterns: readonly ValueOfMany[], context: NamesContext): NamedFiles {
  const { site, file, text } = context;
  const findLine = createLineFinder(text);
  const warnings: SiteWarning[] = [];
  const asks = patterns.slice(0, MAX_PATTERNS).flatMap(({ value, key, index }): PlacedAsk[] => {
    const written = writeComputed(value);
    const line = findLine(index);
    const isRelative = !/^(?:https?:|\/)/i.test(value);
    const paths = (isRelative ? [written, site.base + written] : [written]).flatMap(
      (each) => pathOf(each, context) ?? [],
    );
    if (key === "tiles" && paths.some((path) => isOfWorker(path, site))) {
      const message = `A map library requests the tiles ${value} in a worker, which won't find them where the page is published. Use tiles that are images, GeoJSON, or tiles of another host.`;
      warnings.push({ code: "computed-address", message, file, line });
      return [];
    }
    const addresses = [...(isRelative ? [written] : []), ...paths.map((path) => site.base + path)];
    return addresses.map((address) => ({ address, isComputed: true, isFetched: false, file, line }));
  });
  return { asks, warnings };
}

/** The path of a pattern below the site's base; `undefined` for one of another site. */
function pathOf(pattern: string, { addresses, site, file }: NamesContext): string | undefined {
  const base = addresses.ownAddress(file);
  const url = URL.parse(pattern, base);
  if (url === null || url.origin !== new URL(base).origin) return undefined;
  const path = decodeComponent(url.pathname);
  return path.startsWith(site.base) ? path.slice(site.base.length) : path.slice(1);
}

/** Whether the site has such tiles that aren't images, which no element loads. */
function isOfWorker(path: string, { files }: BuiltSite): boolean {
  const [folder = ""] = path.split("*", 1);
  const ending = path.slice(path.lastIndexOf("."));
  if (kindOf(contentTypeOf(path)) === "image") return false;
  return [...files.keys()].some((file) => file.startsWith(folder) && file.endsWith(ending));
}

const ENDINGS = /(?:@\dx)?\.(?:json|png|webp)$/;

/** Paths by what a map's style names of them: `sprite` of `sprite.json`, `sprite.png`, and `sprite@2x.png`. */
const findStems = onceEach(({ files }: BuiltSite) => {
  const named = [...files.keys()].filter((path) => ENDINGS.test(path));
  return Map.groupBy(named, (path) => path.replace(ENDINGS, ""));
});

/** Finds the files of an address without an ending, from which map libraries make those of a list and an image. */
export function findStem(value: string, context: NamesContext): readonly string[] {
  if (!/^(?:https?:\/)?\/[^\s"'`<>{}?#]*$/i.test(value)) return [];
  const path = pathOf(value, context);
  const paths = path === undefined ? [] : (findStems(context.site).get(path) ?? []);
  const hasBoth = paths.some((each) => each.endsWith(".json")) && paths.some((each) => !each.endsWith(".json"));
  return hasBoth ? paths : [];
}
