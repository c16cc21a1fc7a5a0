/** What happens to the addresses in a feed. */
export interface FeedRules {
  /** Whether it is that of a page that isn't published, so that its item is left out. */
  readonly isHeld: (address: string) => boolean;
  /** The file of the site that it is, below the dist folder. */
  readonly fileOf: (address: string) => string | undefined;
  /** Whether it is the feed's own. */
  readonly isOwn: (address: string) => boolean;
  /** The published address of a page or image; `undefined` for others. */
  readonly publish: (address: string) => string | undefined;
}

// Whole addresses anywhere, and those from the root of the site in the HTML of texts, which may be escaped. A reader
// would resolve these against the library's host.
const ADDRESS =
  /https?:\/\/(?:(?!&(?:quot|apos|lt|gt|#34|#39|#60|#62);)[^\s<>"'\]])+|(?<=\b(?:href|src)=(?:["']|&quot;|&#34;|&#39;|&apos;))\/(?!\/)[^\s<>"'\]]*?(?=["']|&(?:quot|#34|#39|apos);)/g;

/** Replaces the addresses in a text of XML or HTML. */
export function publishAddresses(text: string, publish: FeedRules["publish"]): string {
  return text.replace(ADDRESS, (written) => {
    return publish(written.replaceAll("&amp;", "&"))?.replaceAll("&", "&amp;") ?? written;
  });
}
