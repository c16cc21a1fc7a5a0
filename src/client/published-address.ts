import type { Page } from "./api.ts";
import { decodeComponent } from "../base/decode-component.ts";

// The specification doesn't define where pages are published: `/p/<slug>`, `/<slug>`, `/<account>/<slug>`, another
// host, or a host per page. It is stored as a pattern with `{slug}` as a placeholder.

const SLUG = "{slug}";

/** Converts user input to a pattern: the base address before `/p/`, or already a pattern. */
export function patternOf(pagesUrl: string): string {
  return pagesUrl.includes(SLUG) ? pagesUrl : `${pagesUrl.replace(/\/+$/, "")}/p/${SLUG}`;
}

/** Returns the address of a page according to a pattern. */
export function publishedAddress(pagesAt: string, slug: string): string {
  return pagesAt.replaceAll(SLUG, encodeURIComponent(slug));
}

/** Returns the address of a page for links according to a pattern: root-relative, unless each page has its own host. */
export function publishedHref(pagesAt: string, slug: string): string {
  const { origin, path } = splitAddress(publishedAddress(pagesAt, slug));
  return splitAddress(pagesAt).origin.includes(SLUG) ? origin + path : path;
}

function splitAddress(address: string): { readonly origin: string; readonly path: string } {
  const [origin = ""] = /^https?:\/\/[^/?#]+/i.exec(address) ?? [];
  return { origin, path: address.slice(origin.length) };
}

/** Returns the base address of a pattern of the form `<base>/p/{slug}`, or `undefined` for any other. */
export function baseOfPattern(pagesAt: string | undefined): string | undefined {
  const ending = `/p/${SLUG}`;
  const pattern = pagesAt?.replace(/\/+$/, "");
  return pattern?.endsWith(ending) === true ? pattern.slice(0, -ending.length) : undefined;
}

/**
 * Derives the pattern of published addresses from a page with an absolute one: replaces its last path segment that
 * equals the slug, with or without `.html`, with `{slug}`, or else the first label of its host. Addresses of an editor or
 * of the API itself aren't published ones.
 */
export function findPagesAt(page: Page, { baseUrl }: { readonly baseUrl: string }): string | undefined {
  const url = URL.parse(page.publicUrl ?? page.url ?? "");
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (page.publicUrl === undefined && isInternal(url, baseUrl)) return undefined;
  const segments = url.pathname.split("/");
  const isNamed = (segment: string) => decodeComponent(segment) === page.slug;
  const position = segments.findLastIndex((segment) => isNamed(segment) || isNamed(segment.replace(FILE_ENDING, "")));
  const segment = segments[position] ?? "";
  if (position < 1) return findHostPattern(url, page.slug);
  const [ending = ""] = isNamed(segment) ? [] : (FILE_ENDING.exec(segment) ?? []);
  const path = segments.with(position, SLUG + ending).join("/");
  return /[{}]/.test(path.replace(SLUG, "")) ? undefined : `${url.origin}${path}`;
}

const FILE_ENDING = /\.(?:html?|php)$/i;

function findHostPattern({ protocol, host, pathname }: URL, slug: string): string | undefined {
  const isNamed = host.startsWith(`${slug}.`) && !/[{}]/.test(pathname);
  return isNamed ? `${protocol}//${SLUG}${host.slice(slug.length)}${pathname}` : undefined;
}

function isInternal(url: URL, baseUrl: string): boolean {
  const path = url.href.startsWith(`${baseUrl}/`) ? url.href.slice(baseUrl.length) : url.pathname;
  return /^\/(?:api|edit|editor|admin|dashboard)\//.test(path);
}

/** In route set B, the address of a page is the published one. */
export function withPublishedAddress(page: Page): Page {
  const url = URL.parse(page.url ?? "");
  return page.publicUrl === undefined && url !== null ? { ...page, publicUrl: url.href } : page;
}
