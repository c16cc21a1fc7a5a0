import * as z from "zod";

/**
 * One kind of record. `minimum` is what every answer holds, in `strict` mode nothing else; `full` adds what our
 * service tells beyond the specification.
 */
export interface RecordContract<Minimum extends z.ZodObject = z.ZodObject, Full extends z.ZodObject = z.ZodObject> {
  readonly minimum: Minimum;
  readonly full: Full;
}

const timestamp = z.iso.datetime();
const count = z.int().nonnegative();

function record<Minimum extends z.ZodRawShape, Extra extends z.ZodRawShape>(minimum: Minimum, extra: Extra) {
  return { minimum: z.object(minimum), full: z.object({ ...minimum, ...extra }) };
}

export const PAGE_STATUSES = ["draft", "published"] as const;
export const POST_STATUSES = ["draft", "published"] as const;

export const pageRecord = record(
  {
    id: z.string(),
    slug: z.string(),
    url: z.string(),
    title: z.string(),
    status: z.enum(PAGE_STATUSES),
    createdAt: timestamp,
  },
  {
    updatedAt: timestamp,
    publishedAt: timestamp.nullable(),
    version: count,
    contentHash: z.string(),
    bytes: count,
    siteId: z.string().nullable(),
    editUrl: z.string(),
    publicUrl: z.string(),
    description: z.string().nullable(),
    html: z.string().optional(),
  },
);

export const siteRecord = record(
  { id: z.string(), name: z.string(), createdAt: timestamp },
  {
    slug: z.string(),
    url: z.string(),
    homeSlug: z.string().nullable(),
    brandKitId: z.string().nullable(),
    domain: z.string().nullable(),
    pageCount: count,
    version: count,
    updatedAt: timestamp,
  },
);

export const assetRecord = record(
  {
    id: z.string(),
    name: z.string(),
    url: z.string(),
    contentType: z.string(),
    size: count,
    createdAt: timestamp,
  },
  {
    width: count.nullable(),
    height: count.nullable(),
    alt: z.string().nullable(),
    tags: z.array(z.string()),
    hash: z.string(),
    usedBy: count,
  },
);

export const blogRecord = record(
  { id: z.string(), name: z.string(), slug: z.string(), url: z.string(), createdAt: timestamp },
  {
    description: z.string().nullable(),
    siteId: z.string().nullable(),
    postCount: count,
    updatedAt: timestamp,
  },
);

export const postRecord = record(
  {
    id: z.string(),
    blogId: z.string(),
    slug: z.string(),
    title: z.string(),
    url: z.string(),
    status: z.enum(POST_STATUSES),
    publishedAt: timestamp.nullable(),
    createdAt: timestamp,
  },
  {
    updatedAt: timestamp,
    html: z.string().optional(),
    markdown: z.string().nullable().optional(),
    excerpt: z.string().nullable(),
    coverImage: z.string().nullable(),
    tags: z.array(z.string()),
    author: z.string().nullable(),
    canonicalUrl: z.string().nullable(),
    version: count,
    contentHash: z.string(),
  },
);

