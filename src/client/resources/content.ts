import type { BrandKitBody } from "../../contract/operations/content.ts";
import type { Blog, BrandKit, ImprintApi, Post, Site } from "../api.ts";
import { readList } from "../listing.ts";
import { BLOG, BRAND_KIT, createRecordWriter, MARKDOWN_POST, POST, SITE } from "../record-form.ts";
import { parsePreviewLink } from "../records/account-records.ts";
import { parseBrandKit, parseExtractedKit } from "../records/brand-kit.ts";
import { isTrashStatus } from "../../contract/dialect.ts";
import { idOfLocation, isBareReply } from "../records/read-record.ts";
import { isWithoutPost, parseBlog, parsePost } from "../records/blog-records.ts";
import { parseSite } from "../records/records.ts";
import type { Session, SessionReply } from "../session.ts";
import { jsonBody } from "../transport/body.ts";
import { createKeptFields } from "./kept-fields.ts";
import {
  collectIds,
  createCalls,
  createRecord,
  creation,
  newestOf,
  orOther,
  replayed,
  withJson,
  withOnly,
  writing,
} from "./calls.ts";

export function createSites(session: Session): ImprintApi["sites"] {
  const calls = createCalls(session);
  const writer = createRecordWriter(session, SITE);
  // A partial update in route set A, the complete site in route set B.
  const change = session.routeSet === "a" ? "sites.patch" : "sites.put";
  const kept = createKeptFields(session, {
    kind: SITE,
    names: ["site"],
    parse: parseSite,
    writer,
    operations: { get: "sites.get", change },
    aliases: ["siteId", "kitId"],
  });
  const { list, listed } = collectIds(calls.list("sites.list", kept.parse, ["sites"]));
  return {
    list,
    get: kept.get,
    create: (site, options) =>
      createRecord(site, {
        writer,
        send: ({ body, id }) => session.call("sites.create", { ...creation(options, id), body }),
        parse: parseSite,
        label: "site",
        listed,
        withId: (id): Site => ({ id, name: site.name }),
        find: async () => newestOf((await list()).items.filter(({ name }) => name === site.name)),
      }),
    async update(id, site, options) {
      const reply = await kept.change({ id, record: site, options, list });
      // The response to a changed site may be empty.
      return isBareReply(reply.json) ? { id } : parseSite(reply.json, reply.context);
    },
    delete(id, { pages, signal } = {}) {
      return calls.remove("sites.delete", { parameters: [id], query: pages === undefined ? {} : { pages }, signal });
    },
  };
}

export function createBlogs(session: Session): Pick<ImprintApi, "blogs" | "posts"> {
  const writer = createRecordWriter(session, BLOG);
  const { list, listed } = collectIds(createCalls(session).list("blogs.list", parseBlog, ["blogs"]));
  const created = new Set<string>();
  const blogs: ImprintApi["blogs"] = {
    list,
    async create(blog, options) {
      const record = await createRecord(blog, {
        writer,
        send: ({ body, id }) => session.call("blogs.create", { ...creation(options, id), body }),
        parse: parseBlog,
        label: "blog",
        listed,
        withId: (id): Blog => ({ id, name: blog.name }),
        async find() {
          // Route set B can't list blogs.
          const items = session.capabilities().operations.has("blogs.list") ? (await list()).items : [];
          const hasSlug = ({ slug }: Blog) => blog.slug !== undefined && slug !== undefined;
          const named = items.filter((item) => (hasSlug(item) ? item.slug === blog.slug : item.name === blog.name));
          return named.length === 1 ? named[0] : undefined;
        },
      });
      created.add(record.id);
      return record;
    },
  };
  return { blogs, posts: createPosts(session, (id) => listed.has(id) || created.has(id)) };
}

