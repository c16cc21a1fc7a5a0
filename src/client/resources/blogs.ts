import type { ImprintApi } from "../api.ts";
import { readList } from "../listing.ts";
import { parseListPart } from "../records/parse-list.ts";
import { parseBlog, parsePost } from "../records/parse-records.ts";
import { creation, findOrUndefined, jsonBody, writing } from "../request-parts.ts";
import type { Session, SessionReply } from "../session.ts";
import { failureOf } from "../transport/outcome.ts";

export function createBlogs(session: Session): ImprintApi["blogs"] {
  return {
    list: (options) => readList(session, { operation: "blogs.list", names: ["blogs"], parse: parseBlog, options }),
    async create(blog, options) {
      const { json, context } = await session.call("blogs.create", { ...creation(options), body: jsonBody(blog) });
      return parseBlog(json, context);
    },
  };
}

export function createPosts(session: Session): ImprintApi["posts"] {
  const parse = ({ json, context }: SessionReply) => parsePost(json, context);
  return {
    list(blogId, options) {
      return readList(session, {
        operation: "posts.list",
        parameters: [blogId],
        filters: { include: options?.content === true ? "content" : undefined },
        names: ["posts"],
        parse: parsePost,
        options,
      });
    },
    async listPart(blogId, query, { signal } = {}) {
      try {
        const reply = await session.call("posts.list", { parameters: [blogId], query, signal });
        const { json, headers } = reply;
        const part = parseListPart(json, { names: ["posts"], headers, query, before: 0 });
        return part?.items.map((item) => parsePost(item, reply.context));
      } catch (error) {
        const status = failureOf(error)?.status;
        if (status === 400 || status === 404 || status === 422) return undefined;
        throw error;
      }
    },
    async create(blogId, post, options) {
      // Not repeated, and on a connection of its own: one that was kept open may be closed by the service just then,
      // which looks the same as a lost answer.
      const once = { repeat: "never", connection: "own" } as const;
      const call = { ...creation(options), ...once, parameters: [blogId], body: jsonBody(post) };
      return parse(await session.call("posts.create", call));
    },
    // oxlint-disable-next-line max-params -- a post is named by its blog and its slug, beside what every change takes
    async update(blogId, slug, change, options) {
      const call = { ...writing(options), parameters: [blogId, slug], body: jsonBody(change) };
      return parse(await session.call("posts.patch", call));
    },
    async delete(blogId, slug, options) {
      const call = { ...writing(options), parameters: [blogId, slug], expects: "document" } as const;
      await findOrUndefined(session.call("posts.delete", call));
    },
  };
}
