import type { Capabilities } from "../../client/api.ts";
import { patternOf, publishedAddress, publishedHref } from "../../client/published-address.ts";
import type { Options } from "../../options/schema.ts";

/** Where a target's pages and files are, as far as that is known before the service is asked. */
export interface PublishedAt {
  /** Address of published pages before `/p/`, when it is known beforehand. */
  readonly pagesUrl: string | undefined;
  /** Addresses of the embedded service's files and pages; absent: they are what the service answers. */
  readonly files?: FileAddresses;
}

/** Where the embedded service's files and pages are; all without a slash at the end. */
export interface FileAddresses {
  /** What is written into pages and files: the same in every run. */
  readonly written: string;
  /** What the service's answers begin with. */
  readonly answered: string;
  /** Where they are reached during the run. */
  readonly reachable: string;
}

/** Where the service shows pages, as far as that is known. */
export interface PageAddresses {
  /**
   * Address of a page in links: from the root of its host, since a site may be shown on several hosts; absolute where
   * each page has a host of its own.
   */
  readonly href: (slug: string) => string;
  /** Absolute address as it is written into pages, for canonical and Open Graph. */
  readonly written: (slug: string) => string | undefined;
  /** Absolute address that people are shown. */
  readonly shown: (slug: string) => string | undefined;
  /** Absolute address at which the page can be fetched during the run. */
  readonly reachable: (slug: string) => string | undefined;
}

export interface AddressSources {
  readonly options: Pick<Options, "pagesUrl">;
  readonly target: PublishedAt;
  readonly capabilities: Pick<Capabilities, "pagesAt"> | undefined;
}

/** What the options say wins over what the target knows, and that over what the service announced or showed. */
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

/** Where a file of the library is reached during a run, by its address as it is written into pages. */
export function reachableFile(address: string, { files }: PublishedAt): string {
  return files === undefined
    ? address
    : moveAddress(address, { from: [files.written, files.answered], to: files.reachable });
}

/** An address with another beginning, where it has one of those in `from`. */
export function moveAddress(
  address: string,
  { from, to }: { readonly from: readonly string[]; readonly to: string },
): string {
  const start = from.find((each) => address.startsWith(`${each}/`));
  return start === undefined ? address : to + address.slice(start.length);
}
