import * as z from "zod";
import type { SiteCreateBody } from "./operations/content.ts";
import { brandColorSchema, brandFontSchema, brandFrameSchema, brandLogoSchema } from "./brand-parts.ts";
import { brandDesignSchema } from "./brand-design.ts";
import {
  count,
  countOrNull,
  createdAt,
  id,
  name,
  pageId,
  pageSlug,
  record,
  siteId,
  slug,
  textOrNull,
  timeOrNull,
  timestamp,
  updatedAt,
  version,
} from "./fields.ts";

export const PAGE_STATUSES = ["draft", "published"] as const;
export const POST_STATUSES = ["draft", "published"] as const;

export const pageRecord = record(
  "Page",
  () => ({
    id,
    slug,
    url: z
      .string()
      .meta({ title: "Address", description: "Path of the editor in route set A, public address in route set B." }),
    title: z.string().meta({ title: "Title", description: "Title in lists. Default: the title of the document." }),
    status: z.enum(PAGE_STATUSES).meta({ title: "Status", description: "Visitors see published pages only." }),
    createdAt,
  }),
  () => ({
    updatedAt,
    publishedAt: timeOrNull.meta({
      title: "Published",
      description: "When it was first published; null for never.",
    }),
    version,
    contentHash: z
      .string()
      .meta({ title: "Content hash", description: "SHA-256 of the HTML as sent, in hexadecimal digits." }),
    bytes: count.meta({ title: "Size", description: "Size of the HTML in bytes." }),
    siteId,
    editUrl: z.string().meta({ title: "Editor", description: "Absolute address of the page in the dashboard." }),
    publicUrl: z.string().meta({ title: "Public address", description: "Absolute address that visitors open." }),
    description: textOrNull.meta({ title: "Description", description: "Short description." }),
    html: z
      .string()
      .optional()
      .meta({ title: "HTML", description: "The whole HTML document. It is published unchanged." }),
  }),
);

export const siteRecord = record(
  "Site",
  () => ({ id, name, createdAt }),
  () => ({
    slug: slug.meta({ title: "Slug", description: "Identifies the site in tools. Default: derived from the name." }),
    url: z.string().meta({ title: "Address", description: "Absolute address of the site." }),
    homeSlug: textOrNull.meta({ title: "Home page", description: "Slug of the page at the root of the site." }),
    basePath: textOrNull.meta({
      title: "Base path",
      description:
        "Path of the site on its own host, such as /docs. Addresses below it lead to its pages; null for the root.",
    }),
    brandKitId: textOrNull.meta({ title: "Brand kit", description: "ID of the brand kit that the site uses." }),
    domain: textOrNull.meta({ title: "Domain", description: "Custom domain of the site; null for none." }),
    pageCount: count.meta({ title: "Pages", description: "Number of pages." }),
    version,
    updatedAt,
  }),
);

export const assetRecord = record(
  "Asset",
  () => ({
    id,
    name: name.meta({ title: "Name", description: "File name with its extension." }),
    url: z.string().meta({ title: "Address", description: "Public address of the file." }),
    contentType: z.string().meta({ title: "Type", description: "Content type, such as image/png." }),
    size: count.meta({ title: "Size", description: "Size in bytes." }),
    createdAt,
  }),
  () => ({
    width: countOrNull.meta({ title: "Width", description: "Width of an image in pixels; null for other files." }),
    height: countOrNull.meta({ title: "Height", description: "Height of an image in pixels; null for other files." }),
    alt: textOrNull.meta({ title: "Alternative text", description: "For people who can't see the image." }),
    tags: z.array(z.string()).meta({ title: "Tags", description: "Keywords to find the file by." }),
    hash: z.string().meta({ title: "Hash", description: "SHA-256 of the stored bytes, in hexadecimal digits." }),
    usedBy: count.meta({
      title: "Used by",
      description: "Number of pages, posts, blogs, brand kits and other files that use it.",
    }),
  }),
);

