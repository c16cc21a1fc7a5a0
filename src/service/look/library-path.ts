const LIBRARY_FILE = /^\/library\/[A-Za-z0-9_-]+\/[A-Za-z0-9._-]+$/;

/**
 * The path of a file in the service's own library; `undefined` for any other address. A kit may name files on other
 * hosts: its pages would tell those hosts who reads them, so they are not shown.
 */
export function libraryPath(address: string | null | undefined, pagesUrl: string): string | undefined {
  const url = URL.parse(address ?? "");
  if (url === null || url.origin !== new URL(pagesUrl).origin) return undefined;
  return LIBRARY_FILE.test(url.pathname) ? url.pathname : undefined;
}
