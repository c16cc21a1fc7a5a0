import type { RedirectStatus } from "../base/redirect-status.ts";
import type { PageHtml } from "../html/page-html.ts";
import type { PagePart } from "../html/page-parts.ts";
import type { RouteHint } from "./build-hints.ts";

/** What a file of the built site is used as, which determines where it can be placed and how it is processed. */
export type AssetKind = "image" | "font" | "style" | "script" | "file";

/**
 * Why an HTML file is in the built site. `page`, `fallback`, and `public` files are published as pages, `redirect`
 * files as redirecting pages, and of `status` files those for addresses that the site doesn't have.
 */
export type HtmlKind = "page" | "fallback" | "public" | "redirect" | "status" | "endpoint" | "partial";

export interface BuiltPage {
  /**
   * Path of the page below the site's base, with leading and trailing slashes, percent-decoded: `/blog/first/`, `/`.
   */
  readonly route: string;
  /** Path of the file below the dist folder, with forward slashes: `blog/first/index.html`. */
  readonly file: string;
  /** SHA-256 of the file's bytes. */
  readonly hash: string;
  /** The page's HTML, if the dist folder lacks the file: a redirect that Astro leaves to a server. */
  readonly html?: string;
  readonly kind: HtmlKind;
  /** Target of a redirect, as written in the file. */
  readonly redirectTo?: string;
  /** Response status of a redirect; absent: 301. */
  readonly redirectStatus?: RedirectStatus;
  /** Source file of the page, relative to the project, if reported by Astro: `src/pages/blog/index.astro`. */
  readonly template?: string;
}

/** A file of the built site that isn't HTML. */
export interface BuiltFile {
  /** Size in bytes. */
  readonly bytes: number;
  /** SHA-256 of the bytes. */
  readonly hash: string;
}

/** The output of `astro build`. */
export interface BuiltSite {
  /** Absolute path of the dist folder. */
  readonly root: string;
  /** The site's own address (`site` in the Astro config), without a trailing slash. */
  readonly origin: string | undefined;
  /** The site's base path, with leading and trailing slashes; `/` if there is none. */
  readonly base: string;
  /** Folder of built files below the dist folder, without slashes (`build.assets` in the Astro config): `_astro`. */
  readonly assetsDir: string;
  /** Whether `about/index.html` is shown at `/about` (`trailingSlash: "never"`) rather than `/about/`. */
  readonly isWithoutSlashes: boolean;
  /** Pages, endpoints, and redirects that only a server can respond with; the folder has no files for them. */
  readonly onDemand: readonly Pick<RouteHint, "pattern" | "regex" | "type">[];
  /** Every HTML file, sorted by route. */
  readonly pages: readonly BuiltPage[];
  /** Every other file, by its path below the dist folder, with forward slashes. */
  readonly files: ReadonlyMap<string, BuiltFile>;
  /** Symbolic links that were not followed. */
  readonly links: readonly UnfollowedLink[];
}

/** A symbolic link below the dist folder whose target isn't published. */
export interface UnfollowedLink {
  readonly path: string;
  readonly why:
    | "its target doesn't exist"
    | "it points to a folder that contains it"
    | "its target isn't one of the project's files";
}

/** A problem found while reading or rewriting that affects publishing. */
export interface SiteWarning {
  /** Stable code of the warning: `dangling-link`, `server-island`, `missing-file`, … */
  readonly code: string;
  /** Path of the HTML file below the dist folder. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  /**
   * Subject of the warning, if pages may reference it in several ways: `/photos/lost.jpg`. Such warnings are reported
   * as one.
   */
  readonly target?: string;
  /** `site`: concerns the site rather than one page. Every affected page has it, and it is reported once. */
  readonly of?: "site";
  /**
   * Depends only on the host: it is reported but doesn't fail a strict run, since there is nothing to change in the
   * site.
   */
  readonly isNotice?: true;
}

/**
 * A file that must be in the library. Pages and other assets reference it as `imprint-asset:<hash>` until its address
 * is known, so that a page's own hash doesn't depend on the library's location.
 */
