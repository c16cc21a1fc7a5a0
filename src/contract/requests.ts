import * as z from "zod";
import { EVENT_TYPES } from "./events.ts";
import { LIMITS } from "./limits.ts";
import { brandColorSchema, brandFontSchema, brandLogoSchema, PAGE_STATUSES, POST_STATUSES } from "./records.ts";
import { SCOPES } from "./scopes.ts";

// Slugs are checked by the rule in `service/resources`, which answers `invalid_slug` with the offending value; here
// they are only texts, so that this problem is told apart from a body that is wrong otherwise.
const slug = z.string().min(1).max(500);
const title = z.string().max(LIMITS.maxTitleLength);
const name = z.string().trim().min(1).max(LIMITS.maxTitleLength);
const alt = z.string().max(1000);
const tags = z.array(z.string().trim().min(1).max(60)).max(LIMITS.maxTagsPerPost);
const address = z.string().max(2048);
const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

export const pagePutBody = z.object({
  html: z.string(),
  title: title.optional(),
  status: z.enum(PAGE_STATUSES).optional(),
  siteId: z.string().nullish(),
  description: z.string().max(1000).nullish(),
});

export const pageCreateBody = z.object({
  html: z.string(),
  title,
  slug,
  siteId: z.string().nullish(),
});

export const siteCreateBody = z.object({
  name,
  slug: slug.optional(),
  homeSlug: slug.nullish(),
  brandKitId: z.string().nullish(),
});

export const sitePatchBody = siteCreateBody.partial();

export const assetUploadFields = z.object({
  name: z.string().max(255).optional(),
  alt: alt.optional(),
  tags: tags.optional(),
});

export const assetPatchBody = z.object({
  name: z.string().min(1).max(255).optional(),
  alt: alt.nullish(),
  tags: tags.optional(),
});

export const assetImportBody = z.object({
  url: address,
  name: z.string().max(255).optional(),
  alt: alt.optional(),
});

export const blogCreateBody = z.object({
  name,
  slug: slug.optional(),
  description: z.string().max(1000).nullish(),
  siteId: z.string().nullish(),
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

export const postCreateBody = z
  .object({ slug, ...postFields })
  .refine((post) => (post.html === undefined) !== (post.markdown === undefined), {
    message: "exactly one of html and markdown has to be given",
    path: ["html"],
  });

export const postPatchBody = z
  .object(postFields)
  .partial()
  .refine((post) => post.html === undefined || post.markdown === undefined, {
    message: "only one of html and markdown can be given",
    path: ["html"],
  });

/** Longest life of a preview link, in days. */
const MAX_PREVIEW_DAYS = 30;

export const previewLinkBody = z.object({ expiresInDays: z.int().min(1).max(MAX_PREVIEW_DAYS).optional() });

export const brandKitBody = z.object({
  name,
  colors: z.array(brandColorSchema).max(100).optional(),
  fonts: z.array(brandFontSchema).max(50).optional(),
  logos: z.array(brandLogoSchema).max(50).optional(),
  sourceUrl: address.nullish(),
});

export const brandKitExtractBody = z.object({
  url: address,
  name: name.optional(),
  save: z.boolean().optional(),
});

export const domainCreateBody = z.object({ domain: z.string().min(1).max(253), siteId: z.string().nullish() });

export const domainPatchBody = z.object({
  siteId: z.string().nullish(),
  verify: z.literal(true).optional(),
  redirectTo: z.string().max(253).nullish(),
});

export const formsExportBody = z.object({
  formId: z.string().optional(),
  pageSlug: z.string().optional(),
  from: moment.optional(),
  to: moment.optional(),
  format: z.enum(["csv", "json"]).optional(),
  leadsOnly: z.boolean().optional(),
});

export const keyCreateBody = z.object({
  name,
  scopes: z.array(z.enum(SCOPES)).min(1).optional(),
  expiresAt: z.iso.datetime({ offset: true }).nullish(),
});

const webhookFields = {
  url: address.min(1),
  description: z.string().max(1000).nullish(),
  events: z.array(z.enum(EVENT_TYPES)).min(1).max(EVENT_TYPES.length),
};

export const webhookCreateBody = z.object({ ...webhookFields, events: webhookFields.events.optional() });

export const webhookPatchBody = z
  .object(webhookFields)
  .partial()
  .extend({ enabled: z.boolean().optional(), rotateSecret: z.literal(true).optional() });

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
