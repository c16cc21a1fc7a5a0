/** Base URLs of the service, without trailing slashes. */
export interface Addresses {
  /** The API and the dashboard, such as `http://localhost:4400`. */
  readonly appUrl: string;
  /** Published pages and library files, such as `http://127.0.0.1:4401`. */
  readonly pagesUrl: string;
  /** Library files, if pages are shown on another host. */
  readonly libraryUrl?: string;
}

export function publicPageUrl({ pagesUrl }: Addresses, slug: string): string {
  return `${pagesUrl}/p/${slug}`;
}

export function editPath(pageId: string): string {
  return `/edit/${pageId}`;
}

export function assetUrl({ pagesUrl }: Addresses, asset: { readonly id: string; readonly name: string }): string {
  return `${pagesUrl}/library/${asset.id}/${asset.name}`;
}

export function blogUrl({ pagesUrl }: Addresses, slug: string): string {
  return `${pagesUrl}/blog/${slug}`;
}

export function postUrl(
  addresses: Addresses,
  { blogSlug, slug }: { readonly blogSlug: string; readonly slug: string },
): string {
  return `${blogUrl(addresses, blogSlug)}/${slug}`;
}

/** Returns the URL of an unpublished post for holders of a token. */
export function previewUrl({ pagesUrl }: Addresses, token: string): string {
  return `${pagesUrl}/_preview/${token}`;
}

const LIBRARY_FILE = /^\/library\/[A-Za-z0-9_-]+\/[A-Za-z0-9._-]+$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const OWN_ID = /^\/library\/as_[0-9A-Za-z]{22}\//;

/**
 * Returns the path of a file in the service's own library; `undefined` for any other URL. A kit may contain files on
 * other hosts; loading them would reveal readers to those hosts, so they are left out.
 */
export function libraryPath(address: string | null | undefined, pagesUrl: string): string | undefined {
  const url = URL.parse(address ?? "");
  if (url === null) return undefined;
  // A kit from when the service ran on other ports has the old URL.
  const isOwn = url.origin === new URL(pagesUrl).origin || (LOOPBACK.test(url.hostname) && OWN_ID.test(url.pathname));
  return isOwn && LIBRARY_FILE.test(url.pathname) ? url.pathname : undefined;
}
