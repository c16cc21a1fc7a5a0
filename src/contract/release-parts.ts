import * as z from "zod";
import { count, timestamp } from "./fields.ts";

// What opening, filling and comparing releases returns; made when it is asked for.

export const releaseOpenedSchema = () =>
  z.strictObject({
    id: z.string(),
    state: z.literal("open"),
    /** How large one bundle of content may be, in bytes before it is compressed. */
    maxBundleBytes: count,
    /** The files that were named, each with the id and address that it has or will have. */
    assets: z.array(z.strictObject({ hash: z.string(), id: z.string(), url: z.string(), missing: z.boolean() })),
    expiresAt: timestamp,
  });

export const releaseStagedSchema = () =>
  z.strictObject({
    /** The pages of this request as they will be once they are published. */
    pages: z.array(z.strictObject({ slug: z.string(), id: z.string(), version: count })),
    /** Hashes of these pages whose content has not come yet. */
    missing: z.array(z.string()),
    /** Pages that are left out, since another site has their slug. */
    collisions: z.array(z.strictObject({ slug: z.string(), siteId: z.string().nullable() })),
  });

export const releaseStoredSchema = () =>
  z.strictObject({
    /** How many entries of the bundle were taken. */
    stored: count,
    /** Hashes of this bundle whose content is still missing. */
    missing: z.array(z.string()),
    /** Entries that were not taken, and why. */
    refused: z.array(z.strictObject({ name: z.string(), detail: z.string() })),
  });

export const releaseDiffSchema = () =>
  z.strictObject({
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
