import { decodeAttribute } from "../base/decode-references.ts";

const SRCDOC = /\ssrcdoc\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const MARKER_START = '<meta name="imprint" content="';

/** Returns the published page that a host shows in a frame with `srcdoc`; other HTML is returned unchanged. */
export function unframe(html: string): string {
  if (html.includes(MARKER_START)) return html;
  for (const [, double, single = ""] of html.matchAll(SRCDOC)) {
    const content = decodeAttribute(double ?? single);
    if (content.includes(MARKER_START)) return content;
  }
  return html;
}
