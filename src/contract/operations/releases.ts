import * as z from "zod";
import { releaseRecord } from "../extension-records.ts";
import { count } from "../fields.ts";
import {
  releaseDiffSchema,
  releaseOpenedSchema,
  releasePublishedSchema,
  releaseStagedSchema,
  releaseStoredSchema,
} from "../release-parts.ts";
import { bodyOf, flag, ofSite, paging, slug, text, title } from "../inputs.ts";
import { json, many, one, type OperationRows } from "../route.ts";

/** SHA-256 in hexadecimal digits. */
const hash = z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in hexadecimal digits");

const baseVersion = count
  .optional()
  .describe(
    "Current version of the page: if it has another one on publishing, it is kept. Default: that of the parent.",
  );

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
    .describe("Files that pages use; each gets its address immediately."),
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
    .describe("Pages that differ from those of `parent`; all pages if that is null."),
  removes: z
    .array(z.union([slug, z.object({ slug, version: baseVersion })]))
    .default([])
    .describe("Pages to remove, by their slugs."),
});

const manifest = z.string().min(1).max(200).describe("Hash of the complete list of pages, to recognize it later.");

export const releaseSmallBody = bodyOf(releaseRecord, {
  siteId: z.string().nullish(),
  parent: z.string().describe("ID of the live release that the pages are compared with."),
  ...releasePagesBody.shape,
  html: z.array(z.string()).describe("The HTML of these pages, in any order."),
  manifest,
});

export const releasePublishBody = z.object({
  manifest: manifest.optional(),
  force: z.boolean().optional().describe("Also replace pages that were edited by hand. Default: false."),
});

export const releaseRollbackBody = z.object({
  force: z
    .boolean()
    .optional()
    .describe("Also replace pages that were edited by hand, and roll back even if files are missing. Default: false."),
});

/** Whole sites that are published at once (extensions). Opening and filling a release also needs `library:write`. */
export const RELEASE_OPERATIONS = {
  "releases.open": {
    summary: "Open a release",
    description: "Lists the files that the pages use; the response reports which are missing.",
    scope: "pages:write",
    body: { kind: "json", schema: releaseOpenBody },
    answers: { 201: json(releaseOpenedSchema()) },
    problems: ["release_outdated", "site_not_found", "invalid_slug", "asset_too_large"],
  },
  "releases.publishSmall": {
    summary: "Publish a small release",
    description:
      "Opens, fills and publishes a release without new files in one request. Publishes nothing if content is missing or another site has one of the slugs.",
    scope: "pages:write",
    body: { kind: "json", schema: releaseSmallBody },
    answers: { 201: json(releasePublishedSchema()) },
    problems: [
      ...(["release_outdated", "release_incomplete", "site_not_found", "invalid_slug"] as const),
      ...(["page_too_large", "limit_reached"] as const),
    ],
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
    description: "Adds pages to an open release, or marks pages for removal. The response lists the missing content.",
    scope: "pages:write",
    body: { kind: "json", schema: releasePagesBody },
    answers: { 200: json(releaseStagedSchema()) },
    problems: ["release_not_found", "release_outdated", "invalid_slug", "page_too_large", "limit_reached"],
  },
  "releases.putContent": {
    summary: "Upload content of a release",
    description: "A tar archive of files named by their SHA-256, optionally compressed with gzip or zstd.",
    scope: "pages:write",
    body: { kind: "bundle", file: "file", schema: z.object({}) },
    answers: { 200: json(releaseStoredSchema()) },
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
    answers: { 200: json(releaseDiffSchema()) },
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
export type ReleaseSmallBody = z.infer<typeof releaseSmallBody>;
export type ReleaseOpened = z.infer<ReturnType<typeof releaseOpenedSchema>>;
export type ReleaseStaged = z.infer<ReturnType<typeof releaseStagedSchema>>;
export type ReleaseStored = z.infer<ReturnType<typeof releaseStoredSchema>>;
export type ReleaseDiff = z.infer<ReturnType<typeof releaseDiffSchema>>;
