import { sha256 } from "../../base/hash.ts";
import { extendPolicy } from "../../html/csp.ts";
import type { Core } from "../host/core.ts";
import { escapeHtml } from "../http/html.ts";
import { findLook, renderPage } from "../look/look.ts";
import {
  coverOrigins,
  findBlogLanguage,
  findBlogWords,
  findCovers,
  findPostFacts,
  languageAttributes,
  renderCover,
  renderFacts,
  renderHead,
  renderTags,
  taggedUrl,
  type BlogWords,
  type Cover,
  type PostFacts,
} from "../look/post-parts.ts";
import { renderWholePost } from "../look/whole-post.ts";
import { blogUrl, postUrl } from "../resources/addresses.ts";
import { findBlog } from "../store/blogs.ts";
import {
  findPost,
  findPreviewedPost,
  findPublishedPost,
  isPublic,
  listPublishedPosts,
  type PostSummary,
} from "../store/posts.ts";
import { plainPage } from "./plain-pages.ts";

const POSTS_PER_PAGE = 20;
const HTML_HEADERS = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache" } as const;

/** The requested part of a blog's list. */
interface ListView {
  /** Page number, from 1. */
  readonly number: number;
  /** Only posts with this tag. */
  readonly tag: string | undefined;
}

/** Serves the list of a blog's posts; `?page=2` shows older ones, `?tag=ink` those with a tag. */
export async function serveBlog(core: Core, blogSlug: string, { url: asked }: Request): Promise<Response> {
  const { store, account, addresses } = core;
  const view = viewOf(asked);
  const { number, tag } = view;
  const found = await listPublishedPosts(
    store.database,
    { accountId: account.id, blogSlug },
    { offset: (number - 1) * POSTS_PER_PAGE, limit: POSTS_PER_PAGE, tag, now: core.now() },
  );
  if (found === undefined || (found.posts.length === 0 && (number > 1 || tag !== undefined))) {
    return plainPage(await findLook(core, { kind: "blog", slug: blogSlug }), "notFound");
  }
  const { blog, posts, hasOlder } = found;
  const { name, description } = blog;
  const facts = await findPostFacts(store.database, posts);
  const covers = await findCovers(core, posts);
  const words = findBlogWords((await findBlogLanguage(core, blog)) ?? commonLanguage([...facts.values()]));
  const url = blogUrl(addresses, blog.slug);
  const items = posts.map((post) =>
    renderItem(post, {
      href: escapeHtml(postUrl(addresses, { blogSlug: blog.slug, slug: post.slug })),
      url,
      words,
      facts: facts.get(post.id),
      cover: covers.get(post.id),
    }),
  );
  const ownLead = description === null ? "" : `<p class="lead">${escapeHtml(description)}</p>`;
  const main = `<div${words.foreign}>
<h1>${escapeHtml(name)}</h1>
${tag === undefined ? ownLead : renderTagLead(tag, url, words)}
${items.length === 0 ? `<p${words.own}>There are no posts yet.</p>` : `<ul class="posts">\n${items.join("\n")}\n</ul>`}
${renderPager(view, hasOlder, words)}
</div>`;
  const head = tag === undefined ? renderHead(description, url) : renderHead(null, taggedUrl(url, tag));
  const look = await findLook(core, { kind: "site", siteId: blog.siteId });
  const title = tag === undefined ? name : `${tag} – ${name}`;
  const policy = extendPolicy(look.policy, new Map([["img-src", coverOrigins(covers)]]));
  return new Response(renderPage({ title, head, main, look, language: words.language }), {
    headers: { ...HTML_HEADERS, "Content-Security-Policy": policy },
  });
}

function viewOf(url: string): ListView {
  const { searchParams } = new URL(url);
  const number = searchParams.get("page") ?? "1";
  return { number: /^[1-9]\d{0,5}$/.test(number) ? Number(number) : 1, tag: searchParams.get("tag") ?? undefined };
}

