import { posix } from "node:path";
import { isJsonObject, parseJson } from "../base/json.ts";
import { onceEach } from "../base/once-each.ts";
import { readSiteText } from "./read-file.ts";
import type { BuiltPage, BuiltSite, Placement } from "./model.ts";

/** The Pagefind search in the build output. */
export interface SearchIndex {
  /** Its folder below the dist folder, with a trailing slash: `pagefind/`. */
  readonly folder: string;
  /**
   * Files that readers may request, as paths below the dist folder: those of the indexed languages, without leftovers.
   * Includes the site's other indexes, which `mergeIndex()` may add.
   */
  readonly files: readonly string[];
  /** Their total size. */
  readonly bytes: number;
  /** The page as which it is published. */
  readonly page: BuiltPage;
}

const ENTRY = "pagefind-entry.json";
export const SEARCH_MODULE = "pagefind.js";

export const findSearchIndex = onceEach((site: BuiltSite): SearchIndex | undefined => {
  const entries = [...site.files.keys()].filter((path) => path.endsWith(`/${ENTRY}`));
  const entry = entries.find((path) => site.files.has(`${posix.dirname(path)}/${SEARCH_MODULE}`));
  if (entry === undefined || site.pages.some(({ route }) => route === `/${posix.dirname(entry)}/`)) return undefined;
  const indexes = entries.flatMap((path) => {
    const isCarried = readLanguages(readSiteText(site.root, path));
    return isCarried === undefined ? [] : [{ path, folder: `${posix.dirname(path)}/`, isCarried }];
  });
  const own = indexes.find(({ path }) => path === entry);
  if (own === undefined) return undefined;
  const files = [...site.files].filter(([path]) =>
    indexes.some(({ folder, isCarried }) => path.startsWith(folder) && isCarried(path.slice(folder.length))),
  );
  const hash = indexes.map(({ path }) => site.files.get(path)?.hash ?? "").join("");
  return {
    folder: own.folder,
    files: files.map(([path]) => path),
    bytes: files.reduce((sum, [, { bytes }]) => sum + bytes, 0),
    page: { route: `/${own.folder}`, file: entry, hash, kind: "public" },
  };
});

/**
 * Determines which files of the folder a reader may request. Returns `undefined` for a text that isn't a Pagefind entry
 * file.
 */
function readLanguages(entry: string): ((file: string) => boolean) | undefined {
  const content = parseJson(entry);
  const languages = isJsonObject(content) ? content["languages"] : undefined;
  if (!isJsonObject(languages)) return undefined;
  const whole = new Set([ENTRY]);
  const beginnings: string[] = [];
  for (const language of Object.values(languages)) {
    const { hash, wasm } = isJsonObject(language) ? language : {};
    if (typeof hash !== "string") return undefined;
    whole.add(`pagefind.${hash}.pf_meta`).add(`wasm.${typeof wasm === "string" ? wasm : "unknown"}.pagefind`);
    beginnings.push(hash.slice(0, hash.lastIndexOf("_") + 1));
  }
  return (file) =>
    whole.has(file) || (/\.pf_\w+$/.test(file) && beginnings.some((each) => posix.basename(file).startsWith(each)));
}

// Readers load it completely on their first search, and only once: as much as one or two photographs.
const MAX_BYTES_IN_A_PAGE = 2 * 1024 * 1024;
// Path and address of a file in the library.
const BYTES_OF_AN_ENTRY = 250;
// Result texts are compressed in the build, but not if they reference an image in the library.
const TEXT_OF_A_BYTE = 2.2;

interface SearchSpace {
  readonly placement: Placement;
  /** Maximum page size in bytes; `undefined`: unlimited. */
  readonly maxPageBytes: number | undefined;
}

/**
 * Returns the page that contains the search index, or the addresses of its files; `undefined` if there is none or it is
 * too large.
 */
export function findSearchPage(site: BuiltSite, { placement, maxPageBytes }: SearchSpace): BuiltPage | undefined {
  const index = findSearchIndex(site);
  if (index === undefined || explainTooLarge(index, placement) !== undefined) return undefined;
  const data = isInLibrary(placement) ? 0 : index.bytes * TEXT_OF_A_BYTE;
  return data + index.files.length * BYTES_OF_AN_ENTRY <= (maxPageBytes ?? Infinity) ? index.page : undefined;
}

/** Whether the index is loaded file by file. Scripts from another host are loaded only if its files may be read. */
export function isInLibrary({ files, scripts }: Placement): boolean {
  return files === "library" && scripts === "library";
}

/** Explains why the search can't be published even if pages may have any size. */
export function explainTooLarge({ bytes }: Pick<SearchIndex, "bytes">, placement: Placement): string | undefined {
  if (isInLibrary(placement) || bytes <= MAX_BYTES_IN_A_PAGE) return undefined;
  return `its index is ${inMegabytes(bytes)} and must be embedded in a page, where at most ${inMegabytes(MAX_BYTES_IN_A_PAGE)} is allowed`;
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
