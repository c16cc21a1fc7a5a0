import * as z from "zod";
import {
  address,
  alt,
  bodyOf,
  flag,
  listQuery,
  moment,
  name,
  ofSite,
  paging,
  slug,
  tags,
  text,
  title,
} from "../inputs.ts";
import { LIMITS } from "../limits.ts";
import {
  assetRecord,
  brandColorSchema,
  brandFontSchema,
  brandKitRecord,
  brandLogoSchema,
  pageRecord,
  PAGE_STATUSES,
  siteRecord,
} from "../records.ts";
import { documentOf, empty, json, many, one, type OperationRows } from "../route.ts";

export const pagePutBody = bodyOf(pageRecord, {
  html: z.string(),
  title: title.optional(),
  status: z.enum(PAGE_STATUSES).optional(),
  siteId: z.string().nullish(),
  description: z.string().max(1000).nullish(),
});

export const pageCreateBody = bodyOf(pageRecord, {
  html: z.string(),
  title,
  slug,
  siteId: z.string().nullish(),
});

/** What can be changed of a page without its HTML. */
export const pagePatchBody = bodyOf(pageRecord, {
  title: z.string().trim().min(1).max(LIMITS.maxTitleLength).optional(),
  description: z.string().max(1000).nullish(),
  status: z.enum(PAGE_STATUSES).optional(),
  siteId: z.string().nullish(),
});

