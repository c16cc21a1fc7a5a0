import * as z from "zod";
import { previewLinkRecord } from "../extension-records.ts";
import { bodyOf, listQuery, name, paging, shownAddress, slug, tags, text } from "../inputs.ts";
import { LIMITS } from "../limits.ts";
import { blogRecord, postRecord, POST_STATUSES } from "../records.ts";
import { empty, many, one, type OperationRows } from "../route.ts";

export const blogCreateBody = bodyOf(blogRecord, {
  name,
  slug: slug.optional(),
  description: z.string().max(1000).nullish(),
  siteId: z.string().nullish(),
  language: z.string().max(100).nullish(),
});

const postFields = {
  title: z.string().trim().min(1).max(LIMITS.maxTitleLength),
  html: z.string().optional(),
  markdown: z.string().optional(),
  excerpt: z.string().max(2000).nullish(),
  coverImage: shownAddress.nullish(),
  tags: tags.optional(),
  author: z.string().max(200).nullish(),
  status: z.enum(POST_STATUSES).optional(),
  publishedAt: z.iso.datetime({ offset: true }).nullish(),
  canonicalUrl: shownAddress.nullish(),
};

export const postCreateBody = bodyOf(postRecord, { slug, ...postFields }).refine(
  (post) => (post.html === undefined) !== (post.markdown === undefined),
  {
    message: "exactly one of html and markdown is required",
    path: ["html"],
  },
);

export const postPatchBody = bodyOf(postRecord, postFields)
  .partial()
  .refine((post) => post.html === undefined || post.markdown === undefined, {
    message: "only one of html and markdown is allowed",
    path: ["html"],
  });

/** Longest validity of a preview link, in days. */
const MAX_PREVIEW_DAYS = 30;

export const previewLinkBody = z.object({
  expiresInDays: z
    .int()
    .min(1)
    .max(MAX_PREVIEW_DAYS)
    .optional()
    .describe("How many days the link works, 1 to 30. Default: 7."),
});

/** Blogs and their posts. Changing, deleting and previewing a post are extensions: neither route set has them. */
export const BLOG_OPERATIONS = {
  "blogs.list": {
    summary: "List blogs",
    description: "Blogs, newest first.",
    scope: "blogs:read",
    query: listQuery,
    answers: { 200: many(blogRecord) },
  },
  "blogs.create": {
    summary: "Create a blog",
    description: "If a blog with this slug exists, the given fields are applied to it.",
    scope: "blogs:write",
    body: { kind: "json", schema: blogCreateBody },
    answers: { 200: one(blogRecord), 201: one(blogRecord) },
    problems: ["invalid_slug", "site_not_found"],
  },
  "posts.list": {
    summary: "List posts",
    description: "Posts of a blog, newest first, without their text unless `include` is `content`.",
    scope: "blogs:read",
    query: z.strictObject({
      ...paging,
      status: z.enum(POST_STATUSES).optional().describe("Only posts with this status."),
      include: z.literal("content").optional().describe("Return the bodies too."),
      slug: text.describe("Only the post with this slug."),
    }),
    answers: { 200: many(postRecord) },
    problems: ["blog_not_found"],
  },
  "posts.create": {
    summary: "Create a post",
    description:
      "Publishes the post unless `status` is `draft`. Requires either `markdown` or `html`. Never replaces an existing post.",
    scope: "blogs:write",
    body: { kind: "json", schema: postCreateBody },
    answers: { 200: one(postRecord), 201: one(postRecord) },
    problems: ["blog_not_found", "slug_taken", "post_too_large", "invalid_slug"],
  },
  "posts.patch": {
    summary: "Change a post",
    description: "Changes the given fields and keeps the others.",
    scope: "blogs:write",
    body: { kind: "json", schema: postPatchBody },
    answers: { 200: one(postRecord) },
    problems: ["blog_not_found", "post_not_found", "post_too_large", "version_mismatch"],
  },
  "posts.delete": {
    summary: "Delete a post",
    scope: "blogs:write",
    answers: { 204: empty },
    problems: ["blog_not_found", "post_not_found", "version_mismatch"],
  },
  "previewLinks.create": {
    summary: "Create a preview link",
    description: "A link that shows an unpublished post to anyone who has the link, until it expires.",
    scope: "blogs:write",
    body: { kind: "json", schema: previewLinkBody },
    answers: { 201: one(previewLinkRecord) },
    problems: ["blog_not_found", "post_not_found"],
  },
  "previewLinks.delete": {
    summary: "Revoke the preview links of a post",
    description: "All of them stop working at once.",
    scope: "blogs:write",
    answers: { 204: empty },
    problems: ["blog_not_found", "post_not_found"],
  },
} as const satisfies OperationRows;

export type BlogCreateBody = z.infer<typeof blogCreateBody>;
export type PostCreateBody = z.infer<typeof postCreateBody>;
export type PostPatchBody = z.infer<typeof postPatchBody>;
export type PreviewLinkBody = z.infer<typeof previewLinkBody>;
