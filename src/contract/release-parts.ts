import * as z from "zod";
import { releaseRecord } from "./extension-records.ts";
import { count, timestamp } from "./fields.ts";

// Responses of opening, filling and comparing releases; created on demand.

export const releaseOpenedSchema = () =>
  z.strictObject({
    id: z.string(),
    state: z.literal("open"),
    /** Maximum size of one bundle of content, in bytes before compression. */
    maxBundleBytes: count,
    /** The listed files, each with the ID and address that it has or will have. */
    assets: z.array(z.strictObject({ hash: z.string(), id: z.string(), url: z.string(), missing: z.boolean() })),
    expiresAt: timestamp,
  });

const stagedPages = () => z.array(z.strictObject({ slug: z.string(), id: z.string(), version: count }));

export const releasePublishedSchema = () =>
  z.strictObject({
    release: releaseRecord.full,
    /** The pages of this request as they are now. */
    pages: stagedPages(),
  });

export const releaseStagedSchema = () =>
  z.strictObject({
    /** The pages of this request as they will be once published. */
    pages: stagedPages(),
    /** Hashes of those pages whose content is still missing. */
    missing: z.array(z.string()),
    /** Pages that are omitted because another site has their slug. */
    collisions: z.array(z.strictObject({ slug: z.string(), siteId: z.string().nullable() })),
  });

export const releaseStoredSchema = () =>
  z.strictObject({
    stored: count,
    /** Hashes of this bundle whose content is still missing. */
    missing: z.array(z.string()),
    /** Entries that were rejected, and why. */
    refused: z.array(z.strictObject({ name: z.string(), detail: z.string() })),
  });

export const releaseDiffSchema = () =>
  z.strictObject({
    id: z.string(),
    /** The release that it is compared to; null for none. */
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
