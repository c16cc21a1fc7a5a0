import * as z from "zod";
import { documentOf, empty, json, many, one, type Operation } from "../route.ts";
import { previewLinkRecord } from "../extension-records.ts";
import * as query from "../queries.ts";
import {
  assetRecord,
  blogRecord,
  brandColorSchema,
  brandFontSchema,
  brandKitRecord,
  brandLogoSchema,
  pageRecord,
  postRecord,
  siteRecord,
} from "../records.ts";
import * as body from "../requests.ts";

/** Pages, addressed by slug. */
export const CONTENT_OPERATIONS = {
  "pages.list": {
    scope: "pages:read",
    query: query.pagesQuery,
    answers: { 200: many(pageRecord) },
    problems: [],
  },
  "pages.get": {
    scope: "pages:read",
    query: query.pageQuery,
    answers: { 200: one(pageRecord) },
    problems: ["page_not_found"],
  },
  "pages.put": {
    scope: "pages:write",
    query: query.noQuery,
    body: { kind: "json-or-multipart", file: "html", schema: body.pagePutBody },
    answers: { 200: one(pageRecord), 201: one(pageRecord) },
    problems: [
      "invalid_slug",
      "invalid_html",
      "page_too_large",
      "version_mismatch",
      "already_exists",
      "unsupported_media_type",
      "limit_reached",
    ],
  },
  "pages.create": {
    scope: "pages:write",
    query: query.noQuery,
    body: { kind: "multipart", file: "html", schema: body.pageCreateBody },
    answers: { 201: one(pageRecord) },
    problems: [
      "slug_taken",
      "invalid_slug",
      "invalid_html",
      "page_too_large",
      "unsupported_media_type",
      "limit_reached",
    ],
  },
  "pages.delete": {
    scope: "pages:write",
    query: query.noQuery,
    answers: { 204: empty },
    problems: ["page_not_found", "version_mismatch"],
  },
  "pages.raw": {
    scope: undefined,
    query: query.noQuery,
    answers: { 200: documentOf("text/html") },
    problems: ["page_not_found"],
  },

  // Sites, which group pages.
  "sites.list": {
    scope: "sites:read",
    query: query.listQuery,
    answers: { 200: many(siteRecord) },
    problems: [],
  },
  "sites.create": {
    scope: "sites:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.siteCreateBody },
    answers: { 200: one(siteRecord), 201: one(siteRecord) },
    problems: ["slug_taken", "invalid_slug", "kit_not_found", "limit_reached"],
  },
  "sites.get": {
    scope: "sites:read",
    query: query.noQuery,
    answers: { 200: one(siteRecord) },
    problems: ["site_not_found"],
  },
  "sites.patch": {
    scope: "sites:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.sitePatchBody },
    answers: { 200: one(siteRecord) },
    problems: ["site_not_found", "slug_taken", "version_mismatch", "invalid_slug", "kit_not_found"],
  },
  "sites.put": {
    scope: "sites:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.siteCreateBody },
    answers: { 200: one(siteRecord) },
    problems: ["site_not_found", "slug_taken", "version_mismatch", "invalid_slug", "kit_not_found"],
  },
  "sites.delete": {
    scope: "sites:write",
    query: query.siteDeleteQuery,
    answers: { 204: empty },
    problems: ["site_not_found", "site_has_domain", "version_mismatch"],
  },

  // The library of images and files.
  "assets.list": {
    scope: "library:read",
    query: query.assetsQuery,
    answers: { 200: many(assetRecord) },
    problems: [],
  },
  "assets.upload": {
    scope: "library:write",
    query: query.noQuery,
    body: { kind: "multipart", file: "file", schema: body.assetUploadFields },
    answers: { 200: one(assetRecord), 201: one(assetRecord) },
    problems: ["asset_too_large", "unsupported_asset_type", "image_unreadable", "image_too_many_pixels"],
  },
  "assets.uploadImages": {
    scope: "library:write",
    query: query.noQuery,
    body: { kind: "multipart", file: "file", schema: body.assetUploadFields },
    answers: {
      200: json(z.object({ data: z.array(assetRecord.minimum.loose()) })),
      201: json(z.object({ data: z.array(assetRecord.minimum.loose()) })),
    },
    problems: ["asset_too_large", "unsupported_asset_type", "image_unreadable", "image_too_many_pixels"],
  },
  "assets.import": {
    scope: "library:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.assetImportBody },
    answers: { 200: one(assetRecord), 201: one(assetRecord) },
    problems: ["import_refused", "import_failed", "asset_too_large", "unsupported_asset_type"],
  },
  "assets.patch": {
    scope: "library:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.assetPatchBody },
    answers: { 200: one(assetRecord) },
    problems: ["asset_not_found"],
  },
  "assets.delete": {
    scope: "library:write",
    query: query.assetDeleteQuery,
    answers: { 204: empty },
    problems: ["asset_not_found", "asset_in_use"],
  },

  // Blogs and their posts. Changing, deleting and previewing a post are extensions: neither route set lists them.
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

  // Brand kits: colors, fonts and logos.
  "brandKits.list": {
    scope: "brand:read",
    query: query.listQuery,
    answers: { 200: many(brandKitRecord) },
    problems: [],
  },
  "brandKits.create": {
    scope: "brand:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.brandKitBody },
    answers: { 201: one(brandKitRecord) },
    problems: [],
  },
  "brandKits.extract": {
    scope: "brand:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.brandKitExtractBody },
    answers: {
      200: json(
        z.looseObject({
          name: z.string(),
          colors: z.array(brandColorSchema),
          fonts: z.array(brandFontSchema),
          logos: z.array(brandLogoSchema),
        }),
      ),
      201: one(brandKitRecord),
    },
    problems: ["extract_refused", "extract_failed"],
  },
  "brandKits.get": {
    scope: "brand:read",
    query: query.noQuery,
    answers: { 200: one(brandKitRecord) },
    problems: ["kit_not_found"],
  },
  "brandKits.put": {
    scope: "brand:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.brandKitBody },
    answers: { 200: one(brandKitRecord) },
    problems: ["kit_not_found", "version_mismatch"],
  },
  "brandKits.delete": {
    scope: "brand:write",
    query: query.noQuery,
    answers: { 204: empty },
    problems: ["kit_not_found"],
  },
} as const satisfies Readonly<Record<string, Operation>>;
