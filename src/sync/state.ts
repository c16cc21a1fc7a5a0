import * as z from "zod";
import type { Blog, BrandKit, Site } from "../client/api.ts";
import { brandDesignSchema } from "../contract/brand-design.ts";
import { brandColorSchema, brandFontSchema, brandFrameSchema, brandLogoSchema } from "../contract/brand-parts.ts";
import { dialectSchema } from "../contract/dialect.ts";

// What a run learned of one target. It is a cache of the service and can be deleted at any time; what has to survive that
// stands in the lock file too.

export const pageStateSchema = z.object({
  /** Id at the service: a page of the same slug and another id is another page. */
  id: z.string().optional(),
  /** Hash of the HTML with placeholders. */
  hash: z.string(),
  /** SHA-256 of the HTML as it was sent. */
  sent: z.string(),
  /** Hash of the page as the service has it, by its own word or as it was read, where it is not that of what was sent. */
  shown: z.string().optional(),
  /** What the service made of it when it was sent, where readers don't see that: `draft`. */
  hiddenAs: z.string().optional(),
  /** Its title as the service lists it: another one later was written there. */
  title: z.string().optional(),
  /** The title that it was sent with. */
  sentTitle: z.string().optional(),
  /** When the service last changed it: a sign of an edit where it shows no hash. */
  updatedAt: z.string().optional(),
  /** Version that the service gave it: what is sent next replaces nothing else. */
  version: z.number().optional(),
  /** Its `ETag`, which does the same at other services. */
  etag: z.string().optional(),
});

const sendingSchema = pageStateSchema.extend({
  /** Key of the creation that was begun, to be used again by the run that resumes. */
  key: z.string().optional(),
});

export const assetStateSchema = z.object({
  id: z.string(),
  url: z.string(),
});

export interface RememberedAsset extends z.infer<typeof assetStateSchema> {
  /** When a run on this machine first knew that the library has it. */
  readonly since?: string;
}

const uploadSchema = z.object({
  /** Key of the upload that was begun, to be used again by the run that resumes. */
  key: z.string(),
});

export const brandKitStateSchema = z.object({
  id: z.string(),
  hash: z.string(),
  /** Hash of name, colors, fonts and logos alone. */
  brandHash: z.string().optional(),
  attachedTo: z.string().optional(),
});

const librarySeenSchema = z.object({
  /** How many files the library held, those of others included. */
  count: z.int().nonnegative(),
  /** Id of the file that stood first in its list; absent when it was empty. */
  newest: z.string().optional(),
});

const changesSeenSchema = z.object({
  /** How often records of the kind were written, deletions included. */
  count: z.int().nonnegative(),
  /** When that was last. */
  latest: z.string().nullable(),
  /** How many records there were. */
  records: z.int().nonnegative(),
});

/** A site, a brand kit or a blog of ours without its times; what isn't named here is a text or a number. */
const ownRecordSchema = z
  .object({
    id: z.string(),
    colors: z.array(brandColorSchema).optional(),
    fonts: z.array(brandFontSchema).optional(),
    logos: z.array(brandLogoSchema).optional(),
  })
  .catchall(z.union([z.string(), z.number()]).optional());
const ownKitSchema = z.lazy(() =>
  ownRecordSchema.required().extend({ design: brandDesignSchema.nullish(), frame: brandFrameSchema.nullish() }),
);

function seenRecord<Kept>(schema: z.ZodType) {
  const record = z.custom<Kept>((value) => schema.safeParse(value, { jitless: true }).success);
  return z.object({ changes: changesSeenSchema, record }).optional();
}

/** Records of ours, each with the changes that its kind had had. */
const seenChangesSchema = z.object({
  account: z.string(),
  pagesUrl: z.string(),
  sites: seenRecord<Site>(ownRecordSchema),
  brandKits: seenRecord<BrandKit>(ownKitSchema),
  blogs: seenRecord<Blog>(ownRecordSchema),
});

/** `undefined` when the records can't be kept; then they are listed. */
export function parseSeenChanges(value: unknown): z.infer<typeof seenChangesSchema> | undefined {
  return seenChangesSchema.safeParse(value, { jitless: true }).data;
}

