import type { PostCreateBody, PostPatchBody, PreviewLinkBody } from "../../contract/operations/blogs.ts";
import type { Blog } from "../store/blogs.ts";
import { forgetSubject, keepVersion } from "../store/editing.ts";
import { findPost, isPublic, type Post } from "../store/posts.ts";
import { deleteRecord, deleteRows, insertRow, saveRow } from "../store/rows.ts";
import { postUrl, previewUrl, type Addresses } from "./addresses.ts";
import { recordTextUses } from "./asset-uses.ts";
import { getBlog } from "./blogs.ts";
import { audit } from "./audit.ts";
import type { Context } from "./context.ts";
import { ProblemError } from "../http/problem.ts";
import { applyPatch, checkSlug, fieldProblem, found } from "./fields.ts";
import { checkPreconditions, type Preconditions } from "../http/messages.ts";
import { sha256 } from "../../base/hash.ts";
import { base62, RANDOM_BYTES } from "../../contract/api-key.ts";
import { DAY_MS } from "./time-range.ts";

export interface BlogPost {
  readonly blog: Blog;
  readonly post: Post;
}

export interface PostWritten extends BlogPost {
  readonly outcome: "created" | "existing";
}

/**
 * Creates a post. An identical post is returned unchanged; another one with the same slug throws `slug_taken`, so that
 * a mistyped slug never overwrites a post. (`quirks.repeatedPost` changes this.)
 */
export async function createPost(context: Context, blogName: string, body: PostCreateBody): Promise<PostWritten> {
  const blog = await getBlog(context, blogName);
  const slug = checkSlug(body.slug, "/body/slug");
  const fields = createFields(context, { ...body, slug });
  const existing = await findPost(context.database, { blogId: blog.id, slug });
  if (existing === undefined) return await insertPost(context, { blog, fields, copy: 0 });
  switch (context.quirks.repeatedPost) {
    case "suffix":
      return await insertPost(context, {
        blog,
        fields: { ...fields, slug: await freeSlug(context, existing) },
        copy: 0,
      });
    case "duplicate":
      return await insertPost(context, { blog, fields, copy: existing.copy + 1 });
    case "upsert":
      return { blog, post: await changePost(context, existing, fields), outcome: "existing" };
    case "reject": {
      const { publishedAt } = body.publishedAt === undefined ? existing : fields;
      if (isSamePost(existing, { ...fields, publishedAt })) return { blog, post: existing, outcome: "existing" };
      throw slugTaken(context, { blog, post: existing });
    }
  }
}

/**
 * Creates a post whose slug comes from its title: the next free one if another post has it. An identical post is
 * returned unchanged.
 */
export async function createTitledPost(context: Context, blogName: string, body: PostCreateBody): Promise<PostWritten> {
  for (let number = 1; ; number++) {
    try {
      const slug = number === 1 ? body.slug : `${body.slug}-${number}`;
      return await createPost(context, blogName, { ...body, slug });
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== "slug_taken") throw error;
    }
  }
}

export interface PostChange {
  readonly blogName: string;
  readonly slug: string;
  readonly patch: PostPatchBody;
  readonly preconditions: Preconditions;
}

/** Changes the given fields; `html` and `markdown` replace each other. */
export async function patchPost(context: Context, change: PostChange): Promise<BlogPost> {
  const { blog, post } = await getPost(context, change);
  checkPreconditions(change.preconditions, post);
  return { blog, post: await changePost(context, post, patchFields(context, post, change.patch)) };
}

export async function removePost(context: Context, removal: Omit<PostChange, "patch">): Promise<void> {
  const { blog, post } = await getPost(context, removal);
  checkPreconditions(removal.preconditions, post);
  await deleteRecord(context.database, "post", { id: post.id });
  await forgetSubject(context.database, { accountId: context.accountId, subject: subjectOfPost(post) });
  await audit(context, { action: "post.deleted", subject: `${blog.slug}/${post.slug}`, subjectId: post.id });
}

export async function getPost(
  context: Context,
  { blogName, slug }: { readonly blogName: string; readonly slug: string },
): Promise<BlogPost> {
  const blog = await getBlog(context, blogName);
  return { blog, post: found(await findPost(context.database, { blogId: blog.id, slug }), "post_not_found") };
}

async function insertPost(
  context: Context,
  { blog, fields, copy }: { readonly blog: Blog; readonly fields: PostFields; readonly copy: number },
): Promise<PostWritten> {
  const { newId, now } = context;
  const post: Post = {
    id: newId("po"),
    blogId: blog.id,
    copy,
    ...fields,
    contentHash: hashOf(fields),
    version: 1,
    savedBy: context.actor?.userId ?? null,
    createdAt: now,
    updatedAt: now,
  };
  await storePost(context, post);
  return { blog, post, outcome: "created" };
}

async function changePost(context: Context, post: Post, fields: PostFields): Promise<Post> {
  if (isSamePost(post, fields)) return post;
  const changed: Post = {
    ...post,
    ...fields,
    contentHash: hashOf(fields),
    version: post.version + 1,
    savedBy: context.actor?.userId ?? null,
    updatedAt: context.now,
  };
  const { id: _id, contentHash: _hash, savedBy, updatedAt: savedAt, version, ...former } = post;
  await keepVersion(context.database, {
    accountId: context.accountId,
    subject: subjectOfPost(post),
    version: String(version),
    fields: former,
    savedBy,
    savedAt,
  });
  await storePost(context, changed);
  // A post that was taken back isn't shown any longer to those who got a link before.
  if (isPublic(post, context.now) && !isPublic(changed, context.now))
    await deleteRows(context.database, "previewLink", { postId: post.id });
  return changed;
}

