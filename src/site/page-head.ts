import { ownText } from "../base/own-text.ts";
import { findAttribute } from "../html/attributes.ts";
import { parseMetaRefresh } from "../html/meta-refresh.ts";
import { parseHtml } from "../html/parse.ts";
import { visitElements } from "../html/tree.ts";

/** Enough for the head of a page: Astro writes redirects and canonical addresses near the start. */
export const HEAD_BYTES = 8 * 1024;

// A page that reloads to another one after a while is still a page; Astro's redirects wait 0 or 2 seconds.
const LONGEST_REDIRECT_SECONDS = 2;

/** What the beginning of an HTML file tells about it. */
export interface PageHead {
  /** Whether it is a whole document and not a part of one. */
  readonly isDocument: boolean;
  readonly redirectTo: string | undefined;
  readonly canonical: string | undefined;
  /** The first address of a built file, as written. */
  readonly builtFile: string | undefined;
}

/** Reads the beginning of an HTML file, `HEAD_BYTES` of it. */
export function readPageHead(html: string, { assetsDir }: { readonly assetsDir: string }): PageHead {
  return {
    isDocument: /<(?:!doctype|html|head|title|body)[\s>]/i.test(html),
    redirectTo: /http-equiv\s*=\s*["']?refresh/i.test(html) ? detach(findRedirect(html)) : undefined,
    canonical: detach(findCanonical(html)),
    builtFile: detach(findBuiltFile(html, assetsDir)),
  };
}

function detach(text: string | undefined): string | undefined {
  return text === undefined ? undefined : ownText(text);
}

function findRedirect(html: string): string | undefined {
  let redirectTo: string | undefined;
  visitElements(parseHtml(html), (element, { inert }) => {
    if (element.tagName !== "meta" || inert || redirectTo !== undefined) return;
    if (findAttribute(element, "http-equiv")?.toLowerCase() !== "refresh") return;
    const refresh = parseMetaRefresh(findAttribute(element, "content") ?? "");
    if (refresh !== undefined && refresh.seconds <= LONGEST_REDIRECT_SECONDS) redirectTo = refresh.address;
  });
  return redirectTo;
}

function findCanonical(html: string): string | undefined {
  const [tag = ""] = /<link\b[^>]*\brel=["']?canonical\b[^>]*>/i.exec(html) ?? [];
  const [, double, single, bare] = /\bhref=(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(tag) ?? [];
  return double ?? single ?? bare;
}

function findBuiltFile(html: string, assetsDir: string): string | undefined {
  for (const [, address] of html.matchAll(/\s(?:src|href)="([^"]+)"/g)) {
    if (address?.includes(`/${assetsDir}/`) === true) return address;
  }
  return undefined;
}
