import { brandColorSchema, brandFontSchema, brandFrameSchema, brandLogoSchema } from "../brand-parts.ts";
import * as z from "zod";
import { address, bodyOf, listQuery, moment, name, ofSite, paging, slug, text, title } from "../inputs.ts";
import { LIMITS } from "../limits.ts";
import { brandKitRecord, pageRecord, PAGE_STATUSES, siteRecord } from "../records.ts";
import { brandDesignSchema } from "../brand-design.ts";
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

/** What can be changed about a page without sending its HTML. */
export const pagePatchBody = bodyOf(pageRecord, {
  title: z.string().trim().min(1).max(LIMITS.maxTitleLength).optional(),
  description: z.string().max(1000).nullish(),
  status: z.enum(PAGE_STATUSES).optional(),
  siteId: z.string().nullish(),
});

/** Replacements in the HTML of a page, in order. */
export const pageEditBody = z.object({
  edits: z
    .array(
      z.object({
        find: z.string().min(1).describe("Text to replace, exactly as in the HTML. It must occur only once."),
        replace: z.string().describe("Text to put in its place."),
        all: z.boolean().optional().describe("Replace every occurrence. Default: false."),
      }),
    )
    .min(1)
    .max(100)
    .describe("Replacements, in order. Either all of them are made or none."),
});

