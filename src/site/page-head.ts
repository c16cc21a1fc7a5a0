import { ownText } from "../base/own-text.ts";
import type { ReaderRedirect } from "../html/redirect.ts";
import type { BuildHints } from "./build-hints.ts";
import type { BuiltPage, BuiltSite } from "./model.ts";

/** Enough for the head of a page: Astro writes redirects and canonical addresses near the start. */
export const HEAD_BYTES = 8 * 1024;

/** Information from the beginning of an HTML file. */
export interface PageHead {
  /** Whether it is a complete document rather than a fragment. */
  readonly isDocument: boolean;
  readonly redirect: ReaderRedirect | undefined;
  readonly canonical: string | undefined;
  /** The first address of a built file, as written. */
  readonly builtFile: string | undefined;
}

/** Reads the first `HEAD_BYTES` of an HTML file. */
export async function readPageHead(html: string, assetsDir: string): Promise<PageHead> {
  return {
    isDocument: /<(?:!doctype|html|head|title|body)[\s>]/i.test(html),
    // The parser is loaded only for the few pages that need it here, and not at all if nothing changed.
    redirect: MAY_REDIRECT.test(html)
      ? detachRedirect((await import("../html/redirect.ts")).findRedirect(html))
      : undefined,
    canonical: detach(findCanonical(html)),
    builtFile: detach(findBuiltFile(html, assetsDir)),
  };
}

const MAY_REDIRECT = /http-equiv\s*=\s*["']?refresh/i;

function detachRedirect(redirect: ReaderRedirect | undefined): ReaderRedirect | undefined {
  return redirect && { ...redirect, address: ownText(redirect.address) };
}

function detach(text: string | undefined): string | undefined {
  return text === undefined ? undefined : ownText(text);
}

function findCanonical(html: string): string | undefined {
  const [tag = ""] = /<link\b[^>]*\brel=["']?canonical\b[^>]*>/i.exec(html) ?? [];
  const [, double, single, bare] = /\bhref=(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(tag) ?? [];
  return double ?? single ?? bare;
}

function findBuiltFile(html: string, assetsDir: string): string | undefined {
  // Avoids searching the entire beginning of a page without one.
  if (!html.includes(`/${assetsDir}/`)) return undefined;
  for (const [, address] of html.matchAll(/\s(?:src|href)="([^"]+)"/g)) {
    if (address?.includes(`/${assetsDir}/`) === true) return address;
  }
  return undefined;
}

type SiteAddress = Pick<BuiltSite, "origin" | "base">;

interface AddressSources extends Pick<BuiltSite, "assetsDir"> {
  /** By file. */
  readonly heads: ReadonlyMap<string, PageHead>;
  readonly hints: BuildHints;
}

/**
 * Infers the site's own address and base path. What the hints don't specify is taken from canonical addresses that end
 * in their page's own route, or else from the addresses of built files; the most frequent value wins.
 */
export function inferAddress(pages: readonly BuiltPage[], { heads, hints, assetsDir }: AddressSources): SiteAddress {
  const canonicals = pages.flatMap((page) => {
    const found = splitCanonical(heads.get(page.file)?.canonical, page.route);
    return found === undefined ? [] : [found];
  });
  const hinted = hints.site === undefined ? null : URL.parse(hints.site);
  const origin = hinted?.origin ?? mostFrequent(canonicals.map((canonical) => canonical.origin));
  const base =
    hints.base ??
    mostFrequent(canonicals.map((canonical) => canonical.base)) ??
    mostFrequent(pages.flatMap((page) => basesOf(heads.get(page.file)?.builtFile, assetsDir))) ??
    "/";
  return { origin, base: withSlashes(base) };
}

function splitCanonical(canonical: string | undefined, route: string): (SiteAddress & { origin: string }) | undefined {
  const url = canonical === undefined ? null : URL.parse(canonical);
  if (url === null || !url.protocol.startsWith("http")) return undefined;
  const path = withSlashes(url.pathname.replace(/(?:\/index)?\.html$/, ""));
  const ending = withSlashes(encodeURI(route));
  return path.endsWith(ending)
    ? { origin: url.origin, base: path.slice(0, path.length - ending.length + 1) }
    : undefined;
}

/** With `assetsPrefix`, built files are on another host, which doesn't reveal the base. */
function basesOf(address: string | undefined, assetsDir: string): readonly string[] {
  const end = address?.indexOf(`/${assetsDir}/`) ?? -1;
  return address?.startsWith("/") === true && !address.startsWith("//") && end !== -1
    ? [address.slice(0, end + 1)]
    : [];
}

export function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first] = [...counts].toSorted(([, one], [, other]) => other - one);
  return first?.[0];
}

function withSlashes(path: string): string {
  const inner = path.replace(/^\/+|\/+$/g, "");
  return inner === "" ? "/" : `/${inner}/`;
}
