import type { RedirectStatus } from "../base/redirect-status.ts";
import type { PageHtml } from "../html/page-html.ts";
import type { PagePart } from "../html/page-parts.ts";

/** What a file of the built site is used as; it decides where the file can be placed and how it is treated. */
export type AssetKind = "image" | "font" | "style" | "script" | "file";

/**
 * Why an HTML file is in the built site. `page`, `fallback` and `public` files are published as pages, `redirect` files
 * as pages that lead on, and of `status` files those for addresses that the site doesn't have.
 */
export type HtmlKind = "page" | "fallback" | "public" | "redirect" | "status" | "endpoint" | "partial";

export interface BuiltPage {
  /** Path of the page below the site's base, with slashes at both ends and percent-decoded: `/blog/first/`, `/`. */
  readonly route: string;
  /** Path of the file below the dist folder, with forward slashes: `blog/first/index.html`. */
  readonly file: string;
  /** SHA-256 of the file's bytes. */
  readonly hash: string;
  readonly kind: HtmlKind;
  /** Where a redirect leads, as written in the file. */
  readonly redirectTo?: string;
  /** What is answered for a redirect; absent: 301. */
  readonly redirectStatus?: RedirectStatus;
  /** File that the page is made by, relative to the project, where Astro reported it: `src/pages/blog/index.astro`. */
  readonly template?: string;
}

/** A file of the built site that is not HTML. */
export interface BuiltFile {
  /** Size in bytes. */
  readonly bytes: number;
  /** SHA-256 of the bytes. */
  readonly hash: string;
}

/** What `astro build` left behind. */
export interface BuiltSite {
  /** Absolute path of the dist folder. */
  readonly root: string;
  /** The site's own address (`site` in the Astro config), without a slash at the end. */
  readonly origin: string | undefined;
  /** The site's base path with slashes at both ends; `/` when there is none. */
  readonly base: string;
  /** Folder of built files below the dist folder, without slashes (`build.assets` in the Astro config): `_astro`. */
  readonly assetsDir: string;
  /** Whether readers see `about/index.html` at `/about` (`trailingSlash: "never"`), and not at `/about/`. */
  readonly isWithoutSlashes: boolean;
  /** Patterns of pages that only a server can make; nothing of them is in the folder. */
  readonly onDemand: readonly string[];
  /** Every HTML file, sorted by route. */
  readonly pages: readonly BuiltPage[];
  /** Every other file, by its path below the dist folder with forward slashes. */
  readonly files: ReadonlyMap<string, BuiltFile>;
  /** Symbolic links that were not followed. */
  readonly links: readonly UnfollowedLink[];
}

/** A symbolic link below the dist folder whose target isn't published. */
export interface UnfollowedLink {
  readonly path: string;
  readonly why:
    | "it leads nowhere"
    | "it leads to a folder that holds it"
    | "its target isn't one of the project's files";
}

/** Something that can't be published as it is, found while reading or rewriting. */
export interface SiteWarning {
  /** Stable word for the kind of warning: `dangling-link`, `server-island`, `missing-file`, … */
  readonly code: string;
  /** Path of the HTML file below the dist folder. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  /** What it is about, where pages may name it in several ways: `/photos/lost.jpg`. Such warnings are reported as one. */
  readonly target?: string;
  /** `site`: a matter of the site rather than of one page. Every page that shows it says so, and it is reported once. */
  readonly of?: "site";
  /** What only the host decides: it is reported, and fails no strict run, since there is nothing to change in the site. */
  readonly isNotice?: true;
}

/**
 * A file that has to be in the library. Pages and other assets name it `imprint-asset:<hash>` until its address is
 * known, so that a page's own hash does not depend on where the library is.
 */
export interface SiteAsset {
  /** 64 hexadecimal digits: SHA-256 of the source and of everything that decides what is uploaded for it. */
  readonly hash: string;
  /** File name with its ending, as the site has it: `hero.B3x9.webp`. */
  readonly name: string;
  readonly contentType: string;
  readonly kind: AssetKind;
  readonly source:
    /**
     * `path` is absolute: the file may be in the built site or beside a markdown post. `hash` is the SHA-256 of its bytes,
     * where somebody has read them.
     */
    | { readonly kind: "file"; readonly path: string; readonly bytes: number; readonly hash?: string | undefined }
    /** A text that was rewritten; it may name other assets by placeholder, which then have to be uploaded first. */
    | { readonly kind: "text"; readonly text: string; readonly assets: readonly string[] };
  /** How an image may be changed: not at all, re-encoded in its own type, or in any type that browsers show. */
  readonly optimize: "never" | "same-type" | "any-type";
  readonly alt?: string;
  /** Where it is on the site itself, whole if the site's address is known; absent: it is no file that pages link to. */
  readonly ownAddress?: string;
  /** Scripts read it, who can do so from a `data:` address too. */
  readonly isFetched?: true;
  /** The HTML file that uses it first, for messages. */
  readonly usedIn: string;
}

/** A page in the form in which it is published. */
export interface RewrittenPage extends PageHtml {
  /**
   * The page's HTML with placeholders for assets and for long texts that pages share, marked with
   * `<meta name="imprint" content="<hash>">`.
   */
  readonly html: string;
  /** SHA-256 of the whole HTML, with placeholders for assets, before the marker was put in. */
  readonly hash: string;
  readonly title: string;
  readonly description: string | undefined;
  /** What it holds that some hosts take out. */
  readonly parts: readonly PagePart[];
  /** Whether it carries the script that leads its own scripts to the published pages. */
  readonly hasRouteMap: boolean;
  readonly assets: readonly SiteAsset[];
  readonly warnings: readonly SiteWarning[];
}

/** Where each kind of file goes, decided from what the library can do. */
export interface Placement {
  /** `inline`: in a `<style>`; `library`: linked. */
  readonly styles: "inline" | "library";
  /** `inline`: as a `data:` address. */
  readonly fonts: "inline" | "library";
  /** `library` needs a library that serves JavaScript with its type and with CORS; `data`: `data:text/javascript`. */
  readonly scripts: "data" | "library";
  /** Files such as PDF, RSS and video. `keep`: the address stays and is reported. */
  readonly files: "keep" | "library";
}

export interface RewriteSettings {
  /** Slug of every published page by route. */
  readonly slugs: ReadonlyMap<string, string>;
  /** Address of a page in links. Default: `/p/<slug>`. */
  readonly pageHref: (slug: string) => string;
  /** Absolute address of a page for canonical, Open Graph, hreflang and JSON-LD; `undefined`: these stay as they are. */
  readonly pageUrl: ((slug: string) => string) | undefined;
  readonly placement: Placement;
  /**
   * Pages that are left out because their posts are not published, by route: what to say of a link to one. Such links
   * lose their address, and feeds the items of these pages.
   */
  readonly heldPages?: Readonly<Record<string, string>>;
  /** Files that are left out since they hold texts of posts on hold, below the dist folder. Their addresses stay. */
  readonly heldFiles?: readonly string[];
  /** Whether pages ask search engines to leave them out, whatever they said before. Default: false. */
  readonly noindex?: boolean;
  /** Whether a CSS or HTML address that is missing from the built site stops the run. Default: it is a warning. */
  readonly strict?: boolean;
}
