/** The absolute address of a reference in a file, without its fragment; `undefined` when it leads nowhere readable. */
export function resolveAddress(reference: string, base: string): string | undefined {
  const url = URL.parse(reference.trim(), base);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  url.hash = "";
  return url.href;
}

export function isGoogleFonts(address: string): boolean {
  return URL.parse(address)?.hostname === "fonts.googleapis.com";
}

export function isSameOrigin(first: string, second: string): boolean {
  return URL.parse(first)?.origin === URL.parse(second)?.origin;
}

/** The path without `index.html` and the slash at the end, to compare addresses of pages. */
export function pageKey(address: string): string {
  const url = URL.parse(address);
  return url === null ? address : url.origin + url.pathname.replace(/(?:\/index)?(?:\.html?)?\/?$/i, "");
}
