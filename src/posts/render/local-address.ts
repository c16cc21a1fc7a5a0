/** Whether an address leads into the author's own site, and not to another one or to a place in the same text. */
export function isLocal(address: string): boolean {
  return address !== "" && !/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(address);
}

/** An address without its query and fragment, and those with their signs. */
export function splitAddress(address: string): { readonly path: string; readonly suffix: string } {
  const start = address.search(/[?#]/);
  if (start === -1) return { path: address, suffix: "" };
  return { path: address.slice(0, start), suffix: address.slice(start) };
}

/** A path without percent-encoding; as it is where that is broken. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
