import { sha256 } from "../../base/hash.ts";
import type { PostCreateBody, PostPatchBody } from "../../contract/requests.ts";
import type { Post, PostContent, PostSummary } from "../store/posts.ts";
import type { Context } from "./context.ts";
import { ProblemError } from "./problem-error.ts";

/** All that a client decides of a post. */
export type PostFields = Omit<
  PostSummary,
  "id" | "blogId" | "copy" | "contentHash" | "version" | "createdAt" | "updatedAt"
> &
  PostContent;

/** The fields of a post that is created; throws `post_too_large`. */
export function fieldsOf(context: Context, body: PostCreateBody): PostFields {
  const status = body.status ?? "published";
  const content = contentOf({ ...body, html: storedHtml(context, body.html) });
  if (content === undefined)
    throw new ProblemError("invalid_body", { errors: [{ pointer: "/body/html", detail: "is missing" }] });
  const fields: PostFields = {
    slug: body.slug,
    title: body.title,
    status,
    publishedAt: publishedAtOf(context, { status, given: body.publishedAt, known: null }),
    excerpt: body.excerpt ?? null,
    coverImage: body.coverImage ?? null,
    tags: body.tags ?? [],
    author: body.author ?? null,
    canonicalUrl: body.canonicalUrl ?? null,
    ...content,
  };
  checkSize(context, fields);
  return fields;
}

/** The fields of a post with those that a request gives in place of its own; throws `post_too_large`. */
export function patchedFields(context: Context, post: Post, patch: PostPatchBody): PostFields {
  const status = patch.status ?? post.status;
  const fields: PostFields = {
    slug: post.slug,
    title: patch.title ?? post.title,
    status,
    publishedAt: publishedAtOf(context, { status, given: patch.publishedAt, known: post.publishedAt }),
    excerpt: patch.excerpt === undefined ? post.excerpt : patch.excerpt,
    coverImage: patch.coverImage === undefined ? post.coverImage : patch.coverImage,
    tags: patch.tags ?? post.tags,
    author: patch.author === undefined ? post.author : patch.author,
    canonicalUrl: patch.canonicalUrl === undefined ? post.canonicalUrl : patch.canonicalUrl,
    ...(contentOf({ ...patch, html: storedHtml(context, patch.html) }) ?? toContent(post)),
  };
  checkSize(context, fields);
  return fields;
}

/** The hash of all that a client sends, except the time of publishing, which the service may have set. */
export function hashOf(fields: PostFields): string {
  const { slug, title, status, excerpt, coverImage, tags, author, canonicalUrl, html, markdown } = fields;
  return sha256(JSON.stringify([slug, title, status, excerpt, coverImage, tags, author, canonicalUrl, html, markdown]));
}

/** Whether a post holds exactly these fields. */
export function isSamePost(post: Post, fields: PostFields): boolean {
  return post.contentHash === hashOf(fields) && post.publishedAt?.getTime() === fields.publishedAt?.getTime();
}

interface PublishedAt {
  readonly status: "draft" | "published";
  /** What the request says: `null` takes the time away. */
  readonly given: string | null | undefined;
  readonly known: Date | null;
}

function publishedAtOf({ now }: Context, { status, given, known }: PublishedAt): Date | null {
  if (typeof given === "string") return new Date(given);
  const kept = given === null ? null : known;
  return kept ?? (status === "published" ? now : null);
}

function storedHtml({ quirks }: Context, html: string | undefined): string | undefined {
  if (html === undefined || quirks.postHtml === "kept") return html;
  return html.replaceAll(/<span hidden[^>]*><\/span>/g, "").replaceAll(/ data-[a-z-]+="[^"]*"/g, "");
}

function contentOf({ html, markdown }: Pick<PostPatchBody, "html" | "markdown">): PostContent | undefined {
  if (html !== undefined) return { html, markdown: null };
  return markdown === undefined ? undefined : { html: null, markdown };
}

function toContent(post: Post): PostContent {
  return post.html === null ? { html: null, markdown: post.markdown } : { html: post.html, markdown: null };
}

function checkSize({ limits }: Context, { html, markdown }: PostFields): void {
  const bytes = Buffer.byteLength(html ?? markdown ?? "");
  if (bytes <= limits.maxPostBytes) return;
  throw new ProblemError("post_too_large", {
    detail: `The post has ${bytes} bytes, ${limits.maxPostBytes} are allowed.`,
  });
}
