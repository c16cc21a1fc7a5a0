import type { Capabilities } from "../client/api.ts";
import { patternOf, publishedAddress } from "../client/published-address.ts";
import type { Options } from "../options/schema.ts";
import type { Target } from "./target.ts";

/** Where the service shows pages, as far as that is known. */
export interface PageAddresses {
  /** Address of a page in links: from the root of its host, since a site may be shown on several hosts. */
  readonly href: (slug: string) => string;
  /** Absolute address as it is written into pages, for canonical and Open Graph. */
  readonly written: (slug: string) => string | undefined;
  /** Absolute address that is told to people. */
  readonly shown: (slug: string) => string | undefined;
  /** Absolute address at which the page can be fetched during the run. */
  readonly reachable: (slug: string) => string | undefined;
}

export interface AddressSources {
  readonly options: Pick<Options, "pagesUrl">;
  readonly target: Pick<Target, "pagesUrl" | "files">;
  readonly capabilities: Pick<Capabilities, "pagesAt"> | undefined;
}

/** What the options say wins over what the target knows, and that over what the service told or showed. */
export function createPageAddresses({ options, target, capabilities }: AddressSources): PageAddresses {
  const { files } = target;
  const told = options.pagesUrl ?? target.pagesUrl;
  const shownAt = told === undefined ? capabilities?.pagesAt : patternOf(told);
  const writtenAt = files === undefined ? shownAt : patternOf(files.written);
  const reachableAt = files === undefined ? shownAt : patternOf(files.reachable);
  const path = writtenAt === undefined ? "/p/{slug}" : pathOf(writtenAt);
  return {
    href: (slug) => path.replace("{slug}", encodeURIComponent(slug)),
    written: addressAt(writtenAt),
    shown: addressAt(shownAt),
    reachable: addressAt(reachableAt),
  };
}

function pathOf(pattern: string): string {
  return pattern.replace(/^https?:\/\/[^/]+/i, "");
}

function addressAt(pattern: string | undefined): (slug: string) => string | undefined {
  return (slug) => (pattern === undefined ? undefined : publishedAddress(pattern, slug));
}
