import { ownText } from "../base/own-text.ts";
import type { BuiltPage, BuiltSite } from "./model.ts";
import { decodeComponent } from "../base/decode-component.ts";

/** The target of an address in a page or a style sheet. */
export type Target =
  /** `suffix` is the query and fragment as written. */
  | { readonly kind: "page"; readonly page: BuiltPage; readonly suffix: string }
  | { readonly kind: "file"; readonly path: string; readonly suffix: string }
  /** A redirect of this site to another site. */
  | { readonly kind: "moved"; readonly address: string }
  /** An address of this site for which the build has nothing. */
  | { readonly kind: "missing"; readonly path: string }
  /** Another site, a fragment, `mailto:`, `data:`, …: left unchanged. */
  | { readonly kind: "foreign" };

export interface AddressBook {
  /** Resolves an address. `from` is the file that contains it, below the dist folder. */
  resolve(address: string, from: string): Target;
  /**
   * Returns the file that addresses are relative to if `<base>` has this address, as a path below the dist folder;
   * `undefined` if that is another site.
   */
  relativeFrom(address: string, from: string): string | undefined;
  /** The absolute address of a file on the site's own host. */
  ownAddress(file: string): string;
}

const FOREIGN: Target = { kind: "foreign" };
const MAX_REDIRECTS = 10;

/**
 * The addresses of a built site. Recognizes pages as `/x`, `/x/`, `/x.html`, and `/x/index.html`, with and without the
 * site's base, percent-encoded, relative, and absolute with the site's own origin; built files also by the suffix
 * `/_astro/…` on any host, which is how `assetsPrefix` appears. Follows redirect pages to their end. Never reads the
 * disk: only what was found when the site was read exists.
 */
export function createAddressBook(site: BuiltSite): AddressBook {
  const finder = createPathFinder(site);
  const origin = site.origin ?? "https://site.invalid";
  const { host } = new URL(origin);
  const rooted = new Map<string, Target>();
  let last = { file: "", address: `${origin}${site.base}` };

  function resolve(address: string, from: string): Target {
    const known = rooted.get(address);
    if (known !== undefined) return known;
    const text = address.trim();
    if (text === "" || text.startsWith("#") || /^(?!https?:)[a-z][a-z0-9+.-]*:/i.test(text)) return FOREIGN;
    if (!address.startsWith("/") || address[1] === "/") return resolveUrl(text, from);
    // The same menu occurs on every page.
    const target = resolveUrl(ownText(text), from);
    rooted.set(ownText(address), target);
    return target;
  }

  function resolveUrl(text: string, from: string): Target {
    const url = URL.parse(text, ownAddress(from));
    if (url === null) return FOREIGN;
    const suffix = suffixOf(text);
    const found = (url.host === host ? finder.findPath(url, suffix) : undefined) ?? finder.findPrefixed(url, suffix);
    if (found?.kind === "page" && found.page.kind === "redirect") return followRedirect(found.page, suffix);
    return found ?? (url.host === host ? { kind: "missing", path: url.pathname } : FOREIGN);
  }

  function followRedirect(first: BuiltPage, suffix: string): Target {
    let page = first;
    for (let step = 0; step < MAX_REDIRECTS; step += 1) {
      const address = page.redirectTo ?? "";
      const url = URL.parse(address, ownAddress(page.file));
      if (url !== null && url.host !== host) return { kind: "moved", address: url.href };
      const found = url === null ? undefined : finder.findPath(url, suffixOf(address) || suffix);
      if (found?.kind !== "page" || found.page.kind !== "redirect") return found ?? { kind: "missing", path: address };
      page = found.page;
    }
    return { kind: "missing", path: first.route };
  }

  function relativeFrom(address: string, from: string): string | undefined {
    const url = URL.parse(address.trim(), ownAddress(from));
    if (url === null) return from;
    if (url.host !== host) return undefined;
    const path = decodeComponent(url.pathname);
    return path.startsWith(site.base) ? path.slice(site.base.length) : path.slice(1);
  }

  function ownAddress(file: string): string {
    if (file !== last.file) {
      const path = site.isWithoutSlashes ? file.replace(/\/index\.html$/, "") : file;
      last = { file, address: `${origin}${site.base}${path.split("/").map(encodeURIComponent).join("/")}` };
    }
    return last.address;
  }

  return { resolve, relativeFrom, ownAddress };
}

function suffixOf(address: string): string {
  return /[?#].*$/s.exec(address)?.[0] ?? "";
}

function createPathFinder(site: BuiltSite) {
  const pages = indexPages(site.pages);
  const named = [...site.files.keys()].filter((path) => /\P{ASCII}/u.test(path));
  const composed = new Map(named.map((path) => [path.normalize("NFC"), path]));

  /** Hand-written links often lack the base, so a path is tried with and without it. */
  function findPath(url: URL, suffix: string): Target | undefined {
    const path = decodeComponent(url.pathname);
    const below = `${path}/`.startsWith(site.base) ? path.slice(site.base.length) : undefined;
    return (below === undefined ? undefined : findLocal(below, suffix)) ?? findLocal(path.slice(1), suffix);
  }

  function findLocal(path: string, suffix: string): Target | undefined {
    const file = findFile(path);
    if (file !== undefined) return { kind: "file", path: file, suffix };
    const page = pages.get(path.normalize("NFC")) ?? pages.get(path.replace(/\/$/, "").normalize("NFC"));
    return page === undefined ? undefined : { kind: "page", page, suffix };
  }

  /** `assetsPrefix` puts built files on any host and under any path. */
  function findPrefixed(url: URL, suffix: string): Target | undefined {
    const start = url.pathname.indexOf(`/${site.assetsDir}/`);
    const path = start === -1 ? "" : decodeComponent(url.pathname.slice(start + 1));
    const file = findFile(path);
    return file === undefined ? undefined : { kind: "file", path: file, suffix };
  }

  /** Copies from macOS have decomposed names (NFD), while people write composed ones. */
  function findFile(path: string): string | undefined {
    return site.files.has(path) ? path : composed.get(path.normalize("NFC"));
  }

  return { findPath, findPrefixed };
}

/**
 * Every form of every page's path, without a leading slash. A page's own file name takes precedence over another's
 * form.
 */
function indexPages(pages: readonly BuiltPage[]): ReadonlyMap<string, BuiltPage> {
  const index = new Map<string, BuiltPage>();
  const formsOf: readonly ((file: string) => string)[] = [
    (file) => file,
    (file) => (isIndexFile(file) ? file.replace(/\/?index\.html$/, "") : file),
    (file) => file.replace(/\.html$/i, ""),
    (file) => file.replace(/\/index\.html$/, ".html"),
  ];
  for (const formOf of formsOf) {
    for (const page of pages) {
      const form = formOf(page.file.normalize("NFC"));
      if (!index.has(form)) index.set(form, page);
    }
  }
  return index;
}

/** Whether a built file is served at the address of its folder. */
export function isIndexFile(file: string): boolean {
  return file === "index.html" || file.endsWith("/index.html");
}