export const siteCreateBody = bodyOf(siteRecord, {
  name,
  slug: slug.optional(),
  homeSlug: slug.nullish(),
  basePath: z
    .string()
    .max(255)
    .regex(/^(?:\/[^/?#\s]+)+$/, "is a path without a slash at its end, such as /shop")
    .nullish(),
  brandKitId: z.string().nullish(),
});

export const sitePatchBody = siteCreateBody.partial();

export const assetUploadFields = bodyOf(assetRecord, {
  name: z.string().max(255).optional(),
  alt: alt.optional(),
  tags: tags.optional(),
});

export const assetPatchBody = bodyOf(assetRecord, {
  name: z.string().min(1).max(255).optional(),
  alt: alt.nullish(),
  tags: tags.optional(),
});

export const assetImportBody = bodyOf(assetRecord, {
  url: address.describe("Public http or https address to fetch."),
  name: z.string().max(255).optional(),
  alt: alt.optional(),
});

export const brandKitBody = bodyOf(brandKitRecord, {
  name,
  colors: z.array(brandColorSchema).max(100).optional(),
  fonts: z.array(brandFontSchema).max(50).optional(),
  logos: z.array(brandLogoSchema).max(50).optional(),
  sourceUrl: address.nullish(),
});

export const brandKitExtractBody = bodyOf(brandKitRecord, {
  url: address.describe("Public http or https address of a website."),
  name: name.optional(),
  save: z.boolean().optional().describe("Keep it as a brand kit. Default: false."),
});

/** Pages, addressed by slug, with their sites, the library and brand kits. */
export const CONTENT_OPERATIONS = {
  "pages.list": {
    scope: "pages:read",
    query: z.strictObject({
      ...paging,
      status: z.enum(PAGE_STATUSES).optional().describe("Only pages with this status."),
      siteId: ofSite,
      q: text.describe("Text to search for in slugs and titles."),
      updatedSince: moment.describe("Only pages that changed since then, ISO 8601."),
      fields: text.describe("Names of the fields to return, separated by commas. Default: all."),
    }),
    answers: { 200: many(pageRecord) },
  },
  "pages.get": {
    scope: "pages:read",
    query: z.strictObject({ include: z.literal("html").optional().describe("Return the HTML too.") }),
    answers: { 200: one(pageRecord) },
    problems: ["page_not_found"],
  },
  "pages.put": {
    scope: "pages:write",
    body: { kind: "json-or-multipart", file: "html", schema: pagePutBody },
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
  // Changing a page without its HTML is an extension.
  "pages.patch": {
    scope: "pages:write",
    body: { kind: "json", schema: pagePatchBody },
    answers: { 200: one(pageRecord) },
    problems: ["page_not_found", "version_mismatch"],
  },
  "pages.create": {
    scope: "pages:write",
    body: { kind: "multipart", file: "html", schema: pageCreateBody },
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
    answers: { 204: empty },
    problems: ["page_not_found", "version_mismatch"],
  },
  "pages.raw": {
    scope: undefined,
    answers: { 200: documentOf("text/html") },
    problems: ["page_not_found"],
  },

  // Sites, which group pages.
  "sites.list": {
    scope: "sites:read",
    query: listQuery,
    answers: { 200: many(siteRecord) },
  },
  "sites.create": {
    scope: "sites:write",
    body: { kind: "json", schema: siteCreateBody },
    answers: { 200: one(siteRecord), 201: one(siteRecord) },
    problems: ["slug_taken", "invalid_slug", "kit_not_found", "limit_reached"],
  },
  "sites.get": {
    scope: "sites:read",
    answers: { 200: one(siteRecord) },
    problems: ["site_not_found"],
  },
  "sites.patch": {
    scope: "sites:write",
    body: { kind: "json", schema: sitePatchBody },
    answers: { 200: one(siteRecord) },
    problems: ["site_not_found", "slug_taken", "version_mismatch", "invalid_slug", "kit_not_found"],
  },
  "sites.put": {
    scope: "sites:write",
    body: { kind: "json", schema: siteCreateBody },
    answers: { 200: one(siteRecord) },
    problems: ["site_not_found", "slug_taken", "version_mismatch", "invalid_slug", "kit_not_found"],
  },
  "sites.delete": {
    scope: "sites:write",
    query: z.strictObject({
      pages: z.enum(["keep", "delete"]).optional().describe("What happens to the pages of the site. Default: keep."),
    }),
    answers: { 204: empty },
    problems: ["site_not_found", "site_has_domain", "version_mismatch"],
  },

  // The library of images and files.
  "assets.list": {
    scope: "library:read",
    query: z.strictObject({
      ...paging,
      q: text.describe("Text to search for in names."),
      type: text.describe("Content type, or its first part: image/png or image."),
      hash: text.describe("SHA-256 of the bytes in hexadecimal digits, to find out whether a file exists."),
    }),
    answers: { 200: many(assetRecord) },
  },
  "assets.upload": {
    scope: "library:write",
    body: { kind: "multipart", file: "file", schema: assetUploadFields },
    answers: { 200: one(assetRecord), 201: one(assetRecord) },
    problems: ["asset_too_large", "unsupported_asset_type", "image_unreadable", "image_too_many_pixels"],
  },
  "assets.uploadImages": {
    scope: "library:write",
    body: { kind: "multipart", file: "file", schema: assetUploadFields },
    answers: {
      200: json(z.object({ data: z.array(assetRecord.minimum.loose()) })),
      201: json(z.object({ data: z.array(assetRecord.minimum.loose()) })),
    },
    problems: ["asset_too_large", "unsupported_asset_type", "image_unreadable", "image_too_many_pixels"],
  },
  "assets.import": {
    scope: "library:write",
    body: { kind: "json", schema: assetImportBody },
    answers: { 200: one(assetRecord), 201: one(assetRecord) },
    problems: ["import_refused", "import_failed", "asset_too_large", "unsupported_asset_type"],
  },
  "assets.patch": {
    scope: "library:write",
    body: { kind: "json", schema: assetPatchBody },
    answers: { 200: one(assetRecord) },
    problems: ["asset_not_found"],
  },
  "assets.delete": {
    scope: "library:write",
    query: z.strictObject({
      force: flag.describe("Delete the file even if it is in use. Default: false."),
    }),
    answers: { 204: empty },
    problems: ["asset_not_found", "asset_in_use"],
  },

  // Brand kits: colors, fonts and logos.
  "brandKits.list": {
    scope: "brand:read",
    query: listQuery,
    answers: { 200: many(brandKitRecord) },
  },
  "brandKits.create": {
    scope: "brand:write",
    body: { kind: "json", schema: brandKitBody },
    answers: { 201: one(brandKitRecord) },
  },
  "brandKits.extract": {
    scope: "brand:write",
    body: { kind: "json", schema: brandKitExtractBody },
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
    answers: { 200: one(brandKitRecord) },
    problems: ["kit_not_found"],
  },
  "brandKits.put": {
    scope: "brand:write",
    body: { kind: "json", schema: brandKitBody },
    answers: { 200: one(brandKitRecord) },
    problems: ["kit_not_found", "version_mismatch"],
  },
  "brandKits.delete": {
    scope: "brand:write",
    answers: { 204: empty },
    problems: ["kit_not_found"],
  },
} as const satisfies OperationRows;

export type PagePatchBody = z.infer<typeof pagePatchBody>;
export type SiteCreateBody = z.infer<typeof siteCreateBody>;
export type SitePatchBody = z.infer<typeof sitePatchBody>;
export type AssetUploadFields = z.infer<typeof assetUploadFields>;
export type AssetPatchBody = z.infer<typeof assetPatchBody>;
export type AssetImportBody = z.infer<typeof assetImportBody>;
export type BrandKitBody = z.infer<typeof brandKitBody>;
export type BrandKitExtractBody = z.infer<typeof brandKitExtractBody>;

/** What a site is replaced with: every field of the body that is known of it. */
export function siteBodyOf({ name = "Site", ...site }: Partial<SiteCreateBody>): SiteCreateBody {
  const { slug, homeSlug, basePath, brandKitId } = site;
  return { name, slug, homeSlug, basePath, brandKitId };
}
