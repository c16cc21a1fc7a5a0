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

/** What can be changed of a page without its HTML. */
export const pagePatchBody = bodyOf(pageRecord, {
  title: z.string().trim().min(1).max(LIMITS.maxTitleLength).optional(),
  description: z.string().max(1000).nullish(),
  status: z.enum(PAGE_STATUSES).optional(),
  siteId: z.string().nullish(),
});

/** What is replaced in the HTML of a page, in this order. */
export const pageEditBody = z.object({
  edits: z
    .array(
      z.object({
        find: z.string().min(1).describe("Text to replace, exactly as it is in the HTML. It has to occur once."),
        replace: z.string().describe("Text to put in its place."),
        all: z.boolean().optional().describe("Replace every occurrence. Default: false."),
      }),
    )
    .min(1)
    .max(100)
    .describe("Replacements, made in this order: all of them or none."),
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
      "Publishes the page at once unless `status` is `draft`. What is left out stays as it is; sending what is there already changes nothing.",
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
    description: "Changes title, description, status or site of a page and keeps its HTML.",
    scope: "pages:write",
    body: { kind: "json", schema: pagePatchBody },
    answers: { 200: one(pageRecord) },
    problems: ["page_not_found", "version_mismatch"],
  },
  "pages.edit": {
    summary: "Edit the HTML of a page",
    description: "Finds and replaces text in the HTML. Refused if a text isn't there, or is there more than once.",
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
    description: "Publishes a new page at once. A slug that is taken is refused.",
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
    description: "Deletes the page for good, with its statistics. Its public address then responds 410 Gone.",
    scope: "pages:write",
    answers: { 204: empty },
    problems: ["page_not_found", "version_mismatch"],
  },
  "pages.raw": {
    summary: "Get the HTML of a page",
    description: "The exact bytes that were sent. A draft takes a key with `pages:read`.",
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
    description: "A site that has this slug and the same fields already is returned instead.",
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
    description: "Changes the fields that are given and keeps the others.",
    scope: "sites:write",
    body: { kind: "json", schema: sitePatchBody },
    answers: { 200: one(siteRecord) },
    problems: ["site_not_found", "slug_taken", "version_mismatch", "invalid_slug", "kit_not_found"],
  },
  "sites.put": {
    summary: "Replace a site",
    description: "What is left out is reset to its default.",
    scope: "sites:write",
    body: { kind: "json", schema: siteCreateBody },
    answers: { 200: one(siteRecord) },
    problems: ["site_not_found", "slug_taken", "version_mismatch", "invalid_slug", "kit_not_found"],
  },
  "sites.delete": {
    summary: "Delete a site",
    description: "Its pages stay, without a site, unless `pages` is `delete`.",
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
    description: "Reads colors, fonts and logos from a public web page. With `save` they become a brand kit.",
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
    description: "What is left out is emptied.",
    scope: "brand:write",
    body: { kind: "json", schema: brandKitBody },
    answers: { 200: one(brandKitRecord) },
    problems: ["kit_not_found", "version_mismatch"],
  },
  "brandKits.delete": {
    summary: "Delete a brand kit",
    description: "Sites that use it are then without one.",
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