/** What there is one of. */
const idsSchema = z.object({
  /** Id of the project, by which its own things are recognized on a shared account. */
  project: z.string().optional(),
  siteId: z.string().optional(),
  /** What the project wanted of the site last: what differs from it at the service was changed there. */
  wantedSite: z.record(z.string(), z.string()).optional(),
  /** `null`: the service may have a blog of the project of which nothing here knows the id. */
  blogId: z.string().nullable().optional(),
  brandKit: brandKitStateSchema.optional(),
  /** Of what was sent without its id being known yet: ids of those that had its name before. */
  begun: z
    .object({ sites: z.array(z.string()), brandKits: z.array(z.string()), blogs: z.array(z.string()) })
    .partial()
    .optional(),
  /** Id of the site's release that was live when a run looked last; `null`: none was. */
  release: z.string().nullable().optional(),
  /** Whether a release was begun that was not published: what was sent for it need not be sent again. */
  filling: z.boolean().optional(),
  dialect: dialectSchema.optional(),
  /** Whether the lock file has to keep the files: the library renames them, or may not list all of them. */
  locksFiles: z.boolean().optional(),
  /** When an upload was begun or answered last: a list may not show it yet. */
  uploadedAt: z.iso.datetime().optional(),
  /** How many requests at a time the service took in the last run that sent much. */
  concurrency: z.int().positive().optional(),
  /** What a service that doesn't name its account was found to speak. */
  routeSet: z.enum(["a", "b"]).optional(),
  /** Time of the service up to which every change of a page is known. */
  seenAt: z.iso.datetime().optional(),
  /** Slugs of pages at the service that this target did not publish: those of others, and previews. */
  otherPages: z.array(z.string()).optional(),
  /** The library when all of it was known. */
  library: librarySeenSchema.optional(),
  /** What need not be listed while the service counts the same changes. Damaged: it is listed. */
  seenChanges: seenChangesSchema.optional().catch(undefined),
});

// The memory leaves out what is damaged: only rows of another version could miss a field. To check thousands of them by a
// schema would take longer than the rest of a run in which nothing changed.
function tableOf<Row>(fields: readonly (keyof Row & string)[]) {
  const isRow = (row: unknown) => fields.every((field) => typeof Object(row)[field] === "string");
  return z.custom<Readonly<Record<string, Row>>>(
    (table) => typeof table === "object" && table !== null && Object.values(table).every(isRow),
  );
}

const stateSchema = idsSchema.extend({
  /** By slug. */
  pages: tableOf<z.infer<typeof pageStateSchema>>(["hash", "sent"]),
  /** By asset hash. */
  assets: tableOf<RememberedAsset>(["id", "url"]),
  /** By asset hash: files that the library refused, and why. They are put into the pages that use them. */
  refused: z.record(z.string(), z.string()).default({}),
  /** By slug: pages that a run was sending when it last wrote this. Whether they arrived is not known. */
  sending: z.record(z.string(), sendingSchema).default({}),
  /** By asset hash: uploads that were begun and of which nothing was heard. */
  uploading: z.record(z.string(), uploadSchema).default({}),
});

export type State = z.infer<typeof stateSchema>;
export type StateIds = z.infer<typeof idsSchema>;

/** The fields of a state that hold many values by name; the others are `StateIds`. */
export const STATE_TABLES = ["pages", "assets", "refused", "sending", "uploading"] as const;

export const EMPTY_STATE: State = { pages: {}, assets: {}, refused: {}, sending: {}, uploading: {} };

/** The record that was not there before one was sent: it is ours, though nobody read the response to its creation. */
export function findBegun<Named extends { readonly id: string }>(
  namesakes: readonly Named[],
  before?: readonly string[],
): Named | undefined {
  return before === undefined ? undefined : namesakes.find(({ id }) => !before.includes(id));
}

/** `undefined` when it is of another version: it is then rebuilt from the service. */
export function parseState(value: unknown): State | undefined {
  return stateSchema.safeParse(value, { jitless: true }).data;
}
