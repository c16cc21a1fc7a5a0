import { empty, many, one } from "../answers.ts";
import * as query from "../queries.ts";
import { previewLinkRecord } from "../extension-records.ts";
import { blogRecord, postRecord } from "../records.ts";
import * as body from "../requests.ts";
import type { Operation } from "../route.ts";

/** Blogs and their posts. Changing, deleting and previewing a post are extensions: neither route set lists them. */
export const BLOGS_OPERATIONS = {
  "blogs.list": {
    scope: "blogs:read",
    query: query.listQuery,
    answers: { 200: many(blogRecord) },
    problems: [],
  },
  "blogs.create": {
    scope: "blogs:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.blogCreateBody },
    answers: { 200: one(blogRecord), 201: one(blogRecord) },
    problems: ["invalid_slug", "site_not_found"],
  },
  "posts.list": {
    scope: "blogs:read",
    query: query.postsQuery,
    answers: { 200: many(postRecord) },
    problems: ["blog_not_found"],
  },
  "posts.create": {
    scope: "blogs:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.postCreateBody },
    answers: { 200: one(postRecord), 201: one(postRecord) },
    problems: ["blog_not_found", "slug_taken", "post_too_large", "invalid_slug"],
  },
  "posts.patch": {
    scope: "blogs:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.postPatchBody },
    answers: { 200: one(postRecord) },
    problems: ["blog_not_found", "post_not_found", "post_too_large", "version_mismatch"],
  },
  "posts.delete": {
    scope: "blogs:write",
    query: query.noQuery,
    answers: { 204: empty },
    problems: ["blog_not_found", "post_not_found", "version_mismatch"],
  },
  "previewLinks.create": {
    scope: "blogs:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.previewLinkBody },
    answers: { 201: one(previewLinkRecord) },
    problems: ["blog_not_found", "post_not_found"],
  },
} as const satisfies Readonly<Record<string, Operation>>;
