import type { OriginalSite } from "./original-site.ts";
import type { PublishedSite } from "./published-site.ts";
import type { Link } from "./visit.ts";

/** The expected target of an original link on the published page. */
export type Expected =
  /** A page, another site or a place on the same page: the full address is known. */
  | { readonly kind: "address"; readonly address: string }
  /** A file of the site: an address that responds, or one in the report. */
  | { readonly kind: "file"; readonly path: string }
  /** The original is a dead link, which must be in the report. */
  | { readonly kind: "dangling"; readonly path: string };

interface Sites {
  readonly original: OriginalSite;
  readonly published: PublishedSite;
}

/** Returns the expected targets of links on a published page, from only the original and the slugs. */
export function createLinkOracle({ original, published }: Sites): (link: Link, route: string) => Expected {
  const base = `/${original.hints.base ?? ""}/`.replace(/\/+/g, "/");
  const byPath = new Map(published.files.map((page) => [pathKey(page.file), page]));

  function expect({ href, address }: Link, route: string): Expected {
    const url = new URL(address);
    const isOwn = url.origin === original.origin || url.origin === new URL(original.site).origin;
    if (!isOwn) return { kind: "address", address };
    if (href.startsWith("#")) return toRoute(route, url.hash);
    const path = decodeURIComponent(url.pathname);
    const local = `${path}/`.startsWith(base) ? path.slice(base.length) : path.slice(1);
    const page = byPath.get(pathKey(local));
    if (page?.redirectTo !== undefined) {
      const target = new URL(page.redirectTo, new URL(base + page.file, original.origin));
      target.search ||= url.search;
      target.hash ||= url.hash;
      return expect({ href: target.href, address: target.href }, route);
    }
    if (page !== undefined && published.slugs.has(page.route)) return toRoute(page.route, url.search + url.hash);
    return { kind: page === undefined && /\.[a-z0-9]+$/.test(local) ? "file" : "dangling", path: local };
  }

  function toRoute(route: string, suffix: string): Expected {
    return { kind: "address", address: `${published.origin}/p/${published.slugs.get(route) ?? ""}${suffix}` };
  }

  return expect;
}

function pathKey(path: string): string {
  return path
    .replace(/(?:^|\/)index\.html$/, "")
    .replace(/\.html$/, "")
    .replace(/\/$/, "");
}
