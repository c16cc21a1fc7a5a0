import { isRedirectStatus, type RedirectStatus } from "../base/redirect-status.ts";
import { parseMetaRefresh } from "./address-texts.ts";
import { findAttribute } from "./attributes.ts";
import { parseHtml } from "./parse.ts";
import { visitElements } from "./tree.ts";

export interface ReaderRedirect {
  readonly address: string;
  /** Response status for servers that support it. */
  readonly status: RedirectStatus;
}

/** Attribute of `<meta http-equiv="refresh">` with the response status of a published page. Absent: 301. */
export const STATUS_ATTRIBUTE = "data-imprint-status";

// A page that redirects only after a while is still a page. Astro's redirects wait 0 seconds, or 2 for a 302.
const LONGEST_REDIRECT_SECONDS = 2;

/**
 * Finds the immediate redirect (`<meta http-equiv="refresh">`) of a page or of its beginning; `undefined` if there is
 * none.
 */
export function findRedirect(html: string): ReaderRedirect | undefined {
  let redirect: ReaderRedirect | undefined;
  visitElements(parseHtml(html), (element, { inert }) => {
    if (element.tagName !== "meta" || inert || redirect !== undefined) return;
    if (findAttribute(element, "http-equiv")?.toLowerCase() !== "refresh") return;
    const refresh = parseMetaRefresh(findAttribute(element, "content") ?? "");
    if (refresh === undefined || refresh.seconds > LONGEST_REDIRECT_SECONDS) return;
    const said = Number(findAttribute(element, STATUS_ATTRIBUTE));
    const status = isRedirectStatus(said) ? said : refresh.seconds === 0 ? 301 : 302;
    redirect = { address: refresh.address, status };
  });
  return redirect;
}
