import { sha256 } from "../base/hash.ts";
import type { Site } from "../client/api.ts";
import type { BrandKitBody } from "../contract/operations/content.ts";
import type { HeldText } from "../posts/local/held-pages.ts";
import type { DesiredBlog } from "../posts/local/desire-blog.ts";
import type { PageHtml } from "../html/page-html.ts";
import type { PagePart } from "../html/page-parts.ts";
import type { SiteAsset, SiteWarning } from "../site/model.ts";
import type { PageFacts } from "../site/page-cache.ts";
import type { SitePost } from "../posts/post.ts";

/** A page as it should be on the service. */
export interface DesiredPage {
  readonly slug: string;
  readonly route: string;
  /** Path of the HTML file, relative to the dist folder. */
  readonly file: string;
  readonly title: string;
  readonly description: string | undefined;
  /** SHA-256 of the HTML with placeholders, without the marker. */
  readonly hash: string;
  /** Hashes of the assets that the HTML uses by placeholder. */
  readonly assets: readonly string[];
  /** Size of the HTML with placeholders for assets, in bytes. */
  readonly bytes: number;
  /** Parts of it that some hosts remove. */
  readonly parts: readonly PagePart[];
  /** Whether it has the script that maps routes in its own scripts to published pages. */
  readonly hasRouteMap: boolean;
  /** Why it is on hold: it shows the text of a post that is not published. */
  readonly onHold?: HeldText;
  /** Target of a page that only redirects; absent for a regular page. */
  readonly redirect?: PageRedirect;
  /** Renders the HTML again, so that a run doesn't hold all pages in memory. */
  readonly render: () => Promise<PageHtml>;
}

/** Target of a page that only redirects. */
export type PageRedirect =
  /** A redirect of the site. `to` is for the report: `/cart/`, or an address of another site. */
  | { readonly kind: "built"; readonly to: string }
  /** The previous slug of a page that imprint published there. */
  | { readonly kind: "renamed"; readonly to: string; readonly slug: string; readonly href: string };

export interface DesiredSite extends Omit<Site, "id" | "name" | "slug"> {
  readonly name: string;
  readonly slug: string;
  /** Whether the slug is set in the options and so identifies the site, regardless of who created it. */
  readonly isNamed: boolean;
  /** Whether the name is set in the options; else it is derived from the pages' titles. */
  readonly hasFixedName: boolean;
}

export interface DesiredBrandKit {
  /** Logo addresses are placeholders if the logo is a file of the site. */
  readonly body: BrandKitBody;
  /** Whether the options set the name, which then replaces one that was set on the service. */
  readonly hasFixedName?: boolean;
  readonly hash: string;
  /** Hash of the brand itself: name, colors, fonts and logos. */
  readonly brandHash: string;
  readonly assets: readonly string[];
}

/** Everything that should be on the service after the run. */
export interface Desired {
  /** Name of the preview that the pages belong to; absent for the live site. */
  readonly preview?: string | undefined;
  /** `posts`: only posts and the pages that are built from them. Absent: the whole site. */
  readonly only?: "posts" | undefined;
  readonly site: DesiredSite;
  readonly pages: readonly DesiredPage[];
  /** Slugs of pages that may belong to a post that can't be read now. */
  readonly doubtfulPages?: ReadonlySet<string>;
  /** Why pages that were published before are no longer wanted, by slug: "its post is a draft". */
  readonly heldPages?: ReadonlyMap<string, string>;
  /** Omitted files of the site, by path relative to the dist folder: they contain texts of posts on hold. */
  readonly blockedFiles?: ReadonlyMap<string, HeldText>;
  /** By hash; every asset that a page, a post, the brand kit or another asset uses. */
  readonly assets: ReadonlyMap<string, SiteAsset>;
  readonly blog: DesiredBlog | undefined;
  readonly posts: readonly SitePost[];
  readonly brandKit: DesiredBrandKit | undefined;
  readonly warnings: readonly SiteWarning[];
}

/** Creates a desired page from the rewriter's output. */
export function desirePage(
  rewritten: PageFacts,
  place: Pick<DesiredPage, "slug" | "route" | "file" | "redirect" | "onHold" | "render">,
): DesiredPage {
  return {
    ...place,
    title: rewritten.title,
    description: rewritten.description,
    hash: rewritten.hash,
    assets: rewritten.assets.map((asset) => asset.hash),
    bytes: rewritten.bytes,
    parts: rewritten.parts,
    hasRouteMap: rewritten.hasRouteMap,
  };
}

/** Creates a desired brand kit with the hashes that reveal changes. */
export function desireBrandKit(body: BrandKitBody, assets: readonly string[]): DesiredBrandKit {
  const { frame: _frame, design: _design, ...brand } = body;
  return { body, assets, hash: sha256(JSON.stringify(body)), brandHash: sha256(JSON.stringify(brand)) };
}

/** Groups assets by hash. An asset of several pages is listed once; messages name the first page that uses it. */
export function collectAssets(groups: Iterable<readonly SiteAsset[]>): ReadonlyMap<string, SiteAsset> {
  const assets = new Map<string, SiteAsset>();
  for (const group of groups) {
    for (const asset of group) if (!assets.has(asset.hash)) assets.set(asset.hash, asset);
  }
  return assets;
}

/** Returns the hashes of assets, including those of the assets that they use themselves. */
export function withNested(
  hashes: Iterable<string>,
  find: (hash: string) => SiteAsset | undefined,
): ReadonlySet<string> {
  const all = new Set<string>();
  function add(hash: string): void {
    if (all.has(hash)) return;
    all.add(hash);
    const source = find(hash)?.source;
    if (source?.kind === "text") source.assets.forEach(add);
  }
  for (const hash of hashes) add(hash);
  return all;
}

export function pagesBySlug(pages: readonly DesiredPage[]): ReadonlyMap<string, DesiredPage> {
  return new Map(pages.map((page) => [page.slug, page]));
}
