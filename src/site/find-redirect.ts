import { findAttribute } from "../html/attributes.ts";
import { ownText } from "../base/own-text.ts";
import { parseHtml } from "../html/parse.ts";
import { parseMetaRefresh } from "../html/address-texts.ts";
import { visitElements } from "../html/tree.ts";

// A page that reloads to another one after a while is still a page; Astro's redirects wait 0 or 2 seconds.
const LONGEST_REDIRECT_SECONDS = 2;

/** Where the beginning of an HTML file sends its readers; `undefined` when they stay. */
export function findRedirect(html: string): string | undefined {
  let redirectTo: string | undefined;
  visitElements(parseHtml(html), (element, { inert }) => {
    if (element.tagName !== "meta" || inert || redirectTo !== undefined) return;
    if (findAttribute(element, "http-equiv")?.toLowerCase() !== "refresh") return;
    const refresh = parseMetaRefresh(findAttribute(element, "content") ?? "");
    if (refresh !== undefined && refresh.seconds <= LONGEST_REDIRECT_SECONDS) redirectTo = refresh.address;
  });
  return redirectTo === undefined ? undefined : ownText(redirectTo);
}
