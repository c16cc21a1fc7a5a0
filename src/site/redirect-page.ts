import { sha256 } from "../base/hash.ts";
import { escapeAttribute, escapeText } from "../html/attributes.ts";
import { renderMarker } from "../html/marker.ts";

export interface RedirectPage {
  /** Title of the page that it leads to. */
  readonly title: string;
  /** Address that it leads to. */
  readonly href: string;
  /** Whole address of the page that it leads to, where it is known. */
  readonly canonical: string | undefined;
}

/** A page that only leads on: at once, or by its link for readers whose browsers don't do that. */
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
