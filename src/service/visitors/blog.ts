import type { Core } from "../core.ts";
import { escapeHtml } from "../escape-html.ts";
import { renderPage } from "../html-page.ts";
import { findLook } from "../look/find-look.ts";
import type { Look } from "../look/look.ts";
import { renderPostBody } from "../markdown/markdown-renderer.ts";
import { makeCurrent } from "../resources/current-addresses.ts";
import { blogUrl, postUrl } from "../resources/addresses.ts";
import type { Addresses } from "../resources/addresses.ts";
import type { Blog } from "../store/blogs.ts";
import type { Post, PostSummary } from "../store/posts.ts";
import { findPublishedPost, listPublishedPosts } from "../store/published-posts.ts";
import { notFoundPage } from "./plain-pages.ts";

const POSTS_PER_PAGE = 20;
const HTML_HEADERS = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache" } as const;

/** The list of a blog's posts; `?page=2` shows older ones. */
export async function serveBlog(core: Core, blogSlug: string, request: Request): Promise<Response> {
  const { store, account, addresses } = core;
  const number = pageNumberOf(request.url);
  const found = await listPublishedPosts(
    store.database,
    { accountId: account.id, blogSlug },
    { offset: (number - 1) * POSTS_PER_PAGE, limit: POSTS_PER_PAGE },
  );
  if (found === undefined || (number > 1 && found.posts.length === 0)) return await missing(core, blogSlug);
  const { blog, posts, hasOlder } = found;
  const items = posts.map((post) => renderItem(post, postUrl(addresses, { blogSlug: blog.slug, slug: post.slug })));
  const main = `<h1>${escapeHtml(blog.name)}</h1>
${blog.description === null ? "" : `<p class="lead">${escapeHtml(blog.description)}</p>`}
${items.length === 0 ? "<p>Nothing is posted here yet.</p>" : `<ul class="posts">\n${items.join("\n")}\n</ul>`}
${renderPager({ number, hasOlder })}`;
  const head = renderHead({ description: blog.description, canonical: blogUrl(addresses, blog.slug) });
  const look = await findLook(core, { kind: "site", siteId: blog.siteId });
  return new Response(renderPage({ title: blog.name, head, main, look }), {
    headers: { ...HTML_HEADERS, "Content-Security-Policy": look.policy },
  });
}

/** One post of a blog. */
export async function servePost(
  core: Core,
  { blogSlug, slug }: { readonly blogSlug: string; readonly slug: string },
): Promise<Response> {
  const { store, account } = core;
  const found = await findPublishedPost(store.database, { accountId: account.id, blogSlug, slug });
  if (found === undefined) return await missing(core, blogSlug);
  return new Response(await renderWholePost(core, found), { headers: HTML_HEADERS });
}

/** A post as readers see it, with the look of its blog's site. */
export async function renderWholePost(core: Core, shown: ShownPost): Promise<string> {
  const look = await findLook(core, { kind: "site", siteId: shown.blog.siteId });
  const body = await renderPostBody(core.markdown, shown.post);
  return makeCurrent({ text: renderPost({ ...shown, body }, core.addresses, look), kind: "html" }, core.addresses);
}

async function missing(core: Core, blogSlug: string): Promise<Response> {
  return notFoundPage(await findLook(core, { kind: "blog", slug: blogSlug }));
}

interface ShownPost {
  readonly post: Post;
  readonly blog: Blog;
}

function renderPost(
  { post, blog, body }: ShownPost & { readonly body: string },
  addresses: Addresses,
  look: Look,
): string {
  const facts = [renderTime(post.publishedAt), post.author && escapeHtml(post.author)].filter(Boolean).join(" · ");
  const cover =
    post.coverImage === null ? "" : `<p class="cover"><img src="${escapeHtml(post.coverImage)}" alt=""></p>`;
  const tags = post.tags.map((tag) => `<li>${escapeHtml(tag)}</li>`).join("");
  const main = `<p class="back"><a href="${escapeHtml(blogUrl(addresses, blog.slug))}">${escapeHtml(blog.name)}</a></p>
<article>
<h1>${escapeHtml(post.title)}</h1>
<p class="soft">${facts}</p>
${cover}
${body}
</article>
${tags === "" ? "" : `<ul class="tags">${tags}</ul>`}`;
  const head = renderHead({
    description: post.excerpt,
    canonical: post.canonicalUrl ?? postUrl(addresses, { blogSlug: blog.slug, slug: post.slug }),
  });
  return renderPage({ title: `${post.title} – ${blog.name}`, head, main, look });
}

function renderItem(post: PostSummary, url: string): string {
  const excerpt = post.excerpt === null ? "" : `<p>${escapeHtml(post.excerpt)}</p>`;
  return `<li>${renderTime(post.publishedAt)}<h2><a href="${escapeHtml(url)}">${escapeHtml(post.title)}</a></h2>${excerpt}</li>`;
}

function renderTime(date: Date | null): string {
  if (date === null) return "";
  const day = date.toISOString().slice(0, 10);
  return `<time datetime="${date.toISOString()}">${day}</time>`;
}

function renderPager({ number, hasOlder }: { readonly number: number; readonly hasOlder: boolean }): string {
  const newer = number > 1 ? `<a class="button" rel="prev" href="?page=${number - 1}">Newer</a>` : "";
  const older = hasOlder ? `<a class="button" rel="next" href="?page=${number + 1}">Older</a>` : "";
  return newer + older === "" ? "" : `<nav class="pager">${newer}${older}</nav>`;
}

function renderHead({
  description,
  canonical,
}: {
  readonly description: string | null;
  readonly canonical: string;
}): string {
  const meta = description === null ? "" : `<meta name="description" content="${escapeHtml(description)}">\n`;
  return `${meta}<link rel="canonical" href="${escapeHtml(canonical)}">\n`;
}

function pageNumberOf(url: string): number {
  const text = new URL(url).searchParams.get("page") ?? "1";
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}
