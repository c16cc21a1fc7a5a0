import type {
  AssetRecord,
  BlogRecord,
  BrandKitRecord,
  PageRecord,
  PostRecord,
  SiteRecord,
} from "../../contract/records.ts";
import type { RouteSetName } from "../../contract/route.ts";
import type { Context } from "../resources/context.ts";
import { assetUrl, blogUrl, editPath, postUrl, publicPageUrl } from "../resources/addresses.ts";
import type { Asset } from "../store/assets.ts";
import type { Blog } from "../store/blogs.ts";
import type { BrandKit } from "../store/brand-kits.ts";
import type { Page } from "../store/pages.ts";
import type { Post, PostSummary } from "../store/posts.ts";
import type { Site } from "../store/sites.ts";

// Records as the wire shows them, with all fields; `strict` mode takes away what the specification does not show.

export interface ViewOptions {
  readonly routeSet: RouteSetName;
  readonly context: Context;
}

export function viewPage(page: Page, { routeSet, context }: ViewOptions): PageRecord {
  const { addresses } = context;
  const publicUrl = publicPageUrl(addresses, page.slug);
  return {
    id: page.id,
    slug: page.slug,
    url: routeSet === "a" ? editPath(page.id) : publicUrl,
    title: page.title,
    status: page.status,
    createdAt: page.createdAt.toISOString(),
    updatedAt: page.updatedAt.toISOString(),
    publishedAt: page.publishedAt?.toISOString() ?? null,
    version: page.version,
    contentHash: page.contentHash,
    bytes: page.bytes,
    siteId: page.siteId,
    editUrl: `${addresses.appUrl}${editPath(page.id)}`,
    publicUrl,
    description: page.description,
  };
}

export function viewSite(site: Site, { addresses }: Context): SiteRecord {
  return {
    id: site.id,
    name: site.name,
    createdAt: site.createdAt.toISOString(),
    slug: site.slug,
    url: addresses.pagesUrl,
    homeSlug: site.homeSlug,
    brandKitId: site.brandKitId,
    domain: site.domain,
    pageCount: site.pageCount,
    version: site.version,
    updatedAt: site.updatedAt.toISOString(),
  };
}

export function viewAsset(asset: Asset, { addresses }: Context): AssetRecord {
  return {
    id: asset.id,
    name: asset.name,
    url: assetUrl(addresses, asset),
    contentType: asset.contentType,
    size: asset.size,
    createdAt: asset.createdAt.toISOString(),
    width: asset.width,
    height: asset.height,
    alt: asset.alt,
    tags: [...asset.tags],
    hash: asset.hash,
    usedBy: asset.usedBy,
  };
}

export function viewBlog(blog: Blog, { addresses }: Context): BlogRecord {
  return {
    id: blog.id,
    name: blog.name,
    slug: blog.slug,
    url: blogUrl(addresses, blog.slug),
    createdAt: blog.createdAt.toISOString(),
    description: blog.description,
    siteId: blog.siteId,
    postCount: blog.postCount,
    updatedAt: blog.updatedAt.toISOString(),
  };
}

/** A post without its body. */
export function viewPost(post: PostSummary, blog: Blog, { addresses }: Context): PostRecord {
  return {
    id: post.id,
    blogId: post.blogId,
    slug: post.slug,
    title: post.title,
    url: postUrl(addresses, { blogSlug: blog.slug, slug: post.slug }),
    status: post.status,
    publishedAt: post.publishedAt?.toISOString() ?? null,
    createdAt: post.createdAt.toISOString(),
    updatedAt: post.updatedAt.toISOString(),
    excerpt: post.excerpt,
    coverImage: post.coverImage,
    tags: [...post.tags],
    author: post.author,
    canonicalUrl: post.canonicalUrl,
    version: post.version,
    contentHash: post.contentHash,
  };
}

/** A post with its body, as it was sent. */
export function viewWholePost(post: Post, blog: Blog, context: Context): PostRecord {
  const record = viewPost(post, blog, context);
  return post.html === null ? { ...record, markdown: post.markdown } : { ...record, html: post.html, markdown: null };
}

export function viewBrandKit(kit: BrandKit): BrandKitRecord {
  return {
    kitId: kit.id,
    id: kit.id,
    name: kit.name,
    colors: [...kit.colors],
    fonts: [...kit.fonts],
    logos: [...kit.logos],
    createdAt: kit.createdAt.toISOString(),
    sourceUrl: kit.sourceUrl,
    version: kit.version,
    updatedAt: kit.updatedAt.toISOString(),
  };
}
