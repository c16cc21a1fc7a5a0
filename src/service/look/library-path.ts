const LIBRARY_FILE = /^\/library\/[A-Za-z0-9_-]+\/[A-Za-z0-9._-]+$/;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const OWN_ID = /^\/library\/as_[0-9A-Za-z]{22}\//;

/**
 * The path of a file in the service's own library; `undefined` for any other address. A kit may name files on other
 * hosts: loading them would show those hosts who reads the pages, so they are left out.
 */
export function libraryPath(address: string | null | undefined, pagesUrl: string): string | undefined {
  const url = URL.parse(address ?? "");
  if (url === null) return undefined;
  // A kit that was attached while the service ran on other ports names it there.
  const isOwn = url.origin === new URL(pagesUrl).origin || (LOOPBACK.test(url.hostname) && OWN_ID.test(url.pathname));
  if (!isOwn) return undefined;
  return LIBRARY_FILE.test(url.pathname) ? url.pathname : undefined;
}
