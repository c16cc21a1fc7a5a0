import { ownText } from "../base/own-text.ts";

/** Enough for the head of a page: Astro writes redirects and canonical addresses near the start. */
export const HEAD_BYTES = 8 * 1024;

/** What the beginning of an HTML file says about it. */
export interface PageHead {
  /** Whether it is a whole document and not a part of one. */
  readonly isDocument: boolean;
  readonly redirectTo: string | undefined;
  readonly canonical: string | undefined;
  /** The first address of a built file, as written. */
  readonly builtFile: string | undefined;
}

export interface RawHead extends Omit<PageHead, "redirectTo"> {
  /** Whether it is worth looking for a redirect. */
  readonly mayRedirect: boolean;
}

/** Reads the beginning of an HTML file, `HEAD_BYTES` of it. */
export function readPageHead(html: string, { assetsDir }: { readonly assetsDir: string }): RawHead {
  return {
    isDocument: /<(?:!doctype|html|head|title|body)[\s>]/i.test(html),
    mayRedirect: /http-equiv\s*=\s*["']?refresh/i.test(html),
    canonical: detach(findCanonical(html)),
    builtFile: detach(findBuiltFile(html, assetsDir)),
  };
}

function detach(text: string | undefined): string | undefined {
  return text === undefined ? undefined : ownText(text);
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