/** Returns the subject of a post's working copies and versions. */
export function subjectOfPost({ id }: Pick<Post, "id">): string {
  return `post:${id}`;
}

async function storePost(context: Context, post: Post): Promise<void> {
  await saveRow(context.database, "post", post);
  const texts = [post.html, post.markdown, post.excerpt, post.coverImage];
  await recordTextUses(context, { kind: "post", id: post.id }, texts);
}

async function freeSlug({ database }: Context, { blogId, slug }: Post): Promise<string> {
  for (let number = 2; ; number++) {
    const candidate = `${slug}-${number}`;
    if ((await findPost(database, { blogId, slug: candidate })) === undefined) return candidate;
  }
}

function slugTaken({ addresses }: Context, { blog, post }: BlogPost): ProblemError {
  return new ProblemError("slug_taken", {
    detail: `This blog already has a post "${post.slug}".`,
    errors: [{ pointer: "/body/slug", detail: "is taken" }],
    members: {
      existing: {
        id: post.id,
        slug: post.slug,
        url: postUrl(addresses, { blogSlug: blog.slug, slug: post.slug }),
        contentHash: post.contentHash,
      },
    },
  });
}

type PostFields = Omit<
  Post,
  "id" | "blogId" | "copy" | "contentHash" | "version" | "createdAt" | "updatedAt" | "savedBy"
>;

const EMPTY_POST = { excerpt: null, coverImage: null, tags: [], author: null, canonicalUrl: null };

/** Returns the fields of a new post. Throws `post_too_large`. */
function createFields(context: Context, body: PostCreateBody): PostFields {
  if (body.html === undefined && body.markdown === undefined) throw fieldProblem("invalid_body", "html", "is missing");
  const { slug, title, status = "published" } = body;
  const empty: PostFields = { ...EMPTY_POST, slug, title, status, publishedAt: null, html: null, markdown: null };
  return patchFields(context, empty, body);
}

/** Returns a post's fields with the given ones replaced. Throws `post_too_large`. */
function patchFields(context: Context, known: PostFields, patch: PostPatchBody): PostFields {
  const content = contentOf({ ...patch, html: storedHtml(context, patch.html) });
  const publishedAt = publishedAtOf(context, known, patch);
  const fields = { ...applyPatch(known, { ...patch, ...content, publishedAt: undefined }), publishedAt };
  checkSize(context, fields);
  return fields;
}

/** Hashes everything that a client sends except the publish date, which the service may have set. */
function hashOf(fields: PostFields): string {
  const { slug, title, status, excerpt, coverImage, tags, author, canonicalUrl, html, markdown } = fields;
  return sha256(JSON.stringify([slug, title, status, excerpt, coverImage, tags, author, canonicalUrl, html, markdown]));
}

function isSamePost(post: Post, fields: PostFields): boolean {
  return post.contentHash === hashOf(fields) && post.publishedAt?.getTime() === fields.publishedAt?.getTime();
}

function publishedAtOf({ now }: Context, known: PostFields, patch: PostPatchBody): Date | null {
  const { status = known.status, publishedAt: given } = patch;
  if (typeof given === "string") return new Date(given);
  // `null` removes the date.
  const kept = given === null ? null : known.publishedAt;
  return kept ?? (status === "published" ? now : null);
}

function storedHtml({ quirks }: Context, html: string | undefined): string | undefined {
  if (html === undefined || quirks.postHtml === "kept") return html;
  return html.replaceAll(/<span hidden[^>]*><\/span>/g, "").replaceAll(/ data-[a-z-]+="[^"]*"/g, "");
}

function contentOf({ html, markdown }: Pick<PostPatchBody, "html" | "markdown">) {
  if (html !== undefined) return { html, markdown: null };
  return markdown === undefined ? {} : { html: null, markdown };
}

function checkSize({ limits }: Context, { html, markdown }: PostFields): void {
  const bytes = Buffer.byteLength(html ?? markdown ?? "");
  if (bytes <= limits.maxPostBytes) return;
  throw new ProblemError("post_too_large", {
    detail: `The post has ${bytes} bytes; the maximum is ${limits.maxPostBytes}.`,
  });
}

const DEFAULT_DAYS = 7;

export interface PreviewLinkRequest extends PreviewLinkBody {
  readonly blogName: string;
  readonly slug: string;
}

/**
 * Creates a link that shows the current version of a post to anyone who has it, until the link expires or the post is
 * deleted. Only a hash of its token is stored. Doesn't change the post. Throws `post_not_found`.
 */
export async function createPreviewLink(
  context: Context,
  { blogName, slug, expiresInDays = DEFAULT_DAYS }: PreviewLinkRequest,
): Promise<{ readonly url: string; readonly expiresAt: Date }> {
  const { database, addresses, now, random } = context;
  const { post } = await getPost(context, { blogName, slug });
  const token = `pv_${base62(random(RANDOM_BYTES))}`;
  const expiresAt = new Date(now.getTime() + expiresInDays * DAY_MS);
  await insertRow(database, "previewLink", { hash: sha256(token), postId: post.id, expiresAt });
  return { url: previewUrl(addresses, token), expiresAt };
}

/** Revokes all preview links of a post. Throws `post_not_found`. */
export async function revokePreviewLinks(
  context: Context,
  names: { readonly blogName: string; readonly slug: string },
): Promise<void> {
  const { post } = await getPost(context, names);
  await deleteRows(context.database, "previewLink", { postId: post.id });
}

/** Returns the canonical URL of a post: where it was first published, if elsewhere. */
export function originalUrl(addresses: Addresses, { blog, post }: BlogPost): string {
  return post.canonicalUrl ?? postUrl(addresses, { blogSlug: blog.slug, slug: post.slug });
}
