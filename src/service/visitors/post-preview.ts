import { sha256 } from "../../base/hash.ts";
import type { Core } from "../host/core.ts";
import { findLook } from "../look/find-look.ts";
import { postUrl } from "../resources/addresses.ts";
import { findBlog } from "../store/blogs.ts";
import { findPost } from "../store/posts.ts";
import { findPreviewedPost } from "../store/preview-links.ts";
import { renderWholePost } from "./blog-post.ts";
import { previewEndedPage } from "./plain-pages.ts";

// Whoever is told the address can open it, so nothing may keep it or pass it on.
const PRIVATE = {
  "Cache-Control": "private, no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
} as const;

/** A post that is not published, for who has a preview link; one that was published meanwhile is at its own address. */
export async function servePreview(core: Core, token: string): Promise<Response> {
  const { store, account, addresses, now } = core;
  const link = { accountId: account.id, hash: sha256(token) };
  const found = await findPreviewedPost(store.database, link, now());
  const blog = found && (await findBlog(store.database, { accountId: account.id, idOrSlug: found.blogId }));
  const post = found && (await findPost(store.database, found));
  if (blog === undefined || post === undefined) return previewEndedPage(await findLook(core, { kind: "host" }));
  if (post.status === "published") {
    const location = postUrl(addresses, { blogSlug: blog.slug, slug: post.slug });
    return new Response(null, { status: 302, headers: { ...PRIVATE, Location: location } });
  }
  const html = await renderWholePost(core, { post, blog, previewEndsAt: found?.expiresAt });
  return new Response(html, { headers: { ...PRIVATE, "Content-Type": "text/html; charset=utf-8" } });
}
