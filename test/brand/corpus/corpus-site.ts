import { existsSync, readFileSync, statSync } from "node:fs";
import { join, normalize } from "node:path";
import type { ReadAddress } from "../../../src/brand/page/reader.ts";

/** Colors as hex, fonts as the first family. Omits what the package doesn't document. */
export interface ExpectedColors {
  readonly background?: string;
  readonly text?: string;
  readonly heading?: string;
  readonly link?: string;
  readonly primary?: string;
  /** Fills of the header and of the main button. */
  readonly header?: string;
  readonly button?: string;
}

export interface ExpectedBrand {
  readonly light?: ExpectedColors;
  readonly dark?: ExpectedColors;
  readonly fonts?: { readonly heading?: string; readonly body?: string; readonly mono?: string };
  /** End of the logo's address; `svg` for an inline one; `none` if the pages have no image. */
  readonly logo: string;
}

/** A place in the package's own files that documents a value, which the test looks up. */
export interface Documentation {
  readonly file: string;
  readonly says: readonly string[];
}

export interface CorpusSite {
  readonly name: string;
  /** The npm package, and the folder in it that is the site's root. */
  readonly package: string;
  readonly root?: string;
  /** Where its author publishes the site, if links in its pages show that. */
  readonly origin?: string;
  /** Path of the home page. */
  readonly home: string;
  /** Pages that are not in the package, by path: assembled as the package's documentation shows. */
  readonly pages?: ReadonlyMap<string, string>;
  readonly documentation: readonly Documentation[];
  readonly expected: ExpectedBrand;
}

export const DEFAULT_ORIGIN = "https://site.example";

const MODULES = join(import.meta.dirname, "../../../node_modules");

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  css: "text/css",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  ico: "image/x-icon",
};

/** The mark on assembled pages, and other images that aren't the site's logo. */
const PICTURES: ReadonlyMap<string, string> = new Map(
  ["/brand/mark.svg", "/pictures/northwind-logo.svg", "/pictures/contoso-logo.svg", "/pictures/person.svg"].map(
    (path) => [
      path,
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 32"><title>${path}</title><rect width="120" height="32"/></svg>`,
    ],
  ),
);

export function packageFile(packageName: string, file: string): string {
  return join(MODULES, packageName, file);
}

export function homeOf({ origin = DEFAULT_ORIGIN, home }: CorpusSite): string {
  return origin + home;
}

/** Serves a corpus site: assembled pages, else files of the package, and nothing else. */
export function readCorpusSite(site: CorpusSite): ReadAddress {
  return async (address) => {
    const { origin, pathname } = new URL(address);
    if (origin !== (site.origin ?? DEFAULT_ORIGIN)) return undefined;
    const page = site.pages?.get(pathname);
    if (page !== undefined) return { content: page, contentType: "text/html" };
    const picture = site.pages === undefined ? undefined : PICTURES.get(pathname);
    if (picture !== undefined) return { content: picture, contentType: "image/svg+xml" };
    const file = packageFile(site.package, join(site.root ?? "", normalize(decodeURIComponent(pathname))));
    if (!existsSync(file) || !statSync(file).isFile()) return undefined;
    return {
      content: readFileSync(file),
      contentType: TYPES[file.split(".").at(-1) ?? ""] ?? "application/octet-stream",
    };
  };
}
