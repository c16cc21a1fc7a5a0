/** What happens to the addresses in a feed. */
export interface FeedRules {
  /** Whether it is that of a page that isn't published, so that its item is left out. */
  readonly isHeld: (address: string) => boolean;
  /** The file of the site that it is, below the dist folder. */
  readonly fileOf: (address: string) => string | undefined;
  /** Whether it is the feed's own. */
  readonly isOwn: (address: string) => boolean;
  /** The published address of a page, an image, or a file that readers download; `undefined` for others. */
  readonly publish: (address: string) => string | undefined;
}

// Whole addresses anywhere, and those from the root of the site in the HTML of texts, which may be escaped, and in the
// images of an Atom feed. A reader would resolve these against the library's host.
const QUOTE = "(?:[\"']|&quot;|&#34;|&#39;|&apos;)";
const ADDRESS = new RegExp(
  [
    String.raw`(?<!\bxml:base=["'])https?:\/\/(?:(?!&(?:quot|apos|lt|gt|#34|#39|#60|#62);)[^\s<>"'\]])+`,
    String.raw`(?<=\b(?:href|src|poster)=${QUOTE})\/(?!\/)[^\s<>"'\]]*?(?=["']|&(?:quot|#34|#39|apos);)`,
    String.raw`(?<=\bsrcset=${QUOTE}(?:[^<>"'&]*[\s,])?)\/(?!\/)[^\s<>"',\]&]+`,
    String.raw`(?<=\b(?:href|src|poster)=${QUOTE})(?![a-z][a-z0-9+.-]*:|[/#?&])[^\s<>"'\]&]+`,
    String.raw`(?<=<(?:icon|logo)>\s*)\/(?!\/)[^\s<>]+`,
  ].join("|"),
  "g",
);

/** What the relative addresses of an Atom feed, or a part of it, are relative to. */
const BASE = /\bxml:base=["']([^"']+)["']/g;

/** Replaces the addresses in a text of XML or HTML. */
export function publishAddresses(text: string, publish: FeedRules["publish"]): string {
  const bases = [...text.matchAll(BASE)];
  return text.replace(ADDRESS, (written, place: number) => {
    const isRelative = !/^(?:https?:|\/)/.test(written);
    const base = isRelative ? bases.findLast(({ index }) => index < place)?.[1] : undefined;
    if (isRelative && base === undefined) return written;
    const address = written.replaceAll("&amp;", "&");
    return publish(URL.parse(address, base)?.href ?? address)?.replaceAll("&", "&amp;") ?? written;
  });
}