export const siteCreateBody = bodyOf(siteRecord, {
  name,
  slug: slug.optional(),
  homeSlug: slug.nullish(),
  basePath: z
    .string()
    .max(255)
    .regex(/^(?:\/[^/?#\s]+)+$/, "must be a path without a trailing slash, such as /docs")
    .nullish(),
  brandKitId: z.string().nullish(),
});

export const sitePatchBody = siteCreateBody.partial();

export const brandKitBody = bodyOf(brandKitRecord, {
  name,
  colors: z.array(brandColorSchema).max(100).optional(),
  fonts: z.array(brandFontSchema).max(50).optional(),
  logos: z.array(brandLogoSchema).max(50).optional(),
  sourceUrl: address.nullish(),
  design: brandDesignSchema.nullish(),
  frame: brandFrameSchema.nullish(),
});

export const brandKitExtractBody = bodyOf(brandKitRecord, {
  url: address.describe("Public http or https address of a website."),
  name: name.optional(),
  save: z.boolean().optional().describe("Keep it as a brand kit. Default: false."),
});

/** Pages, addressed by slug, with their sites and brand kits. */
export const CONTENT_OPERATIONS = {
  "pages.list": {
    summary: "List pages",
    description: "Pages without their HTML, newest first. With `fields` each page has only those fields.",
    scope: "pages:read",
    query: z.strictObject({
      ...paging,
      status: z.enum(PAGE_STATUSES).optional().describe("Only pages with this status."),
      siteId: ofSite,
      q: text.describe("Text to search for in slugs and titles."),
      updatedSince: moment.describe("Only pages that changed since then, ISO 8601."),
      fields: text.describe("Fields to return, separated by commas. Default: all."),
    }),
    answers: { 200: many(pageRecord) },
  },
  "pages.get": {
    summary: "Get a page",
    etag: true,
    scope: "pages:read",
    query: z.strictObject({ include: z.literal("html").optional().describe("Return the HTML too.") }),
    answers: { 200: one(pageRecord) },
    problems: ["page_not_found"],
  },
  "pages.put": {
    summary: "Create or update a page",
    description:
      "Publishes the page immediately unless `status` is `draft`. Omitted fields keep their values; sending identical content changes nothing.",
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
  // Changing a page without sending its HTML is an extension.
  "pages.patch": {
    summary: "Change a page's details",
    description: "Changes the title, description, status or site of a page and keeps its HTML.",
    scope: "pages:write",
    body: { kind: "json", schema: pagePatchBody },
    answers: { 200: one(pageRecord) },
    problems: ["page_not_found", "version_mismatch"],
  },
  "pages.edit": {
    summary: "Edit the HTML of a page",
    description: "Finds and replaces text in the HTML. Fails if a text is missing or occurs more than once.",
    scope: "pages:write",
    body: { kind: "json", schema: pageEditBody },
    answers: { 200: one(pageRecord) },
    problems: [
      "page_not_found",
      "version_mismatch",
      "text_not_found",
      "text_not_unique",
      "invalid_html",
      "page_too_large",
    ],
  },
  "pages.create": {
    summary: "Create a page",
    description: "Publishes a new page immediately. Fails if the slug is taken.",
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
    summary: "Delete a page",
    description: "Permanently deletes the page and its statistics. Its public address then responds with 410 Gone.",
    scope: "pages:write",
    answers: { 204: empty },
    problems: ["page_not_found", "version_mismatch"],
  },
  "pages.raw": {
    summary: "Get the HTML of a page",
    description: "The exact bytes that were sent. A draft requires a key with `pages:read`.",
    etag: true,
    scope: undefined,
    answers: { 200: documentOf("text/html") },
    problems: ["page_not_found", "insufficient_scope"],
  },

  // Sites, which group pages.
  "sites.list": {
    summary: "List sites",
    description: "Sites group pages; newest first.",
    scope: "sites:read",
    query: listQuery,
    answers: { 200: many(siteRecord) },
  },
  "sites.create": {
    summary: "Create a site",
    description: "If a site with this slug and the same fields exists, it is returned instead.",
    scope: "sites:write",
    body: { kind: "json", schema: siteCreateBody },
    answers: { 200: one(siteRecord), 201: one(siteRecord) },
    problems: ["slug_taken", "invalid_slug", "kit_not_found", "limit_reached"],
  },
  "sites.get": {
    summary: "Get a site",
    etag: true,
    scope: "sites:read",
    answers: { 200: one(siteRecord) },
    problems: ["site_not_found"],
  },
  "sites.patch": {
    summary: "Change a site",
    description: "Changes the given fields and keeps the others.",
    scope: "sites:write",
    body: { kind: "json", schema: sitePatchBody },
    answers: { 200: one(siteRecord) },
    problems: ["site_not_found", "slug_taken", "version_mismatch", "invalid_slug", "kit_not_found"],
  },
  "sites.put": {
    summary: "Replace a site",
    description: "Omitted fields are reset to their defaults.",
    scope: "sites:write",
    body: { kind: "json", schema: siteCreateBody },
    answers: { 200: one(siteRecord) },
    problems: ["site_not_found", "slug_taken", "version_mismatch", "invalid_slug", "kit_not_found"],
  },
  "sites.delete": {
    summary: "Delete a site",
    description: "Its pages are kept without a site, unless `pages` is `delete`.",
    scope: "sites:write",
    query: z.strictObject({
      pages: z.enum(["keep", "delete"]).optional().describe("What happens to the pages of the site. Default: keep."),
    }),
    answers: { 204: empty },
    problems: ["site_not_found", "site_has_domain", "version_mismatch"],
  },

  // Brand kits: colors, fonts and logos.
  "brandKits.list": {
    summary: "List brand kits",
    description: "Brand kits hold colors, fonts and logos; newest first.",
    scope: "brand:read",
    query: listQuery,
    answers: { 200: many(brandKitRecord) },
  },
  "brandKits.create": {
    summary: "Create a brand kit",
    scope: "brand:write",
    body: { kind: "json", schema: brandKitBody },
    answers: { 201: one(brandKitRecord) },
  },
  "brandKits.extract": {
    summary: "Extract a brand from a website",
    description: "Extracts colors, fonts and logos from a public web page. `save` stores them as a brand kit.",
    scope: "brand:write",
    body: { kind: "json", schema: brandKitExtractBody },
    answers: {
      200: json(
        z.looseObject({
          name: z.string(),
          colors: z.array(brandColorSchema),
          fonts: z.array(brandFontSchema),
          logos: z.array(brandLogoSchema),
          design: brandDesignSchema.optional(),
        }),
      ),
      201: one(brandKitRecord),
    },
    problems: ["extract_refused", "extract_failed"],
  },
  "brandKits.get": {
    summary: "Get a brand kit",
    etag: true,
    scope: "brand:read",
    answers: { 200: one(brandKitRecord) },
    problems: ["kit_not_found"],
  },
  "brandKits.put": {
    summary: "Replace a brand kit",
    description: "Omitted fields are cleared.",
    scope: "brand:write",
    body: { kind: "json", schema: brandKitBody },
    answers: { 200: one(brandKitRecord) },
    problems: ["kit_not_found", "version_mismatch"],
  },
  "brandKits.delete": {
    summary: "Delete a brand kit",
    description: "Sites that use it are left without a brand kit.",
    scope: "brand:write",
    answers: { 204: empty },
    problems: ["kit_not_found"],
  },
} as const satisfies OperationRows;

export type PageEditBody = z.infer<typeof pageEditBody>;
export type PagePatchBody = z.infer<typeof pagePatchBody>;
export type SiteCreateBody = z.infer<typeof siteCreateBody>;
export type SitePatchBody = z.infer<typeof sitePatchBody>;
export type BrandKitBody = z.infer<typeof brandKitBody>;
export type BrandKitExtractBody = z.infer<typeof brandKitExtractBody>;
