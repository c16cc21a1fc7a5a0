import type { Capabilities } from "../../client/api.ts";
import { patternOf, publishedAddress, publishedHref } from "../../client/published-address.ts";
import type { Options } from "../../options/schema.ts";

/** Addresses of a target's pages and files that are known before connecting to the service. */
export interface PublishedAt {
  /** Address of published pages before `/p/`, if known in advance. */
  readonly pagesUrl: string | undefined;
  /** Addresses of the embedded service's files and pages; absent if the service's responses have them. */
  readonly files?: FileAddresses;
}

/** Addresses of the embedded service's files and pages, without trailing slashes. */
export interface FileAddresses {
  /** The address in pages and files: the same in every run. */
  readonly written: string;
  /** The address in the service's responses. */
  readonly answered: string;
  /** The reachable address during the run. */
  readonly reachable: string;
}

/** Where the service serves pages, as far as known. */
export interface PageAddresses {
  /**
   * Address of a page in links: relative to the root of its host, since a site may be served on several hosts; absolute
   * if each page has its own host.
   */
  readonly href: (slug: string) => string;
  /** Absolute address in pages, for canonical and Open Graph. */
  readonly written: (slug: string) => string | undefined;
  /** Absolute address for display. */
  readonly shown: (slug: string) => string | undefined;
  /** Absolute address at which the page can be fetched during the run. */
  readonly reachable: (slug: string) => string | undefined;
}

export interface AddressSources {
  readonly options: Pick<Options, "pagesUrl">;
  readonly target: PublishedAt;
  readonly capabilities: Pick<Capabilities, "pagesAt"> | undefined;
}

/** Options take precedence over the target, which takes precedence over what the service announced or showed. */
export function createPageAddresses({ options, target, capabilities }: AddressSources): PageAddresses {
  const { files } = target;
  const base = options.pagesUrl ?? target.pagesUrl;
  const shownAt = base === undefined ? capabilities?.pagesAt : patternOf(base);
  const writtenAt = files === undefined ? shownAt : patternOf(files.written);
  const reachableAt = files === undefined ? shownAt : patternOf(files.reachable);
  return {
    href: (slug) => publishedHref(writtenAt ?? "/p/{slug}", slug),
    written: addressAt(writtenAt),
    shown: addressAt(shownAt),
    reachable: addressAt(reachableAt),
  };
}

function addressAt(pattern: string | undefined): (slug: string) => string | undefined {
  return (slug) => (pattern === undefined ? undefined : publishedAddress(pattern, slug));
}

/** Returns the reachable address of a library file during a run, by its address in pages. */
export function reachableFile(address: string, { files }: PublishedAt): string {
  return files === undefined
    ? address
    : moveAddress(address, { from: [files.written, files.answered], to: files.reachable });
}

/** Replaces the prefix of an address if it is one of those in `from`. */
export function moveAddress(
  address: string,
  { from, to }: { readonly from: readonly string[]; readonly to: string },
): string {
  const start = from.find((each) => address.startsWith(`${each}/`));
  return start === undefined ? address : to + address.slice(start.length);
}
