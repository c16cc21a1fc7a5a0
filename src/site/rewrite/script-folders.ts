import { posix } from "node:path";
import type { BuiltSite } from "../model.ts";
import type { Ask } from "./script-asks.ts";
import type { ScriptContext } from "./script-files.ts";

/** A whole string, but not one that begins a concatenation, of which more is known. */
const WHOLE = /(["'`])(\/(?!\/)(?:[^"'`\s\\<>$?#*{}:]| (?! ))*[^"'`\s\\<>$?#*{}:/])\/?\1(?!\s*\+)/g;
/** A comparison with the string, or the label of a case. */
const COMPARED = /(?:[!=]==?|\bcase|\.(?:startsWith|endsWith|includes|indexOf|split|replace(?:All)?)\()\s*$/;

/**
 * Finds folders of files that a script gives to something that adds their names: the path of a library's decoders,
 * fonts, or icons, or `const folder = "/photos"`. A path that is also a page's is its address.
 */
export function findFolders({ text, site }: Pick<ScriptContext, "text" | "site">): readonly Ask[] {
  if (foldersOf(site).all.size === 0) return [];
  return Array.from(text.matchAll(WHOLE)).flatMap(({ index: start, 0: found, 2: path = "" }): readonly Ask[] => {
    const address = filesOfFolder(path, site);
    if (address === undefined || COMPARED.test(text.slice(Math.max(0, start - 30), start))) return [];
    return [{ address, isComputed: true, isFetched: false, isGuess: true, start, end: start + found.length }];
  });
}

/**
 * Returns the addresses of the files in a folder, or of those whose paths begin in such a way (`/frames/frame_`), as in
 * an {@link Ask}; `undefined` if there are none.
 */
export function filesOfFolder(path: string, site: BuiltSite): string | undefined {
  const below = (path.startsWith(site.base) ? path.slice(site.base.length) : path.slice(1)).replace(/\/$/, "");
  const { all, ofFiles, pages } = foldersOf(site);
  if (ofFiles.has(below)) return `${site.base}${below}/**/*`;
  if (path.endsWith("/") || site.files.has(below) || pages.has(below) || !all.has(posix.dirname(below)))
    return undefined;
  for (const file of site.files.keys()) if (file.startsWith(below)) return `${site.base}${below}*`;
  return undefined;
}

interface Folders {
  /** Those with files of the author's. */
  readonly all: ReadonlySet<string>;
  /** Those of `all` without pages. */
  readonly ofFiles: ReadonlySet<string>;
  /** Paths of pages, and of folders with pages. */
  readonly pages: ReadonlySet<string>;
}

const known = new WeakMap<BuiltSite, Folders>();

function foldersOf(site: BuiltSite): Folders {
  const before = known.get(site);
  if (before !== undefined) return before;
  const own = [site.assetsDir, "pagefind"].map((folder) => `${folder}/`);
  const paths = [...site.files.keys()].filter((path) => !own.some((folder) => path.startsWith(folder)));
  const all = new Set(paths.flatMap(ancestorsOf));
  const pages = new Set(site.pages.flatMap(({ route }) => ancestorsOf(`${route.slice(1).replace(/\/$/, "")}/`)));
  const folders = { all, ofFiles: new Set([...all].filter((folder) => !pages.has(folder))), pages };
  known.set(site, folders);
  return folders;
}

/** `a/b` and `a` for `a/b/c`. */
function ancestorsOf(path: string): readonly string[] {
  return Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index)).filter((folder) => folder !== "");
}
