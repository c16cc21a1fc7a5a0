import * as z from "zod";
import { releaseRecord } from "../extension-records.ts";
import { count, timestamp } from "../fields.ts";
import { bodyOf, flag, ofSite, paging, slug, text, title } from "../inputs.ts";
import { json, many, one, type OperationRows } from "../route.ts";

/** SHA-256 in hexadecimal digits. */
const hash = z.string().regex(/^[0-9a-f]{64}$/, "has to be a SHA-256 in hexadecimal digits");

const baseVersion = count
  .optional()
  .describe("Version that the page has: one that has another by then is kept. Default: that of the parent.");

export const releaseOpenBody = bodyOf(releaseRecord, {
  id: z.string().optional().describe("ID of an open release to add files to. Default: a new one."),
  siteId: z.string().nullish(),
  preview: slug.nullish(),
  parent: z
    .string()
    .nullable()
    .describe("ID of the live release that the pages are compared with; null to send the list of all pages."),
  assets: z
    .array(z.object({ hash, name: z.string().max(255), contentType: z.string().max(255), bytes: count }))
    .describe("Files that pages use; each gets its address at once."),
});

export const releasePagesBody = z.object({
  pages: z
    .array(
      z.object({
        slug,
        title,
        description: z.string().max(1000).nullish(),
        hash: hash.describe("SHA-256 of the HTML."),
        bytes: count,
        version: baseVersion,
      }),
    )
    .describe("Pages that differ from those of `parent`; all pages where that is null."),
  removes: z
    .array(z.union([slug, z.object({ slug, version: baseVersion })]))
    .default([])
    .describe("Pages to remove, by their slugs."),
});

export const releasePublishBody = z.object({
  manifest: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("Hash of the whole list of pages, to recognize it by later."),
  force: z.boolean().optional().describe("Replace pages that were edited by hand too. Default: false."),
});

export const releaseRollbackBody = z.object({
  force: z
    .boolean()
    .optional()
    .describe("Replace pages that were edited by hand, and go back even if files are gone. Default: false."),
});

export const releaseOpenedSchema = z.strictObject({
  id: z.string(),
  state: z.literal("open"),
  /** How large one bundle of content may be, in bytes before it is compressed. */
  maxBundleBytes: count,
  /** The files that were named, each with the id and address that it has or will have. */
  assets: z.array(z.strictObject({ hash: z.string(), id: z.string(), url: z.string(), missing: z.boolean() })),
  expiresAt: timestamp,
});

export const releaseStagedSchema = z.strictObject({
  /** The pages of this request as they will be once they are published. */
  pages: z.array(z.strictObject({ slug: z.string(), id: z.string(), version: count })),
  /** Hashes of these pages whose content has not come yet. */
  missing: z.array(z.string()),
  /** Pages that are left out, since another site has their slug. */
  collisions: z.array(z.strictObject({ slug: z.string(), siteId: z.string().nullable() })),
});

export const releaseStoredSchema = z.strictObject({
  /** How many entries of the bundle were taken. */
  stored: count,
  /** Hashes of this bundle whose content is still missing. */
  missing: z.array(z.string()),
  /** Entries that were not taken, and why. */
  refused: z.array(z.strictObject({ name: z.string(), detail: z.string() })),
});

export const releaseDiffSchema = z.strictObject({
  id: z.string(),
  /** The release that it is compared with; null: with nothing. */
  against: z.string().nullable(),
  /** By slug. */
  data: z.array(
    z.strictObject({
      slug: z.string(),
      change: z.enum(["added", "changed", "removed"]),
      title: z.string(),
      hash: z.string().nullable(),
      bytes: count,
    }),
  ),
  nextCursor: z.string().nullable(),
});

/** Whole sites that are published at once (extensions). What opens and fills a release also needs `library:write`. */
export const RELEASE_OPERATIONS = {
  "releases.open": {
    summary: "Open a release",
    description: "Names the files that the pages use; the response says which are missing.",
    scope: "pages:write",
    body: { kind: "json", schema: releaseOpenBody },
    answers: { 201: json(releaseOpenedSchema) },
    problems: ["release_outdated", "site_not_found", "invalid_slug", "asset_too_large"],
  },
  "releases.list": {
    summary: "List releases",
    description: "Whole sites that were published at once, newest first.",
    scope: "pages:read",
    query: z.strictObject({
      ...paging,
      siteId: ofSite,
      preview: text.describe("Only those of this preview."),
      live: flag.describe("Only those that readers see. Default: false."),
    }),
    answers: { 200: many(releaseRecord) },
  },
  "releases.get": {
    summary: "Get a release",
    scope: "pages:read",
    answers: { 200: one(releaseRecord) },
    problems: ["release_not_found"],
  },
  "releases.putPages": {
    summary: "Stage pages of a release",
    description: "Adds pages to an open release, or removes them from it. The response names the missing content.",
    scope: "pages:write",
    body: { kind: "json", schema: releasePagesBody },
    answers: { 200: json(releaseStagedSchema) },
    problems: ["release_not_found", "release_outdated", "invalid_slug", "page_too_large", "limit_reached"],
  },
  "releases.putContent": {
    summary: "Upload content of a release",
    description: "A tar archive of files named by their SHA-256, optionally compressed with gzip or zstd.",
    scope: "pages:write",
    body: { kind: "bundle", file: "file", schema: z.object({}) },
    answers: { 200: json(releaseStoredSchema) },
    problems: ["release_not_found", "release_outdated"],
  },
  "releases.publish": {
    summary: "Publish a release",
    description:
      "Readers see all of its pages at once. Pages that were edited by hand are kept unless `force` is true.",
    scope: "pages:write",
    body: { kind: "json", schema: releasePublishBody },
    answers: { 200: one(releaseRecord) },
    problems: ["release_not_found", "release_outdated", "release_incomplete", "version_mismatch"],
  },
  "releases.diff": {
    summary: "Compare a release",
    description: "The pages in which it differs from its parent, or from another release.",
    scope: "pages:read",
    query: z.strictObject({
      ...paging,
      against: text.describe("ID of the release to compare with. Default: the parent."),
    }),
    answers: { 200: json(releaseDiffSchema) },
    problems: ["release_not_found"],
  },
  "releases.rollback": {
    summary: "Roll back to a release",
    description: "Publishes the pages of an earlier release again, as a new release.",
    scope: "pages:write",
    body: { kind: "json", schema: releaseRollbackBody },
    answers: { 200: one(releaseRecord) },
    problems: ["release_not_found", "release_outdated", "release_incomplete"],
  },
} as const satisfies OperationRows;

export type ReleaseOpenBody = z.infer<typeof releaseOpenBody>;
export type ReleasePagesBody = z.infer<typeof releasePagesBody>;
export type ReleaseOpened = z.infer<typeof releaseOpenedSchema>;
export type ReleaseStaged = z.infer<typeof releaseStagedSchema>;
export type ReleaseStored = z.infer<typeof releaseStoredSchema>;
export type ReleaseDiff = z.infer<typeof releaseDiffSchema>;
