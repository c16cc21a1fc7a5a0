import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReadAddress } from "../../brand/page/reader.ts";
import { contentTypeOf } from "../../site/content-type.ts";
import type { BuiltPage, BuiltSite } from "../../site/model.ts";
import { normalizeRoute } from "../../contract/slug.ts";

/** Maps the built folder to the addresses at which the site would be served. */
export interface SiteAddresses {
  readonly of: (page: BuiltPage) => string;
  readonly read: ReadAddress;
  /** Whether an address is one of the site itself. */
  isOwn(address: string): boolean;
  /** Route of the page at an address of the site. */
  routeAt(address: string): string | undefined;
  /** Path relative to the dist folder; `undefined` for addresses elsewhere. */
  fileAt(address: string): string | undefined;
  /** Path in the folder if the site's address is unknown, else the address. */
  nameOf(address: string): string;
}

// A site without an address gets one that can never be reached.
export function createSiteAddresses(built: BuiltSite): SiteAddresses {
  const { root, base, pages, files } = built;
  const origin = built.origin ?? "https://site.invalid";
  const pageFiles = new Map(pages.map((page) => [page.route, page.file]));
  const routes = new Map(pages.map((page) => [page.file, page.route]));
  const unwritten = new Map(pages.flatMap(({ file, html }) => (html === undefined ? [] : [[file, html] as const])));
  const htmlFiles = new Set(pages.map((page) => page.file));

  function isOwn(address: string): boolean {
    return URL.parse(address)?.origin === new URL(origin).origin;
  }

  function pathOf(address: string): string {
    const path = decodeURI(new URL(address).pathname);
    return path.startsWith(base) ? path.slice(base.length) : path.slice(1);
  }

  function fileAt(address: string): string | undefined {
    if (!isOwn(address)) return undefined;
    const below = pathOf(address);
    if (files.has(below) || htmlFiles.has(below)) return below;
    return pageFiles.get(normalizeRoute(`/${below}`));
  }

  return {
    of: ({ route }) => new URL(encodeURI(base + route.slice(1)), origin).href,
    isOwn,
    fileAt,
    nameOf: (address) =>
      built.origin === undefined && isOwn(address) ? (fileAt(address) ?? pathOf(address)) : address,
    routeAt(address) {
      const file = fileAt(address);
      return file === undefined ? undefined : routes.get(file);
    },
    async read(address) {
      const file = fileAt(address);
      if (file === undefined) return undefined;
      const html = unwritten.get(file);
      const content = html === undefined ? await readFile(join(root, file)) : Buffer.from(html);
      return { content, contentType: contentTypeOf(file) };
    },
  };
}