export const brandColorSchema = z.object({
  role: z.string().min(1).max(60),
  hex: z.string().regex(/^#[0-9a-f]{6}(?:[0-9a-f]{2})?$/),
  name: z.string().max(120).nullish(),
});

export const brandFontSchema = z.object({
  family: z.string().min(1).max(120),
  role: z.string().min(1).max(60),
  weights: z.array(z.int().min(1).max(1000)).max(20).nullish(),
  source: z.string().max(60).nullish(),
  url: z.string().max(2048).nullish(),
});

export const brandLogoSchema = z.object({
  kind: z.string().min(1).max(60),
  url: z.string().max(2048),
  contentType: z.string().max(120).nullish(),
  width: count.nullish(),
  height: count.nullish(),
});

export const brandKitRecord = record(
  {
    kitId: z.string(),
    id: z.string(),
    name: z.string(),
    colors: z.array(brandColorSchema),
    fonts: z.array(brandFontSchema),
    logos: z.array(brandLogoSchema),
    createdAt: timestamp,
  },
  { sourceUrl: z.string().nullable(), version: count, updatedAt: timestamp },
);

export const formRecord = record(
  {
    id: z.string(),
    name: z.string(),
    pageId: z.string(),
    pageSlug: z.string(),
    fields: z.array(z.object({ name: z.string(), type: z.string(), required: z.boolean() })),
    submissionCount: count,
    createdAt: timestamp,
  },
  { lastSubmissionAt: timestamp.nullable() },
);

export const submissionRecord = record(
  {
    submissionId: z.string(),
    formId: z.string(),
    pageId: z.string(),
    pageSlug: z.string(),
    fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    createdAt: timestamp,
  },
  { email: z.string().nullable(), lead: z.boolean(), spam: z.boolean() },
);

const dnsEntrySchema = z.object({ type: z.string(), name: z.string(), value: z.string() });

export const domainRecord = record(
  {
    id: z.string(),
    domain: z.string(),
    status: z.enum(["pending", "verified", "active", "failed"]),
    verification: dnsEntrySchema,
    dns: z.array(dnsEntrySchema),
    ssl: z.object({
      status: z.enum(["off", "pending", "active", "failed"]),
      issuer: z.string().nullable(),
      expiresAt: timestamp.nullable(),
    }),
    createdAt: timestamp,
  },
  {
    siteId: z.string().nullable(),
    redirectTo: z.string().nullable(),
    lastCheckedAt: timestamp.nullable(),
    nextCheckAt: timestamp.nullable(),
    error: z.string().nullable(),
  },
);

export const pageStatsRecord = record(
  {
    id: z.string(),
    slug: z.string(),
    title: z.string(),
    views: count,
    visitors: count,
    clicks: count,
    submissions: count,
    avgScroll: z.number(),
    avgSeconds: z.number(),
  },
  {},
);

/** How often records of a kind were created, changed and deleted, and when that was last. */
export const recordChangesSchema = z.object({ count, latest: timestamp.nullable() });

/** What `GET /api/account` tells (extension): the plan, the limits in force and what the service can do beyond the specification. */
export const accountSchema = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.enum(["trial", "grow", "pro"]),
  routeSet: z.enum(["a", "b"]),
  pagesUrl: z.string(),
  limits: z.record(z.string(), z.number()),
  usage: z.object({ pages: count, sites: count, assets: count, blogs: count, posts: count, brandKits: count }),
  /** While these are the same, so are the records: a client that remembers some of them need not list them. */
  changes: z
    .object({ sites: recordChangesSchema, blogs: recordChangesSchema, brandKits: recordChangesSchema })
    .partial()
    .optional(),
  capabilities: z.object({
    "posts.update": z.boolean(),
    "posts.delete": z.boolean(),
    /** A draft can be shown to others by a link that expires. */
    "posts.previewLinks": z.boolean().optional(),
    "assets.types": z.enum(["any", "images"]),
    /** `usedBy` of a file counts all that names it: pages, posts, blogs, brand kits and other files. */
    "assets.uses": z.boolean().optional(),
    keys: z.boolean().optional(),
    webhooks: z.boolean().optional(),
    dashboard: z.boolean().optional(),
  }),
});

export type PageRecord = z.infer<typeof pageRecord.full>;
export type SiteRecord = z.infer<typeof siteRecord.full>;
export type AssetRecord = z.infer<typeof assetRecord.full>;
export type BlogRecord = z.infer<typeof blogRecord.full>;
export type PostRecord = z.infer<typeof postRecord.full>;
export type DomainRecord = z.infer<typeof domainRecord.full>;
export type BrandKitRecord = z.infer<typeof brandKitRecord.full>;
export type BrandColor = z.infer<typeof brandColorSchema>;
export type BrandFont = z.infer<typeof brandFontSchema>;
export type BrandLogo = z.infer<typeof brandLogoSchema>;
export type FormRecord = z.infer<typeof formRecord.full>;
export type SubmissionRecord = z.infer<typeof submissionRecord.full>;
export type Account = z.infer<typeof accountSchema>;