export const blogRecord = record(
  "Blog",
  () => ({
    id,
    name,
    slug,
    url: z.string().meta({ title: "Address", description: "Public address of the blog." }),
    createdAt,
  }),
  () => ({
    description: textOrNull.meta({ title: "Description", description: "Shown above the posts." }),
    siteId: siteId.meta({
      title: "Site",
      description: "ID of the site whose name, logo and colors the blog uses; null for none.",
    }),
    language: textOrNull.meta({
      title: "Language",
      description: "Language of the blog as a BCP 47 tag, such as `pt-BR`; null for the language of its site.",
    }),
    postCount: count.meta({ title: "Posts", description: "Number of posts." }),
    updatedAt,
  }),
);

export const postRecord = record(
  "Post",
  () => ({
    id,
    blogId: z.string().meta({ title: "Blog", description: "ID of the blog." }),
    slug,
    title: z.string().meta({ title: "Title", description: "Title of the post." }),
    url: z.string().meta({ title: "Address", description: "Public address of the post." }),
    status: z.enum(POST_STATUSES).meta({ title: "Status", description: "Readers see published posts only." }),
    publishedAt: timeOrNull.meta({ title: "Published", description: "When it was or will be published, ISO 8601." }),
    createdAt,
  }),
  () => ({
    scheduled: z.boolean().meta({
      title: "Scheduled",
      description: "Whether it is published, but readers see it only from publishedAt on.",
    }),
    updatedAt,
    html: z.string().optional().meta({ title: "HTML", description: "Body as HTML. It is published unchanged." }),
    markdown: z.string().nullable().optional().meta({
      title: "Markdown",
      description:
        "Body in Markdown. CommonMark with GitHub's tables, task lists, footnotes, strikethrough and autolinks, without front matter. It is rendered for readers; HTML in it is sanitized. Provide either this or html.",
    }),
    excerpt: textOrNull.meta({ title: "Excerpt", description: "Summary for lists and search results." }),
    coverImage: textOrNull.meta({ title: "Cover image", description: "Address of the cover image." }),
    tags: z.array(z.string()).meta({ title: "Tags", description: "Tags, at most 20." }),
    author: textOrNull.meta({ title: "Author", description: "Name of the author." }),
    canonicalUrl: textOrNull.meta({
      title: "Canonical address",
      description: "Original address if first published elsewhere.",
    }),
    version,
    contentHash: z
      .string()
      .meta({ title: "Content hash", description: "Hash of title, body and metadata, in hexadecimal digits." }),
  }),
);

export const brandKitRecord = record(
  "BrandKit",
  () => ({
    kitId: id,
    id,
    name,
    colors: z.array(brandColorSchema).meta({ title: "Colors", description: "Colors with their roles." }),
    fonts: z.array(brandFontSchema).meta({ title: "Fonts", description: "Fonts with their roles." }),
    logos: z.array(brandLogoSchema).meta({ title: "Logos", description: "Logos with their addresses." }),
    createdAt,
  }),
  () => ({
    sourceUrl: textOrNull.meta({ title: "Source", description: "Page that the kit was extracted from." }),
    design: brandDesignSchema.nullable().meta({
      title: "Design",
      description: "Colors and sizes of header, footer, buttons, cards and text; null if they were not extracted.",
    }),
    frame: brandFrameSchema.nullable().meta({
      title: "Frame",
      description: "Header and footer of the site, shown on the service's own pages; null for none.",
    }),
    version,
    updatedAt,
  }),
);

export const formRecord = record(
  "Form",
  () => ({
    id,
    name: name.meta({ title: "Name", description: "Name of the form on its page." }),
    pageId,
    pageSlug,
    fields: z
      .array(z.object({ name: z.string(), type: z.string(), required: z.boolean() }))
      .meta({ title: "Fields", description: "Fields of the form in their order." }),
    submissionCount: count.meta({ title: "Submissions", description: "Number of stored submissions." }),
    createdAt,
  }),
  () => ({
    lastSubmissionAt: timeOrNull.meta({
      title: "Last submission",
      description: "When the form was last submitted; null for never.",
    }),
  }),
);

