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

/** A page as it should be at the service. */
export interface DesiredPage {
  readonly slug: string;
  readonly route: string;
  /** Path of the HTML file below the dist folder. */
  readonly file: string;
  readonly title: string;
  readonly description: string | undefined;
  /** SHA-256 of the HTML with placeholders, without the marker. */
  readonly hash: string;
  /** Hashes of the assets that the HTML names by placeholder. */
  readonly assets: readonly string[];
  /** Size of the HTML with placeholders for assets, in bytes. */
  readonly bytes: number;
  /** What it holds that some hosts take out. */
  readonly parts: readonly PagePart[];
  /** Whether it carries the script that leads its own scripts to the published pages. */
  readonly hasRouteMap: boolean;
  /** Why it is not sent as it is: it shows the text of a post that is not published. */
  readonly onHold?: HeldText;
  /** Where a page leads that does nothing else; absent: it is a page of its own. */
  readonly redirect?: PageRedirect;
  /** Makes the HTML again, so that a run does not hold all pages in memory. */
  readonly render: () => Promise<PageHtml>;
}

/** Where a page leads that does nothing else. */
export type PageRedirect =
  /** The site says so. `to` is for the report: `/cart/`, or an address of another site. */
  | { readonly kind: "built"; readonly to: string }
  /** A page that imprint published there has another address now. */
  | { readonly kind: "renamed"; readonly to: string; readonly slug: string; readonly href: string };

export interface DesiredSite extends Omit<Site, "id" | "name" | "slug"> {
  readonly name: string;
  readonly slug: string;
  /** Whether the options name its slug, so that a site of this slug is meant, whoever made it. */
  readonly isNamed: boolean;
  /** Whether the options give its name; else it is what the titles of the pages say. */
  readonly hasFixedName: boolean;
}

export interface DesiredBrandKit {
  /** Logo addresses are placeholders where the logo is a file of the site. */
  readonly body: BrandKitBody;
  readonly hash: string;
  /** Of name, colors, fonts and logos: what a designer calls the brand. */
  readonly brandHash: string;
  readonly assets: readonly string[];
}

/** All that should be at the service after the run. */
export interface Desired {
  /** Name of the preview that the pages belong to; absent: they are the live site. */
  readonly preview?: string | undefined;
  /** `posts`: nothing but posts and the pages that are made of them is wanted or looked at. Absent: the whole site. */
  readonly only?: "posts" | undefined;
  readonly site: DesiredSite;
  readonly pages: readonly DesiredPage[];
  /** Slugs of pages that may belong to a post that can't be read now. */
  readonly doubtfulPages?: ReadonlySet<string>;
  /** Why pages that were published before are not wanted now, by slug: "its post is a draft". */
  readonly heldPages?: ReadonlyMap<string, string>;
  /** Files of the site that are left out, by path below the dist folder: they hold texts of posts on hold. */
  readonly blockedFiles?: ReadonlyMap<string, HeldText>;
  /** By hash; every asset that a page, a post, the brand kit or another asset names. */
  readonly assets: ReadonlyMap<string, SiteAsset>;
  readonly blog: DesiredBlog | undefined;
  readonly posts: readonly SitePost[];
  readonly brandKit: DesiredBrandKit | undefined;
  readonly warnings: readonly SiteWarning[];
}

/** A page as it should be, from what the rewriter made of it. */
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

/** A brand kit with the hash that says whether it changed. */
export function desireBrandKit(body: BrandKitBody, assets: readonly string[]): DesiredBrandKit {
  const { frame: _frame, design: _design, ...brand } = body;
  return { body, assets, hash: sha256(JSON.stringify(body)), brandHash: sha256(JSON.stringify(brand)) };
}

/** Assets by hash. What several pages use is one asset; the first page that uses it is named in messages. */
export function collectAssets(groups: Iterable<readonly SiteAsset[]>): ReadonlyMap<string, SiteAsset> {
  const assets = new Map<string, SiteAsset>();
  for (const group of groups) {
    for (const asset of group) if (!assets.has(asset.hash)) assets.set(asset.hash, asset);
  }
  return assets;
}

/** The hashes of assets with those of the assets that they name themselves. */
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
