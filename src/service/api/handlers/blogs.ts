import { createBlog, getBlog } from "../../resources/blogs.ts";
import { createPost, patchPost, removePost, revokePreviewLinks, createPreviewLink } from "../../resources/posts.ts";
import { listBlogs } from "../../store/blogs.ts";
import { listPosts, listWholePosts } from "../../store/posts.ts";
import type { Handlers } from "../call.ts";
import { listReply, windowOf, recordReply } from "../reply.ts";
import { viewBlog, viewPost, viewWholePost } from "../views.ts";
import { changing, listing, removing, writing } from "./rows.ts";

export const BLOG_HANDLERS = {
  "blogs.list": listing((context, _, window) => listBlogs(context.database, context.accountId, { window }), viewBlog),
  "blogs.create": writing(async (context, { body }) => {
    const { blog, outcome } = await createBlog(context, body);
    const location = outcome === "created" ? `/api/blogs/${blog.id}/posts` : undefined;
    return recordReply(viewBlog(blog, context), location);
  }),

  async "posts.list"({ context, query, target }) {
    const blog = await getBlog(context, target);
    const wanted = { window: windowOf(query, context), filter: { status: query.status, slug: query.slug } };
    if (query.include === "content") {
      const whole = await listWholePosts(context.database, blog.id, wanted);
      return listReply(whole, { context, view: (post) => viewWholePost(post, blog, context) });
    }
    const slice = await listPosts(context.database, blog.id, wanted);
    return listReply(slice, { context, view: (post) => viewPost(post, blog, context) });
  },

  "posts.create": writing(async (context, { target, body }) => {
    const { blog, post, outcome } = await createPost(context, target, body);
    const record = viewWholePost(post, blog, context);
    return recordReply(record, outcome === "created" ? record.url : undefined);
  }),
  "posts.patch": changing(async (context, { target, member, body, preconditions }) => {
    const { blog, post } = await patchPost(context, { blogName: target, slug: member, patch: body, preconditions });
    return viewWholePost(post, blog, context);
  }),
  "posts.delete": removing((context, { target, member, preconditions }) =>
    removePost(context, { blogName: target, slug: member, preconditions }),
  ),
  "previewLinks.create": writing(async (context, { target, member, body }) => {
    const { url, expiresAt } = await createPreviewLink(context, { blogName: target, slug: member, ...body });
    return { kind: "record", status: 201, record: { expiresAt: expiresAt.toISOString() }, shownOnce: { url } };
  }),
  "previewLinks.delete": removing((context, { target, member }) =>
    revokePreviewLinks(context, { blogName: target, slug: member }),
  ),
} as const satisfies Handlers;
