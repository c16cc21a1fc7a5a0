import { keepLineEnds } from "../../../base/text-changes.ts";
import { splitWords, WORD_LIST_HINT } from "../../../base/word-list.ts";
import { titlesOf } from "../../../contract/fields.ts";
import { postCreateBody, postPatchBody } from "../../../contract/operations/blogs.ts";
import { postRecord } from "../../../contract/records.ts";
import { getBlog } from "../../resources/blogs.ts";
import { postUrl } from "../../resources/addresses.ts";
import { slugFrom } from "../../resources/fields.ts";
import {
  createPost,
  createTitledPost,
  getPost,
  patchPost,
  subjectOfPost,
  type BlogPost,
} from "../../resources/posts.ts";
import { renderWholePost } from "../../look/whole-post.ts";
import type { Blog } from "../../store/blogs.ts";
import { findRow } from "../../store/rows.ts";
import { isPublic, type Post } from "../../store/posts.ts";
import { paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import {
  inputOf,
  parseInput,
  textOrNull,
  valuesOf,
  versionOf,
  type Field,
  type Fields,
  type FormValues,
} from "../forms.ts";
import { noteOnFile } from "../parts/from-file.ts";
import { onlyForChange } from "../parts/resource-pages.tsx";
import type { DeskFields, DeskSubject, Saved, Shown } from "./desk.tsx";
import { listPictures, savePicture, showPicture } from "./pictures.ts";
import { registerDesk } from "./register-desk.tsx";

const TITLES = titlesOf(postRecord);
const POST = "/blogs/:blog/posts/:slug";
const NEW = "/blogs/:blog/new";

/** Registers the editor for posts of the service. */
export function registerPostDesk(app: DashboardApp): void {
  app.get("/blogs/:blog/pictures", onlyForChange, listPictures);
  app.post("/blogs/:blog/pictures", savePicture);
  app.get("/blogs/:blog/pictures/shown", onlyForChange, showPicture);
  registerDesk(app, { route: NEW, action: "/blogs/:blog/posts", find: findNewPost });
  registerDesk(app, { route: `${POST}/edit`, action: POST, history: `${POST}/history`, find: findSavedPost });
}

const FIELDS: DeskFields = {
  title: { title: { label: TITLES.title, required: true } },
  text: { text: { label: "Text", kind: "source" } },
  settings: {
    status: {
      label: TITLES.status,
      kind: "choice",
      options: [
        ["published", "Published"],
        ["draft", "Draft"],
      ],
      hint: "Readers see it once it is published and its publish date has passed.",
    },
    publishedAt: {
      label: "Publish date (UTC)",
      kind: "datetime-local",
      hint: "Leave empty for the moment of publishing. A later time schedules the post.",
    },
    excerpt: { label: TITLES.excerpt, kind: "lines", hint: "Shown in the list of posts and in search results." },
    tags: { label: TITLES.tags, hint: WORD_LIST_HINT },
    author: { label: TITLES.author },
    coverImage: { label: TITLES.coverImage, kind: "picture", hint: "The address of a picture." },
    canonicalUrl: { label: TITLES.canonicalUrl, hint: "Where the post was first published, if elsewhere." },
    kind: {
      label: "Written in",
      kind: "choice",
      options: [
        ["markdown", "Markdown"],
        ["html", "HTML"],
      ],
      hint: "Markdown is rendered as on GitHub, with tables, task lists and footnotes; scripts, styles and frames are removed. HTML is published as it is.",
    },
  },
};

const NEW_FIELDS: DeskFields = {
  ...FIELDS,
  settings: {
    ...FIELDS.settings,
    slug: {
      label: TITLES.slug,
      hint: "Part of the post’s address, which can’t be changed later. Leave empty to derive it from the title, with a number if another post has it.",
    },
  },
};

// In the API, a post's text and kind are one field, `markdown` or `html`, and times have another format.
const { kind: _kind, publishedAt: _publishedAt, ...SAME_SETTINGS } = FIELDS.settings;
const BODY_FIELDS: Fields = { ...FIELDS.title, ...SAME_SETTINGS };

type Content = Omit<Post, "id" | "contentHash" | "savedBy" | "updatedAt" | "createdAt" | "copy" | "blogId">;

function valuesOfPost(post: Content): FormValues {
  return {
    ...valuesOf(BODY_FIELDS, post),
    text: post.html ?? post.markdown ?? "",
    kind: post.html === null ? "markdown" : "html",
    publishedAt: minuteOf(post.publishedAt),
  };
}

/** Formats a time for a form field, in UTC. */
function minuteOf(time: Date | null): string {
  return time === null ? "" : time.toISOString().slice(0, 16);
}

/** Converts form values to the API's fields; untouched ones stay exactly as they are. */
function bodyOf({ publish, ...typed }: FormValues, post: Post | undefined) {
  const values = publish === undefined ? typed : { ...typed, status: "published" };
  const { kind, text = "", publishedAt = minuteOf(post?.publishedAt ?? null) } = values;
  const body = kind === "html" ? "html" : "markdown";
  const time = publishedAt === "" ? null : (toIso(publishedAt) ?? publishedAt);
  return {
    ...inputOf(postPatchBody, { fields: editedFields(values, post), values }),
    [body]: keepLineEnds(post?.html ?? post?.markdown ?? "", text),
    ...(publishedAt === minuteOf(post?.publishedAt ?? null) ? {} : { publishedAt: time }),
  };
}

/** The fields whose values differ from the saved ones as the form shows them. */
function editedFields(values: FormValues, post: Post | undefined): Fields {
  if (post === undefined) return BODY_FIELDS;
  const shown = valuesOf(BODY_FIELDS, post);
  const isEdited = ([name, { kind }]: [string, Field]) => {
    // Browsers drop line breaks from fields of one line.
    const inForm = (text = "") => (kind === "lines" ? text : text.replaceAll(/[\r\n]/g, ""));
    return inForm(values[name]) !== inForm(shown[name]);
  };
  return Object.fromEntries(Object.entries(BODY_FIELDS).filter(isEdited));
}

function toIso(minute: string): string | undefined {
  const time = new Date(`${minute}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Returns a post with the form's values for a preview, skipping values that can't be parsed yet. */
export function draftOf(post: Post, values: FormValues): Post {
  const { title = "", text = "", kind, excerpt, author, tags = "", coverImage = "", publishedAt = "" } = values;
  // A project's post refers to its cover by path.
  const { cover = URL.canParse(coverImage) ? coverImage : undefined } = values;
  const iso = toIso(publishedAt);
  return {
    ...post,
    title,
    html: kind === "html" ? text : null,
    markdown: kind === "html" ? null : text,
    excerpt: textOrNull(excerpt),
    author: textOrNull(author),
    tags: splitWords(tags),
    coverImage: textOrNull(cover),
    publishedAt: iso === undefined ? null : new Date(iso),
    status: "draft",
  };
}

async function findSavedPost(context: DashboardContext): Promise<DeskSubject> {
  const names = { blogName: paramOf(context, "blog"), slug: paramOf(context, "slug") };
  const { core, records } = context.var;
  const shown = await getPost(records, names);
  const { post, blog } = shown;
  const action = pathOf(shown);
  return {
    path: `${action}/edit`,
    action,
    history: `${action}/history`,
    pictures: `/blogs/${blog.slug}/pictures`,
    title: `Edit “${post.title}”`,
    parent: { title: "Post", path: action },
    subject: subjectOfPost(post),
    newPath: newPathOf(blog),
    note: noteOnFile(post),
    fields: FIELDS,
    values: valuesOfPost(post),
    savedAt: post.updatedAt,
    button: "Save",
    async save(values) {
      const patch = parseInput(postPatchBody, bodyOf(values, post));
      const change = { ...names, patch, preconditions: versionOf(values) };
      return savedAs(context, await write(context, (transaction) => patchPost(transaction, change)), "saved");
    },
    render: (values) => renderWholePost(core, { blog, post: draftOf(post, values) }),
    readVersion: (version) => readVersion(context, post, version),
  };
}

async function findNewPost(context: DashboardContext): Promise<DeskSubject> {
  const { core, records } = context.var;
  const blog = await getBlog(records, paramOf(context, "blog"));
  const path = newPathOf(blog);
  const empty = emptyPost(blog, records.now);
  return {
    path,
    action: `/blogs/${blog.slug}/posts`,
    pictures: `/blogs/${blog.slug}/pictures`,
    title: "New post",
    parent: { title: blog.name, path: `/blogs/${blog.slug}` },
    subject: `new:${blog.id}`,
    newPath: path,
    fields: NEW_FIELDS,
    values: { ...valuesOfPost(empty), slug: "" },
    savedAt: undefined,
    button: "Save post",
    async save(values) {
      const given = textOrNull(values["slug"]);
      const slug = given ?? slugFrom(values["title"] ?? "", "post");
      const body = parseInput(postCreateBody, { slug, ...bodyOf(values, undefined) });
      const create = given === null ? createTitledPost : createPost;
      const created = await write(context, (transaction) => create(transaction, blog.id, body));
      return savedAs(context, created, "post-created");
    },
    render: (values) => renderWholePost(core, { blog, post: draftOf(empty, values) }),
    readVersion: async () => undefined,
  };
}

export function emptyPost(blog: Blog, now: Date): Post {
  const none = { excerpt: null, coverImage: null, author: null, canonicalUrl: null, publishedAt: null, html: null };
  const ids = { id: "new", blogId: blog.id, slug: "new", copy: 0, contentHash: "", version: 0, savedBy: null };
  return { ...none, ...ids, title: "", status: "draft", tags: [], markdown: "", createdAt: now, updatedAt: now };
}

function newPathOf({ slug }: Blog): string {
  return `/blogs/${slug}/new`;
}

function pathOf({ blog, post }: BlogPost): string {
  return `/blogs/${blog.slug}/posts/${post.slug}`;
}

function savedAs({ var: { records } }: DashboardContext, saved: BlogPost, notice: string): Saved {
  const action = pathOf(saved);
  const version = String(saved.post.version);
  return {
    path: `${action}/edit`,
    action,
    version,
    subject: subjectOfPost(saved.post),
    next: `${action}?notice=${notice}`,
    shown: shownAs(saved, records),
    // Publishing without a date sets it.
    set: { publishedAt: minuteOf(saved.post.publishedAt) },
  };
}

function shownAs({ blog, post }: BlogPost, { now, addresses }: DashboardContext["var"]["records"]): Shown {
  const { slug, status, publishedAt } = post;
  if (isPublic(post, now)) return { kind: "public", url: postUrl(addresses, { blogSlug: blog.slug, slug }) };
  return status === "draft" || publishedAt === null ? { kind: "draft" } : { kind: "scheduled", from: publishedAt };
}

async function readVersion(context: DashboardContext, post: Post, version: string): Promise<FormValues | undefined> {
  const { database, accountId } = context.var.records;
  const former = await findRow(database, "formerVersion", { accountId, subject: subjectOfPost(post), version });
  if (former === undefined) return undefined;
  const { publishedAt, ...fields } = former.fields;
  const time = typeof publishedAt === "string" ? new Date(publishedAt) : null;
  return valuesOfPost({ ...post, ...fields, publishedAt: time });
}
