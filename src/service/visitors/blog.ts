import type { Core } from "../host/core.ts";
import { findLook } from "../look/find-look.ts";
import { findPublishedPost, listPublishedPosts } from "../store/published-posts.ts";
import { renderList, type ListView } from "./blog-list.ts";
import { renderWholePost } from "./blog-post.ts";
import { notFoundPage } from "./plain-pages.ts";

const POSTS_PER_PAGE = 20;
const HTML_HEADERS = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache" } as const;

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
  if (found === undefined || isEmpty) return await missing(core, blogSlug);
  const { html, policy } = await renderList(core, found, view);
  return new Response(html, { headers: { ...HTML_HEADERS, "Content-Security-Policy": policy } });
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

async function missing(core: Core, blogSlug: string): Promise<Response> {
  return notFoundPage(await findLook(core, { kind: "blog", slug: blogSlug }));
}

function viewOf(url: string): ListView {
  const { searchParams } = new URL(url);
  const number = searchParams.get("page") ?? "1";
  return {
    number: /^[1-9]\d{0,5}$/.test(number) ? Number(number) : 1,
    tag: searchParams.get("tag") ?? undefined,
  };
}
