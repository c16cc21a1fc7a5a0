import type { PageHtml } from "../../html/page-html.ts";
import type { Options } from "../../options/schema.ts";
import type { RewrittenPage, SiteAsset } from "../../site/model.ts";
import type { SitePost } from "../post.ts";
import { renderPostPage } from "../render/post-page.ts";
import { pointToPage } from "../render/post-pointer.ts";
import type { PostPlace, PostPlaces } from "./post-places.ts";

/** A page generated from a post. */
export interface MadePage {
  readonly page: Omit<RewrittenPage, "html"> & { readonly bytes: number };
  readonly slug: string;
  readonly route: string;
  readonly file: string;
  readonly render: () => Promise<PageHtml>;
}

/** Posts in the form that `posts.target` requires. */
export interface PlacedPosts {
  /** Posts for the blog. */
  readonly posts: readonly SitePost[];
  /** Pages generated from posts. */
  readonly pages: readonly MadePage[];
  /** Files used by those pages. */
  readonly assets: readonly SiteAsset[];
  /** Slug of each of those pages, by route. */
  readonly slugs: Readonly<Record<string, string>>;
}

export interface PlaceContext {
  readonly options: Options;
  readonly places: PostPlaces;
  readonly pageHref: (slug: string) => string;
}

/** Decides which part of each post goes to the blog and which becomes a page. */
export function placePosts(posts: readonly SitePost[], { options, places, pageHref }: PlaceContext): PlacedPosts {
  const target = options.posts === false ? "blog" : options.posts.target;
  if (target === "blog") return { posts, pages: [], assets: [], slugs: {} };
  const placed = posts.flatMap((post) => {
    const place = places.find(post.slug);
    return place === undefined ? [] : [{ post, place }];
  });
  const made = placed.filter(({ place }) => place.kind === "made");
  const pointers = placed.map(({ post, place: { slug } }) => pointToPage(post, { slug, href: pageHref(slug) }));
  return {
    posts: target === "pointer" ? pointers : [],
    pages: made.map(makePage),
    assets: made.flatMap(({ post }) => post.assets),
    slugs: Object.fromEntries(made.map(({ place }) => [place.route, place.slug])),
  };
}

function makePage({ post, place: { slug, route } }: { readonly post: SitePost; readonly place: PostPlace }): MadePage {
  const { html, ...page } = renderPostPage(post);
  const render = async () => renderPostPage(post);
  return { page: { ...page, bytes: Buffer.byteLength(html) }, slug, route, file: post.file, render };
}
