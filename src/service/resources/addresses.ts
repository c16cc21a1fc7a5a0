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