export const submissionRecord = record(
  "Submission",
  () => ({
    submissionId: id,
    formId: z.string().meta({ title: "Form", description: "ID of the form." }),
    pageId,
    pageSlug,
    fields: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .meta({ title: "Fields", description: "What the visitor entered, by the name of the field." }),
    createdAt: timestamp.meta({ title: "Received", description: "When the form was submitted." }),
  }),
  () => ({
    email: textOrNull.meta({ title: "Email", description: "Email address that the visitor entered." }),
    lead: z
      .boolean()
      .meta({ title: "Lead", description: "Whether it is the first submission with this email address." }),
    spam: z.boolean().meta({ title: "Spam", description: "Whether it was classified as spam." }),
    read: z.boolean().meta({ title: "Read", description: "Whether somebody has read it." }),
  }),
);

const dnsEntrySchema = z.object({ type: z.string(), name: z.string(), value: z.string() });

export const domainRecord = record(
  "Domain",
  () => ({
    id,
    domain: z.string().meta({ title: "Domain", description: "Domain name, such as www.example.org." }),
    status: z
      .enum(["pending", "verified", "active", "failed"])
      .meta({ title: "Status", description: "Visitors are served once it is active." }),
    verification: dnsEntrySchema.meta({
      title: "Verification",
      description: "DNS record that proves who owns the domain.",
    }),
    dns: z
      .array(dnsEntrySchema)
      .meta({ title: "DNS records", description: "DNS records that point the domain to the service." }),
    ssl: z
      .object({
        status: z.enum(["off", "pending", "active", "failed"]),
        issuer: z.string().nullable(),
        expiresAt: timestamp.nullable(),
      })
      .meta({ title: "Certificate", description: "State of the certificate." }),
    createdAt,
  }),
  () => ({
    siteId: siteId.meta({ title: "Site", description: "ID of the site that it shows; null for all pages." }),
    redirectTo: textOrNull.meta({
      title: "Redirects to",
      description: "Domain that visitors are redirected to; null for none.",
    }),
    lastCheckedAt: timeOrNull.meta({ title: "Checked", description: "When DNS was last checked." }),
    nextCheckAt: timeOrNull.meta({
      title: "Next check",
      description: "When DNS is checked next; null for only on request.",
    }),
    error: textOrNull.meta({ title: "Problem", description: "Why the last check failed." }),
  }),
);

export const pageStatsRecord = record(
  "PageStats",
  () => ({
    id,
    slug,
    title: z.string().meta({ title: "Title", description: "Title of the page." }),
    views: count.meta({ title: "Views", description: "Number of page views." }),
    visitors: count.meta({ title: "Visitors", description: "Number of visitors, each counted once a day." }),
    clicks: count.meta({ title: "Clicks", description: "Number of clicks." }),
    submissions: count.meta({ title: "Submissions", description: "Number of form submissions." }),
    avgScroll: z.number().meta({ title: "Scrolled", description: "Average scroll depth in percent." }),
    avgSeconds: z.number().meta({ title: "Time", description: "Average time on the page in seconds." }),
  }),
  () => ({}),
);

export type PageRecord = z.infer<typeof pageRecord.full>;
/** The fields of a page that depend on the service's address. */
export type PageAddress = "url" | "editUrl" | "publicUrl";
export type SiteRecord = z.infer<typeof siteRecord.full>;
export type AssetRecord = z.infer<typeof assetRecord.full>;
export type BlogRecord = z.infer<typeof blogRecord.full>;
export type PostRecord = z.infer<typeof postRecord.full>;
export type DomainRecord = z.infer<typeof domainRecord.full>;
export type BrandKitRecord = z.infer<typeof brandKitRecord.full>;
export type FormRecord = z.infer<typeof formRecord.full>;
export type SubmissionRecord = z.infer<typeof submissionRecord.full>;

/** Returns the body for replacing a site: all of its known fields. */
export function siteBodyOf({ name = "Site", ...site }: Partial<SiteCreateBody>): SiteCreateBody {
  const { slug, homeSlug, basePath, brandKitId } = site;
  return { name, slug, homeSlug, basePath, brandKitId };
}

/** Slug of a site's home page, if the service shows one. */
export function homePageOf({ homeSlug }: { readonly homeSlug?: string | null | undefined }): string | undefined {
  return homeSlug ?? undefined;
}
