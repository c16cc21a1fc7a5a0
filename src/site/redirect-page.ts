import { sha256 } from "../base/hash.ts";
import { escapeAttribute, escapeText } from "../html/attributes.ts";
import { renderMarker } from "../html/marker.ts";

export interface RedirectPage {
  /** Title of the target page. */
  readonly title: string;
  /** Address of the target page. */
  readonly href: string;
  /** Absolute address of the target page, if known. */
  readonly canonical: string | undefined;
}

/** Renders a page that redirects immediately, or through its link if the browser doesn't. */
export function renderRedirectPage({ title, href, canonical }: RedirectPage): {
  readonly html: string;
  readonly hash: string;
} {
  const name = escapeText(title);
  const address = escapeAttribute(href);
  const link = canonical === undefined ? "" : `<link rel="canonical" href="${escapeAttribute(canonical)}">`;
  const [start, end] = [
    '<!doctype html><html><head><meta charset="utf-8">',
    `<title>${name}</title><meta http-equiv="refresh" content="0;url=${address}"><meta name="robots" content="noindex">${link}</head><body><p><a href="${address}">${name}</a></p></body></html>\n`,
  ];
  const hash = sha256(start + end);
  return { html: start + renderMarker(hash) + end, hash };
}
