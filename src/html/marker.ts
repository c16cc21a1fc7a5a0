import { sha256 } from "../base/hash.ts";

// The marker says what a published page was made from, so that a run without any memory recognises its own pages.
// Its first word is the hash of the page with placeholders; its second, put in when the addresses are known, is the
// hash of everything else in the page: as long as it fits, nobody has edited the page since.
const MARKER = /<meta name="imprint" content="([0-9a-f]{64})(?: ([0-9a-f]{64}))?">/;

export interface Marker {
  /** Hash of the HTML with placeholders that the page was made from. */
  readonly hash: string;
  /** Whether the page is byte for byte what was published. */
  readonly intact: boolean;
}

export function renderMarker(hash: string): string {
  return `<meta name="imprint" content="${hash}">`;
}

export function findMarker(html: string): Marker | undefined {
  const [, hash, seal] = MARKER.exec(html) ?? [];
  return hash === undefined ? undefined : { hash, intact: seal === sealOf(html) };
}

/** Adds the second word. Takes HTML that holds its marker and no placeholder. */
export function sealMarker(html: string): string {
  return html.replace(MARKER, (_, hash: string) => `<meta name="imprint" content="${hash} ${sealOf(html)}">`);
}

function sealOf(html: string): string {
  return sha256(html.replace(MARKER, ""));
}
