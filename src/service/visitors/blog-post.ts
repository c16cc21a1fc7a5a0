import { makeBoxesFocusable } from "../../html/post-body.ts";
import type { Core } from "../host/core.ts";
import { escapeHtml, renderPage } from "../http/html.ts";
import { findLook } from "../look/find-look.ts";
import { renderPostBody } from "../markdown/markdown-renderer.ts";
import { blogUrl, postUrl } from "../resources/addresses.ts";
import { makeCurrent } from "../resources/current-addresses.ts";
import { findBlog, type Blog } from "../store/blogs.ts";
import {
  findNeighbors,
  findPost,
  findPreviewedPost,
  findPublishedPost,
  type Neighbors,
  type Post,
} from "../store/posts.ts";
import { sha256 } from "../../base/hash.ts";
import {
  findBlogWords,
  findCovers,
  findPostFacts,
  findBlogLanguage,
  renderCover,
  renderFacts,
  renderHead,
  renderTags,
  type BlogWords,
} from "./blog-parts.ts";
import { plainPage } from "./plain-pages.ts";

/** One post of a blog. */
export async function servePost(
  core: Core,
  { blogSlug, slug }: { readonly blogSlug: string; readonly slug: string },
): Promise<Response> {
  const { store, account } = core;
  const found = await findPublishedPost(store.database, { accountId: account.id, blogSlug, slug });
  if (found === undefined) return plainPage(await findLook(core, { kind: "blog", slug: blogSlug }), "notFound");
  return new Response(await renderWholePost(core, found), {
    headers: { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache" },
  });
}

// Whoever has the address can open it, so nothing may keep it or pass it on.
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
  if (blog === undefined || post === undefined) {
    return plainPage(await findLook(core, { kind: "host" }), "previewExpired");
  }
  if (post.status === "published") {
    const location = postUrl(addresses, { blogSlug: blog.slug, slug: post.slug });
    return new Response(null, { status: 302, headers: { ...PRIVATE, Location: location } });
  }
  const html = await renderWholePost(core, { post, blog, previewEndsAt: found?.expiresAt });
  return new Response(html, { headers: { ...PRIVATE, "Content-Type": "text/html; charset=utf-8" } });
}

/** A post of a blog, to be shown. */
export interface ShownPost {
  readonly post: Post;
  readonly blog: Blog;
  /** When the link ends by which a reader sees a post that is not published. */
  readonly previewEndsAt?: Date | undefined;
}

/** A post as readers see it, with the look of its blog's site. */
export async function renderWholePost(core: Core, { post, blog, previewEndsAt }: ShownPost): Promise<string> {
  const { addresses, store } = core;
  const facts = (await findPostFacts(store.database, [post])).get(post.id);
  const body = await renderPostBody(core.markdown, post);
  const cover = (await findCovers(core, [post])).get(post.id);
  const words = findBlogWords(facts?.language ?? (await findBlogLanguage(core, blog)));
  const neighbors = post.status === "published" ? await findNeighbors(store.database, post) : NO_NEIGHBORS;
  const url = blogUrl(addresses, blog.slug);
  const picture =
    cover === undefined ? "" : `\n<p class="cover">${renderCover(cover, `alt="${escapeHtml(cover.alt)}"`)}</p>`;
  const tags = renderTags(post.tags, url);
  const main = `<div${words.foreign}>
${renderNotice(previewEndsAt, words)}<p class="back"><a href="${escapeHtml(url)}">${escapeHtml(blog.name)}</a></p>
<article>
<header class="post-head"><h1>${escapeHtml(post.title)}</h1>
${renderFacts(post, facts?.minutes ?? 1, words)}${picture}</header>
<section class="post-body">${makeBoxesFocusable(body)}</section>
</article>
${tags === "" ? "" : `<footer class="post-foot">${tags}</footer>`}
${renderNeighbors(neighbors, { words, urlOf: (slug) => postUrl(addresses, { blogSlug: blog.slug, slug }) })}
</div>`;
  const canonical = post.canonicalUrl ?? postUrl(addresses, { blogSlug: blog.slug, slug: post.slug });
  const head = previewEndsAt === undefined ? renderHead({ description: post.excerpt, canonical }) : NOINDEX;
  const look = await findLook(core, { kind: "site", siteId: blog.siteId });
  const text = renderPage({ title: `${post.title} – ${blog.name}`, head, main, look, language: words.language });
  return makeCurrent({ text, kind: "html" }, addresses);
}

const NOINDEX = '<meta name="robots" content="noindex">\n';

function renderNotice(endsAt: Date | undefined, { own, formatDate }: BlogWords): string {
  if (endsAt === undefined) return "";
  const time = `<time datetime="${endsAt.toISOString()}">${formatDate(endsAt)}</time>`;
  return `<p class="notice"${own}><strong>Preview</strong>, expires ${time}. This post isn't published.</p>\n`;
}

const NO_NEIGHBORS: Neighbors = { older: undefined, newer: undefined };

interface NeighborLinks {
  readonly words: BlogWords;
  readonly urlOf: (slug: string) => string;
}

function renderNeighbors({ older, newer }: Neighbors, { words: { own }, urlOf }: NeighborLinks): string {
  const links = [
    { post: older, rel: "prev", label: "Previous" },
    { post: newer, rel: "next", label: "Next" },
  ].flatMap(({ post, rel, label }) =>
    post === undefined
      ? []
      : [
          `<a rel="${rel}" href="${escapeHtml(urlOf(post.slug))}"><span${own}>${label}</span>${escapeHtml(post.title)}</a>`,
        ],
  );
  return links.length === 0 ? "" : `<nav class="neighbors" aria-label="Posts">${links.join("")}</nav>`;
}