function commonLanguage(facts: readonly PostFacts[]): string | undefined {
  const languages = new Set(facts.map(({ language }) => language));
  return languages.size === 1 ? [...languages][0] : undefined;
}

function renderTagLead(tag: string, url: string, { own }: BlogWords): string {
  return `<p class="lead"><span${own}>Posts tagged</span> “${escapeHtml(tag)}”</p>
<p><a href="${escapeHtml(url)}"${own}>All posts</a></p>`;
}

interface Item {
  /** The post's URL, escaped. */
  readonly href: string;
  /** The blog's URL. */
  readonly url: string;
  readonly words: BlogWords;
  readonly facts: PostFacts | undefined;
  readonly cover: Cover | undefined;
}

function renderItem(post: PostSummary, { href, url, words, facts, cover }: Item): string {
  const own = languageAttributes(facts?.language, words.language);
  // The image has the same link as the title: screen readers need only one.
  const thumb =
    cover === undefined
      ? ""
      : `<a class="thumb" href="${href}" tabindex="-1" aria-hidden="true">${renderCover(cover, 'alt="" loading="lazy"')}</a>`;
  const excerpt = post.excerpt === null ? "" : `<p class="excerpt"${own}>${escapeHtml(post.excerpt)}</p>`;
  return `<li>${thumb}<div>${renderFacts(post, facts?.minutes ?? 1, words)}
<h2${own}><a href="${href}">${escapeHtml(post.title)}</a></h2>
${excerpt}${renderTags(post.tags, url)}</div></li>`;
}

function renderPager({ number, tag }: ListView, hasOlder: boolean, { own }: BlogWords): string {
  const tagged = tag === undefined ? "" : `tag=${encodeURIComponent(tag)}&`;
  const href = (page: number) => escapeHtml(`?${tagged}page=${page}`);
  const newer = number > 1 ? `<a class="button" rel="prev" href="${href(number - 1)}">Newer</a>` : "";
  const older = hasOlder ? `<a class="button" rel="next" href="${href(number + 1)}">Older</a>` : "";
  return newer + older === "" ? "" : `<nav class="pager" aria-label="Pages"${own}>${newer}${older}</nav>`;
}

export async function servePost(
  core: Core,
  { blogSlug, slug }: { readonly blogSlug: string; readonly slug: string },
): Promise<Response> {
  const { store, account, now } = core;
  const found = await findPublishedPost(store.database, { accountId: account.id, blogSlug, slug, now: now() });
  if (found === undefined) return plainPage(await findLook(core, { kind: "blog", slug: blogSlug }), "notFound");
  return new Response(await renderWholePost(core, found), { headers: HTML_HEADERS });
}

// Anyone with the link can open it, so it must not be cached or leaked in referrers.
const PRIVATE = {
  "Cache-Control": "private, no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
} as const;

/** Serves an unpublished post for a preview link; redirects to the post's own URL if it was published meanwhile. */
export async function servePreview(core: Core, token: string): Promise<Response> {
  const { store, account, addresses, now } = core;
  const link = { accountId: account.id, hash: sha256(token) };
  const found = await findPreviewedPost(store.database, link, now());
  const blog = found && (await findBlog(store.database, { accountId: account.id, idOrSlug: found.blogId }));
  const post = found && (await findPost(store.database, found));
  if (blog === undefined || post === undefined) {
    return plainPage(await findLook(core, { kind: "host" }), "previewExpired");
  }
  if (isPublic(post, now())) {
    const location = postUrl(addresses, { blogSlug: blog.slug, slug: post.slug });
    return new Response(null, { status: 302, headers: { ...PRIVATE, Location: location } });
  }
  const html = await renderWholePost(core, { post, blog }, found?.expiresAt);
  return new Response(html, { headers: { ...PRIVATE, "Content-Type": "text/html; charset=utf-8" } });
}
