import type { BuildHints } from "./build-hints.ts";
import type { BuiltPage } from "./model.ts";
import type { PageHead } from "./page-head.ts";

export interface SiteAddress {
  readonly origin: string | undefined;
  readonly base: string;
}

/**
 * The site's own address and base path. What the hints leave open is taken from the canonical addresses that end in
 * their page's own route, and else from the addresses of built files; what most pages say counts.
 */
export function inferAddress(
  pages: readonly BuiltPage[],
  {
    heads,
    hints,
    assetsDir,
  }: {
    readonly heads: ReadonlyMap<string, PageHead>;
    readonly hints: BuildHints;
    readonly assetsDir: string;
  },
): SiteAddress {
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

/** With `assetsPrefix` built files stand on another host, which says nothing about the base. */
function basesOf(address: string | undefined, assetsDir: string): readonly string[] {
  const end = address?.indexOf(`/${assetsDir}/`) ?? -1;
  return address?.startsWith("/") === true && !address.startsWith("//") && end !== -1
    ? [address.slice(0, end + 1)]
    : [];
}

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first] = [...counts].toSorted(([, one], [, other]) => other - one);
  return first?.[0];
}

function withSlashes(path: string): string {
  const inner = path.replace(/^\/+|\/+$/g, "");
  return inner === "" ? "/" : `/${inner}/`;
}
