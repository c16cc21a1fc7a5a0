import * as z from "zod";
import { EVENT_TYPES } from "./events.ts";
import type { RecordContract } from "./fields.ts";
import { LIMITS } from "./limits.ts";
import { keyRecord, webhookRecord } from "./extension-records.ts";
import {
  assetRecord,
  blogRecord,
  brandColorSchema,
  brandFontSchema,
  brandKitRecord,
  brandLogoSchema,
  domainRecord,
  pageRecord,
  PAGE_STATUSES,
  postRecord,
  POST_STATUSES,
  siteRecord,
} from "./records.ts";
import { SCOPES } from "./scopes.ts";

/** A body whose fields mean what the fields of a record mean; what has a meaning of its own keeps it. */
function bodyOf<Shape extends z.ZodRawShape>({ full }: RecordContract, fields: Shape) {
  const described = Object.entries(fields).map(([name, schema]) => {
    const meaning = z.globalRegistry.get(schema) ?? z.globalRegistry.get(full.shape[name] ?? schema);
    return [name, meaning === undefined ? schema : (schema as z.ZodType).meta(meaning)];
  });
  return z.object(Object.fromEntries(described) as Shape);
}

// Slugs are checked by the rule in `service/resources`, which responds `invalid_slug` with the offending value; here
// they are only texts, so that this problem differs from a body that is wrong otherwise.
const slug = z.string().min(1).max(500);
const title = z.string().max(LIMITS.maxTitleLength);
const name = z.string().trim().min(1).max(LIMITS.maxTitleLength);
const alt = z.string().max(1000);
const tags = z.array(z.string().trim().min(1).max(60)).max(LIMITS.maxTagsPerPost);
const address = z.string().max(2048);
const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

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

export const siteCreateBody = bodyOf(siteRecord, {
  name,
  slug: slug.optional(),
  homeSlug: slug.nullish(),
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
  coverImage: address.nullish(),
  tags: tags.optional(),
  author: z.string().max(200).nullish(),
  status: z.enum(POST_STATUSES).optional(),
  publishedAt: z.iso.datetime({ offset: true }).nullish(),
  canonicalUrl: address.nullish(),
};

export const postCreateBody = bodyOf(postRecord, { slug, ...postFields }).refine(
  (post) => (post.html === undefined) !== (post.markdown === undefined),
  {
    message: "exactly one of html and markdown has to be given",
    path: ["html"],
  },
);

export const postPatchBody = bodyOf(postRecord, postFields)
  .partial()
  .refine((post) => post.html === undefined || post.markdown === undefined, {
    message: "only one of html and markdown can be given",
    path: ["html"],
  });

/** Longest life of a preview link, in days. */
const MAX_PREVIEW_DAYS = 30;

export const previewLinkBody = z.object({
  expiresInDays: z
    .int()
    .min(1)
    .max(MAX_PREVIEW_DAYS)
    .optional()
    .describe("How many days the link works, 1 to 30. Default: 7."),
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

export const domainCreateBody = bodyOf(domainRecord, {
  domain: z.string().min(1).max(253),
  siteId: z.string().nullish(),
});

export const domainPatchBody = bodyOf(domainRecord, {
  siteId: z.string().nullish(),
  verify: z.literal(true).optional().describe("Check the DNS records now."),
  redirectTo: z.string().max(253).nullish(),
});

export const formsExportBody = z.object({
  formId: z.string().optional().describe("ID of the form. Give this or pageSlug."),
  pageSlug: z.string().optional().describe("Slug of the page. Give this or formId."),
  from: moment.optional().describe("First day or moment, ISO 8601 in UTC. Default: no limit."),
  to: moment.optional().describe("Last day or moment, ISO 8601 in UTC. Default: now."),
  format: z.enum(["csv", "json"]).optional().describe("Format of the export. Default: csv."),
  leadsOnly: z.boolean().optional().describe("Export leads only. Default: false."),
});

export const keyCreateBody = bodyOf(keyRecord, {
  name,
  scopes: z.array(z.enum(SCOPES)).min(1).optional(),
  expiresAt: z.iso.datetime({ offset: true }).nullish(),
});

const webhookFields = {
  url: address.min(1),
  description: z.string().max(1000).nullish(),
  events: z.array(z.enum(EVENT_TYPES)).min(1).max(EVENT_TYPES.length),
};

export const webhookCreateBody = bodyOf(webhookRecord, { ...webhookFields, events: webhookFields.events.optional() });

export const webhookPatchBody = bodyOf(webhookRecord, {
  ...webhookFields,
  enabled: z.boolean(),
  rotateSecret: z.literal(true).describe("Replaces the secret. The old one also signs for another day."),
}).partial();

export type SiteCreateBody = z.infer<typeof siteCreateBody>;
export type SitePatchBody = z.infer<typeof sitePatchBody>;
export type AssetUploadFields = z.infer<typeof assetUploadFields>;
export type AssetPatchBody = z.infer<typeof assetPatchBody>;
export type AssetImportBody = z.infer<typeof assetImportBody>;
export type BlogCreateBody = z.infer<typeof blogCreateBody>;
export type PostCreateBody = z.infer<typeof postCreateBody>;
export type PostPatchBody = z.infer<typeof postPatchBody>;
export type PreviewLinkBody = z.infer<typeof previewLinkBody>;
export type BrandKitBody = z.infer<typeof brandKitBody>;
export type BrandKitExtractBody = z.infer<typeof brandKitExtractBody>;
export type DomainCreateBody = z.infer<typeof domainCreateBody>;
export type DomainPatchBody = z.infer<typeof domainPatchBody>;
export type FormsExportBody = z.infer<typeof formsExportBody>;
export type KeyCreateBody = z.infer<typeof keyCreateBody>;
export type WebhookCreateBody = z.infer<typeof webhookCreateBody>;
export type WebhookPatchBody = z.infer<typeof webhookPatchBody>;
