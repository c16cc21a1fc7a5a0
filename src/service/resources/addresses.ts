/** Where the service is reached; both without a slash at the end. */
export interface Addresses {
  /** The API and the dashboard, such as `http://localhost:4400`. */
  readonly appUrl: string;
  /** Published pages and library files, such as `http://127.0.0.1:4401`. */
  readonly pagesUrl: string;
  /** Where library files are, when pages are shown on another host than theirs. */
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

/** The address of a post that is not published, for who has the token. */
export function previewUrl({ pagesUrl }: Addresses, token: string): string {
  return `${pagesUrl}/_preview/${token}`;
}