export interface SiteAsset {
  /** 64 hex digits: SHA-256 of the source and of everything that determines what is uploaded for it. */
  readonly hash: string;
  /** File name with its extension, as in the site: `hero.B3x9.webp`. */
  readonly name: string;
  readonly contentType: string;
  readonly kind: AssetKind;
  readonly source:
    /**
     * `path` is absolute: the file may be in the built site or beside a Markdown post. `hash` is the SHA-256 of its
     * bytes, if they have been read.
     */
    | { readonly kind: "file"; readonly path: string; readonly bytes: number; readonly hash?: string | undefined }
    /** A rewritten text; it may reference other assets by placeholder, which must then be uploaded first. */
    | { readonly kind: "text"; readonly text: string; readonly assets: readonly string[] };
  /** How an image may be changed: not at all, re-encoded in its own format, or in any format that browsers support. */
  readonly optimize: "never" | "same-type" | "any-type";
  readonly alt?: string;
  /** Its address on the site itself, absolute if the site's address is known; absent: pages don't link to it. */
  readonly ownAddress?: string;
  /** Read by scripts, which also works from a `data:` address. */
  readonly isFetched?: true;
  /** The first HTML file that uses it, for messages. */
  readonly usedIn: string;
  /** How many other pages use it, if any. */
  readonly otherPages?: number;
}

export interface RewrittenPage extends PageHtml {
  /**
   * The page's HTML with placeholders for assets and for long texts that pages share, marked with `<meta name="imprint"
   * content="<hash>">`.
   */
  readonly html: string;
  /** SHA-256 of the complete HTML, with placeholders for assets, before the marker was added. */
  readonly hash: string;
  readonly title: string;
  readonly description: string | undefined;
  /** Parts of the page that some hosts remove. */
  readonly parts: readonly PagePart[];
  /** Whether it includes the script that directs its other scripts to the published pages. */
  readonly hasRouteMap: boolean;
  readonly assets: readonly SiteAsset[];
  readonly warnings: readonly SiteWarning[];
  /** Script files that `src` attributes of the page contain, with their sizes in it, in bytes. */
  readonly scriptFiles?: readonly { readonly name: string; readonly bytes: number }[];
  /** HTML files that aren't pages and that the page contains for its scripts, as paths below the dist folder. */
  readonly contained?: readonly string[];
}

/** Where each kind of file is placed, depending on what the library supports. */
export interface Placement {
  /** `inline`: in a `<style>`; `library`: linked. */
  readonly styles: "inline" | "library";
  /** `inline`: as a `data:` address. */
  readonly fonts: "inline" | "library";
  /**
   * `library` requires that the library serves JavaScript with its content type and with CORS; `data`:
   * `data:text/javascript`.
   */
  readonly scripts: "data" | "library";
  /** Files such as PDF, RSS, and video. `keep`: the address stays unchanged and is reported. */
  readonly files: "keep" | "library";
}

export interface RewriteSettings {
  /** Slug of every published page by route. */
  readonly slugs: ReadonlyMap<string, string>;
  /** Address of a page in links. Default: `/p/<slug>`. */
  readonly pageHref: (slug: string) => string;
  /** Absolute address of a page for canonical, Open Graph, hreflang, and JSON-LD; `undefined`: these stay unchanged. */
  readonly pageUrl: ((slug: string) => string) | undefined;
  readonly placement: Placement;
  /**
   * Pages that are left out because their posts aren't published, by route, with the warning about a link to each. Such
   * links lose their address, and feeds lose the items of these pages.
   */
  readonly heldPages?: Readonly<Record<string, string>>;
  /**
   * Files that are left out because they contain texts of posts on hold, below the dist folder. Their addresses stay.
   */
  readonly heldFiles?: readonly string[];
  /** Whether pages ask search engines not to index them, whatever they specified before. Default: false. */
  readonly noindex?: boolean;
  /** Whether a CSS or HTML address that is missing from the built site stops the run. Default: a warning. */
  readonly strict?: boolean;
}