/** @param isBlogId whether this is the ID of a blog, and not a slug that a service accepts in its place */
function createPosts(session: Session, isBlogId: (id: string) => boolean): ImprintApi["posts"] {
  const writers = { html: createRecordWriter(session, POST), markdown: createRecordWriter(session, MARKDOWN_POST) };
  const writerFor = (post: { readonly markdown?: string | undefined }) =>
    post.markdown === undefined ? writers.html : writers.markdown;

  function parseWritten(reply: SessionReply, sent: Pick<Post, "slug" | "title">): Post {
    const { json, context, status } = reply;
    const isRead = !isBareReply(json) && !(status === 202 && isWithoutPost(json, context));
    // `Location` contains an API address, so it identifies the post but isn't its public address. That of a post that
    // was accepted for later (202) may be the address of a job.
    const post = isRead ? parsePost(json, context) : { ...sent, id: status === 202 ? undefined : idOfLocation(reply) };
    return replayed(post, reply);
  }

  return {
    async list(blogId, options) {
      const listing = await readList(session, {
        operation: "posts.list",
        parameters: [blogId],
        filters: { include: options?.content === true ? "content" : undefined },
        names: ["posts"],
        parse: withJson(parsePost, options),
        pageSize: options?.pageSize,
        options,
      });
      // A service may list the posts of all blogs.
      const areNamed = isBlogId(blogId) || listing.items.some((post) => post.blogId === blogId);
      const own = areNamed ? listing.items.filter((post) => (post.blogId ?? blogId) === blogId) : listing.items;
      // A post in the trash is as good as deleted.
      const items = own.filter(({ status }) => !isTrashStatus(status) || /^archived/i.test(status ?? ""));
      return withOnly(items, listing);
    },
    async create(blogId, post, options) {
      // Sent only once, on a separate connection: the service may be closing a kept-alive one at that moment, which
      // looks like a lost response.
      const once = { repeat: "never", connection: "own" } as const;
      const reply = await writerFor(post).send(post, ({ body, id }) =>
        session.call("posts.create", { ...creation(options, id), ...once, parameters: [blogId], body }),
      );
      return orOther(parseWritten(reply, { slug: post.slug, title: post.title }), { sent: post, reply });
    },
    // oxlint-disable-next-line max-params -- a post is named by its blog and its slug, beside what every change takes
    async update(blogId, slug, change, options) {
      const reply = await writerFor(change).send(change, ({ body }) =>
        session.call("posts.patch", { ...writing(options), parameters: [blogId, slug], body }),
      );
      return parseWritten(reply, { slug, title: change.title });
    },
    delete(blogId, slug, options) {
      return createCalls(session).remove("posts.delete", { ...writing(options), parameters: [blogId, slug] });
    },
    async createPreviewLink(blogId, { slug, expiresInDays }, { signal } = {}) {
      const call = { parameters: [blogId, slug], body: jsonBody({ expiresInDays }), signal };
      const { json, context } = await session.call("previewLinks.create", call);
      return parsePreviewLink(json, context);
    },
  };
}

export function createBrandKits(session: Session): ImprintApi["brandKits"] {
  const calls = createCalls(session);
  const writer = createRecordWriter(session, BRAND_KIT);
  const kept = createKeptFields(session, {
    kind: BRAND_KIT,
    names: ["brandKit", "kit"],
    parse: parseBrandKit,
    writer,
    operations: { get: "brandKits.get", change: "brandKits.put" },
    aliases: ["kitId", "brandKitId", "colours", "palette", "typography", "images"],
  });
  const { list, listed } = collectIds(calls.list("brandKits.list", kept.parse, ["brandKits", "kits"]));
  return {
    list,
    get: kept.get,
    create: (kit, options) =>
      createRecord(kit, {
        writer,
        send: ({ body, id }) => session.call("brandKits.create", { ...creation(options, id), body }),
        parse: parseBrandKit,
        label: "brand kit",
        listed,
        withId: (id) => written(id, kit),
        async find() {
          const named = (await list()).items.filter(({ name }) => name === kit.name);
          return named.length === 1 ? named[0] : undefined;
        },
      }),
    async update(id, kit, options) {
      const reply = await kept.change({ id, record: kit, options, list });
      return isBareReply(reply.json) ? written(id, kit) : parseBrandKit(reply.json, reply.context);
    },
    delete: calls.delete("brandKits.delete"),
    extract: calls.send("brandKits.extract", parseExtractedKit),
  };
}

// If a service responds with nothing, it stored what it was sent.
function written(id: string, { name, colors = [], fonts = [], logos = [] }: BrandKitBody): BrandKit {
  return { id, name, colors, fonts, logos };
}
