import { createBlog, getBlog } from "../../resources/blogs.ts";
import { createPost, patchPost, removePost, createPreviewLink } from "../../resources/posts.ts";
import { listBlogs } from "../../store/blogs.ts";
import { listPosts, listWholePosts } from "../../store/posts.ts";
import type { Handlers } from "../call.ts";
import { listReply, windowOf, recordReply } from "../reply.ts";
import { viewBlog, viewPost, viewWholePost } from "../views.ts";

export const BLOG_HANDLERS = {
  async "blogs.list"({ context, query }) {
    const slice = await listBlogs(context.database, context.accountId, windowOf(query, context));
    return listReply(slice, { context, view: (blog) => viewBlog(blog, context) });
  },

  async "blogs.create"({ body, write }) {
    return await write(async (context) => {
      const { blog, outcome } = await createBlog(context, body);
      const location = outcome === "created" ? `/api/blogs/${blog.id}/posts` : undefined;
      return recordReply(viewBlog(blog, context), location);
    });
  },

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

  async "posts.create"({ target, body, write }) {
    return await write(async (context) => {
      const { blog, post, outcome } = await createPost(context, target, body);
      const record = viewWholePost(post, blog, context);
      return recordReply(record, outcome === "created" ? record.url : undefined);
    });
  },

  async "posts.patch"({ target, member, body, preconditions, write }) {
    return await write(async (context) => {
      const { blog, post } = await patchPost(context, { blogName: target, slug: member, patch: body, preconditions });
      return { kind: "record", status: 200, record: viewWholePost(post, blog, context) };
    });
  },

  async "posts.delete"({ target, member, preconditions, write }) {
    return await write(async (context) => {
      await removePost(context, { blogName: target, slug: member, preconditions });
      return { kind: "empty", status: 204 };
    });
  },

  async "previewLinks.create"({ target, member, body, write }) {
    return await write(async (context) => {
      const { url, expiresAt } = await createPreviewLink(context, { blogName: target, slug: member, ...body });
      return { kind: "record", status: 201, record: { expiresAt: expiresAt.toISOString() }, shownOnce: { url } };
    });
  },
} as const satisfies Handlers;
