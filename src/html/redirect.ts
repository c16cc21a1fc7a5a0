import { parseMetaRefresh } from "./address-texts.ts";
import { findAttribute } from "./attributes.ts";
import { parseHtml } from "./parse.ts";
import { visitElements } from "./tree.ts";

// A page that reloads to another one after a while is still a page; Astro's redirects wait 0 or 2 seconds.
const LONGEST_REDIRECT_SECONDS = 2;

/** Where a page or its beginning sends its readers at once (`<meta http-equiv="refresh">`); `undefined`: they stay. */
export function findRedirect(html: string): string | undefined {
  let redirectTo: string | undefined;
  visitElements(parseHtml(html), (element, { inert }) => {
    if (element.tagName !== "meta" || inert || redirectTo !== undefined) return;
    if (findAttribute(element, "http-equiv")?.toLowerCase() !== "refresh") return;
    const refresh = parseMetaRefresh(findAttribute(element, "content") ?? "");
    if (refresh !== undefined && refresh.seconds <= LONGEST_REDIRECT_SECONDS) redirectTo = refresh.address;
  });
  return redirectTo;
}
