import { isRedirectStatus, type RedirectStatus } from "../base/redirect-status.ts";
import { parseMetaRefresh } from "./address-texts.ts";
import { findAttribute } from "./attributes.ts";
import { parseHtml } from "./parse.ts";
import { visitElements } from "./tree.ts";

/** Where a page sends its readers at once. */
export interface ReaderRedirect {
  readonly address: string;
  /** What a server answers that knows how. */
  readonly status: RedirectStatus;
}

/** Attribute of `<meta http-equiv="refresh">` by which a published page says what is answered for it. Absent: 301. */
export const STATUS_ATTRIBUTE = "data-imprint-status";

// A page that reloads to another one after a while is still a page. Astro's redirects wait 0 seconds, or 2 for a 302.
const LONGEST_REDIRECT_SECONDS = 2;

/** Where a page or its beginning sends its readers at once (`<meta http-equiv="refresh">`); `undefined`: they stay. */
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
