import type { Core } from "../host/core.ts";
import { findLook } from "../look/find-look.ts";
import { listPublishedPosts, type PostSummary, type PublishedPosts } from "../store/posts.ts";
import { extendPolicy } from "../../html/csp.ts";
import { escapeHtml, renderPage } from "../http/html.ts";
import { blogUrl, postUrl } from "../resources/addresses.ts";
import {
  coverOrigins,
  findBlogWords,
  findCovers,
  findPostFacts,
  findBlogLanguage,
  renderCover,
  renderFacts,
  renderHead,
  renderTags,
  type BlogWords,
  type Cover,
  type PostFacts,
} from "./blog-parts.ts";
import { plainPage } from "./plain-pages.ts";

const POSTS_PER_PAGE = 20;
const HTML_HEADERS = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache" } as const;

/** Which part of a blog's list a reader asks for. */
interface ListView {
  /** Of the page, from 1. */
  readonly number: number;
  /** Only posts that have it. */
  readonly tag: string | undefined;
}

/** The list of a blog's posts; `?page=2` shows older ones, `?tag=ink` those with a tag. */
export async function serveBlog(core: Core, blogSlug: string, request: Request): Promise<Response> {
  const { store, account } = core;
  const view = viewOf(request.url);
  const { number, tag } = view;
  const found = await listPublishedPosts(
    store.database,
    { accountId: account.id, blogSlug },
    { offset: (number - 1) * POSTS_PER_PAGE, limit: POSTS_PER_PAGE, tag },
  );
  const isEmpty = found?.posts.length === 0 && (number > 1 || tag !== undefined);
  if (found === undefined || isEmpty)
    return plainPage(await findLook(core, { kind: "blog", slug: blogSlug }), "notFound");
  const { html, policy } = await renderList(core, found, view);
  return new Response(html, { headers: { ...HTML_HEADERS, "Content-Security-Policy": policy } });
}

function viewOf(url: string): ListView {
  const { searchParams } = new URL(url);
  const number = searchParams.get("page") ?? "1";
  return {
    number: /^[1-9]\d{0,5}$/.test(number) ? Number(number) : 1,
    tag: searchParams.get("tag") ?? undefined,
  };
}

/** A page of a blog's list, and the policy that it needs. */
async function renderList(
  core: Core,
  { blog, posts, hasOlder }: PublishedPosts,
  view: ListView,
): Promise<{ readonly html: string; readonly policy: string }> {
  const { addresses, store } = core;
  const facts = await findPostFacts(store.database, posts);
  const covers = await findCovers(core, posts);
  const language = (await findBlogLanguage(core, blog)) ?? commonLanguage([...facts.values()]);
  const words = findBlogWords(language);
  const url = blogUrl(addresses, blog.slug);
  const items = posts.map((post) =>
    renderItem(post, { words, url, facts: facts.get(post.id), cover: covers.get(post.id), core, blogSlug: blog.slug }),
  );
  const main = `<div${words.foreign}>
<h1>${escapeHtml(blog.name)}</h1>
${renderLead(blog.description, { view, words, url })}
${items.length === 0 ? `<p${words.own}>Nothing is posted here yet.</p>` : `<ul class="posts">\n${items.join("\n")}\n</ul>`}
${renderPager({ view, hasOlder, words })}
</div>`;
  const { tag } = view;
  const canonical = tag === undefined ? url : `${url}?tag=${encodeURIComponent(tag)}`;
  const head = renderHead({ description: tag === undefined ? blog.description : null, canonical });
  const look = await findLook(core, { kind: "site", siteId: blog.siteId });
  const title = tag === undefined ? blog.name : `${tag} – ${blog.name}`;
  return {
    html: renderPage({ title, head, main, look, language: words.language }),
    policy: extendPolicy(look.policy, new Map([["img-src", coverOrigins(covers)]])),
  };
}

function commonLanguage(facts: readonly PostFacts[]): string | undefined {
  const languages = new Set(facts.map(({ language }) => language));
  return languages.size === 1 ? [...languages][0] : undefined;
}

interface Lead {
  readonly view: ListView;
  readonly words: BlogWords;
  readonly url: string;
}

function renderLead(description: string | null, { view: { tag }, words: { own }, url }: Lead): string {
  if (tag === undefined) return description === null ? "" : `<p class="lead">${escapeHtml(description)}</p>`;
  return `<p class="lead"><span${own}>Posts tagged</span> “${escapeHtml(tag)}”</p>
<p><a href="${escapeHtml(url)}"${own}>All posts</a></p>`;
}

interface Item {
  readonly core: Core;
  readonly blogSlug: string;
  readonly words: BlogWords;
  readonly url: string;
  readonly facts: PostFacts | undefined;
  readonly cover: Cover | undefined;
}

function renderItem(post: PostSummary, { core, blogSlug, words, url, facts, cover }: Item): string {
  const href = escapeHtml(postUrl(core.addresses, { blogSlug, slug: post.slug }));
  const { language } = facts ?? {};
  const own = language === undefined || language === words.language ? "" : ` lang="${language}"`;
  // The picture leads where the title leads: once is enough for who does not see it.
  const thumb =
    cover === undefined
      ? ""
      : `<a class="thumb" href="${href}" tabindex="-1" aria-hidden="true">${renderCover(cover, 'alt="" loading="lazy"')}</a>`;
  const excerpt = post.excerpt === null ? "" : `<p class="excerpt"${own}>${escapeHtml(post.excerpt)}</p>`;
  return `<li>${thumb}<div>${renderFacts(post, facts?.minutes ?? 1, words)}
<h2${own}><a href="${href}">${escapeHtml(post.title)}</a></h2>
${excerpt}${renderTags(post.tags, url)}</div></li>`;
}

interface Pager {
  readonly view: ListView;
  readonly hasOlder: boolean;
  readonly words: BlogWords;
}

function renderPager({ view: { number, tag }, hasOlder, words }: Pager): string {
  const tagged = tag === undefined ? "" : `tag=${encodeURIComponent(tag)}&`;
  const href = (page: number) => escapeHtml(`?${tagged}page=${page}`);
  const newer = number > 1 ? `<a class="button" rel="prev" href="${href(number - 1)}">Newer</a>` : "";
  const older = hasOlder ? `<a class="button" rel="next" href="${href(number + 1)}">Older</a>` : "";
  return newer + older === "" ? "" : `<nav class="pager" aria-label="Pages"${words.own}>${newer}${older}</nav>`;
}
