import { makeBoxesFocusable } from "../../html/post-body.ts";
import type { Core } from "../host/core.ts";
import { escapeHtml } from "../http/html.ts";
import { renderPostBody } from "../markdown/markdown-renderer.ts";
import { blogUrl, postUrl } from "../resources/addresses.ts";
import { makeCurrent } from "../resources/current-addresses.ts";
import { originalUrl, type BlogPost } from "../resources/posts.ts";
import { findNeighbors, isPublic, type Neighbors } from "../store/posts.ts";
import { findLook, renderPage } from "./look.ts";
import {
  findBlogLanguage,
  findBlogWords,
  findCovers,
  findPostFacts,
  renderCover,
  renderFacts,
  renderHead,
  renderTags,
  type BlogWords,
} from "./post-parts.ts";

/**
 * Renders a post as readers see it, in the look of its blog's site. `previewEndsAt`: expiry of the preview link of an
 * unpublished post.
 */
export async function renderWholePost(core: Core, shown: BlogPost, previewEndsAt?: Date): Promise<string> {
  const { addresses, store } = core;
  const { post, blog } = shown;
  const facts = (await findPostFacts(store.database, [post])).get(post.id);
  const body = await renderPostBody(core.markdown, post);
  const cover = (await findCovers(core, [post])).get(post.id);
  const words = findBlogWords(facts?.language ?? (await findBlogLanguage(core, blog)));
  const now = core.now();
  const neighbors = isPublic(post, now) ? await findNeighbors(store.database, post, now) : NO_NEIGHBORS;
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
${renderNeighbors(neighbors, words, (slug) => postUrl(addresses, { blogSlug: blog.slug, slug }))}
</div>`;
  const head = previewEndsAt === undefined ? renderHead(post.excerpt, originalUrl(addresses, shown)) : NOINDEX;
  const look = await findLook(core, { kind: "site", siteId: blog.siteId });
  const text = renderPage({
    title: `${post.title} – ${blog.name}`,
    head,
    main,
    look,
    language: words.language,
  });
  return makeCurrent({ text, kind: "html" }, addresses);
}

const NOINDEX = '<meta name="robots" content="noindex">\n';

function renderNotice(endsAt: Date | undefined, { own, formatDate }: BlogWords): string {
  if (endsAt === undefined) return "";
  const time = `<time datetime="${endsAt.toISOString()}">${formatDate(endsAt)}</time>`;
  return `<p class="notice"${own}><strong>Preview</strong>, expires ${time}. This post isn't published.</p>\n`;
}

const NO_NEIGHBORS: Neighbors = { older: undefined, newer: undefined };

function renderNeighbors({ older, newer }: Neighbors, { own }: BlogWords, urlOf: (slug: string) => string): string {
  const linkTo = ({ slug, title }: NonNullable<Neighbors["older"]>, rel: string, label: string) =>
    `<a rel="${rel}" href="${escapeHtml(urlOf(slug))}"><span${own}>${label}</span>${escapeHtml(title)}</a>`;
  const links = [older && linkTo(older, "prev", "Previous"), newer && linkTo(newer, "next", "Next")];
  const html = links.filter((link) => link !== undefined).join("");
  return html === "" ? "" : `<nav class="neighbors" aria-label="Posts">${html}</nav>`;
}
