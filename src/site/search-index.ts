import { posix } from "node:path";
import { readSiteText } from "./read-file.ts";
import type { BuiltPage, BuiltSite, Placement } from "./model.ts";

/** The search of Pagefind, as the build left it. */
export interface SearchIndex {
  /** Its folder below the dist folder, with a slash at the end: `pagefind/`. */
  readonly folder: string;
  /**
   * What readers may ask for, as paths below the dist folder: of the languages that it is for, no leftovers. Those of
   * other indexes of the site, which `mergeIndex()` may add, are among them.
   */
  readonly files: readonly string[];
  /** Their sizes together. */
  readonly bytes: number;
  /** The page that it is published as. */
  readonly page: BuiltPage;
}

const ENTRY = "pagefind-entry.json";
export const SEARCH_MODULE = "pagefind.js";

const indexes = new WeakMap<BuiltSite, SearchIndex | undefined>();

/** The search index of a built site; `undefined` where there is none that can be read. */
export function findSearchIndex(site: BuiltSite): SearchIndex | undefined {
  if (!indexes.has(site)) indexes.set(site, readSearchIndex(site));
  return indexes.get(site);
}

function readSearchIndex(site: BuiltSite): SearchIndex | undefined {
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
}

/** Which files of the folder a reader may ask for. `undefined` for a text that is no entry of Pagefind. */
function readLanguages(entry: string): ((file: string) => boolean) | undefined {
  let languages: unknown;
  try {
    ({ languages } = JSON.parse(entry));
  } catch {
    return undefined;
  }
  if (typeof languages !== "object" || languages === null) return undefined;
  const whole = new Set([ENTRY]);
  const beginnings: string[] = [];
  for (const { hash, wasm } of Object.values<{ readonly hash?: unknown; readonly wasm?: unknown }>({ ...languages })) {
    if (typeof hash !== "string") return undefined;
    whole.add(`pagefind.${hash}.pf_meta`).add(`wasm.${typeof wasm === "string" ? wasm : "unknown"}.pagefind`);
    beginnings.push(hash.slice(0, hash.lastIndexOf("_") + 1));
  }
  return (file) =>
    whole.has(file) || (/\.pf_\w+$/.test(file) && beginnings.some((each) => posix.basename(file).startsWith(each)));
}

// Readers load it whole when they search first, and once: as much as a photograph or two.
const MAX_BYTES_IN_A_PAGE = 2 * 1024 * 1024;
// Of a file in the library the page holds path and address.
const BYTES_OF_AN_ENTRY = 250;
// What results show is compressed in the build, and not where it names an image of the library.
const TEXT_OF_A_BYTE = 2.2;

interface SearchSpace {
  readonly placement: Placement;
  /** Largest page in bytes; `undefined`: any. */
  readonly maxPageBytes: number | undefined;
}

/** The page that holds the search index, or where its files are; `undefined` without one, or when it is too large. */
export function findSearchPage(site: BuiltSite, { placement, maxPageBytes }: SearchSpace): BuiltPage | undefined {
  const index = findSearchIndex(site);
  if (index === undefined || explainTooLarge(index, placement) !== undefined) return undefined;
  const data = isInLibrary(placement) ? 0 : index.bytes * TEXT_OF_A_BYTE;
  return data + index.files.length * BYTES_OF_AN_ENTRY <= (maxPageBytes ?? Infinity) ? index.page : undefined;
}

/** Whether the index is loaded file by file. Scripts of another host are only loaded where its files may be read. */
export function isInLibrary({ files, scripts }: Placement): boolean {
  return files === "library" && scripts === "library";
}

/** Why the search can't be carried along wherever pages may be of any size. */
export function explainTooLarge({ bytes }: Pick<SearchIndex, "bytes">, placement: Placement): string | undefined {
  if (isInLibrary(placement) || bytes <= MAX_BYTES_IN_A_PAGE) return undefined;
  return `its index has ${inMegabytes(bytes)} and has to be put into a page, where ${inMegabytes(MAX_BYTES_IN_A_PAGE)} are allowed`;
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
