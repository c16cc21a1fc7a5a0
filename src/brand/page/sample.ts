import { isInPageFrame } from "./site-page.ts";
import { isSameOrigin, pageKey, resolveAddress } from "./address.ts";
import type { PageDocument } from "./document.ts";

/** Links of the home page that are looked at. */
const MAX_LINKS = 500;

/** Endings of files that are no pages. */
const NO_PAGE = /\.(?:xml|json|txt|pdf|zip|png|jpe?g|gif|svg|webp|avif|ico|css|js|mjs|mp4|webm|woff2?|rss|atom)$/i;

/**
 * Pages that show most of a site beside its home page: one of each part first (`/docs/…`, `/blog/…`), those of the
 * navigation before others.
 */
export function samplePages(
  home: { readonly address: string; readonly document: PageDocument },
  options: { readonly known: readonly string[]; readonly limit: number },
): readonly string[] {
  const linked = home.document.elements
    .filter(({ name, attribs }) => name === "a" && attribs["href"] !== undefined)
    .slice(0, MAX_LINKS)
    .map((element) => ({ href: element.attribs["href"] ?? "", isFrame: isInPageFrame(element) }));
  const ordered = [...linked.filter(({ isFrame }) => isFrame), ...linked.filter(({ isFrame }) => !isFrame)];
  const addresses = [...ordered.map(({ href }) => resolveAddress(href, home.address)), ...options.known];
  const pages = new Map<string, string>();
  for (const address of addresses) {
    if (
      address === undefined ||
      !isSameOrigin(address, home.address) ||
      NO_PAGE.test(URL.parse(address)?.pathname ?? "")
    )
      continue;
    if (pageKey(address) !== pageKey(home.address) && !pages.has(pageKey(address)))
      pages.set(pageKey(address), address);
  }
  return spread([...pages.values()], home.address).slice(0, options.limit);
}

/** The first page of each part, then the second of each, and so on. */
function spread(addresses: readonly string[], home: string): readonly string[] {
  const parts = new Map<string, string[]>();
  const base = new URL(".", home).pathname;
  for (const address of addresses) {
    const { pathname } = new URL(address);
    const part = pathname.startsWith(base) ? (pathname.slice(base.length).split("/")[0] ?? "") : pathname;
    parts.set(part, [...(parts.get(part) ?? []), address]);
  }
  const longest = Math.max(0, ...[...parts.values()].map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => [...parts.values()].flatMap((part) => part[index] ?? [])).flat();
}
