import * as z from "zod";
import type { Blog, BrandKit, Site } from "../client/api.ts";
import { brandDesignSchema } from "../contract/brand-design.ts";
import { brandColorSchema, brandFontSchema, brandFrameSchema, brandLogoSchema } from "../contract/brand-parts.ts";
import { dialectSchema } from "../contract/dialect.ts";

// What runs learned about one target. It is a cache of the service and can be deleted at any time; what has to survive
// that is also in the lock file.

export const pageStateSchema = z.object({
  /** ID on the service: a page with the same slug and another ID is a different page. */
  id: z.string().optional(),
  /** Hash of the HTML with placeholders. */
  hash: z.string(),
  /** Hashes of the versions that were sent before, the latest first: caches may still have them. */
  earlier: z.array(z.string()).optional(),
  /** SHA-256 of the HTML as sent. */
  sent: z.string(),
  /** Hash of the page on the service, as reported or as read, if it differs from that of what was sent. */
  shown: z.string().optional(),
  /** Hash of the words that readers were shown, for hosts of which every answer differs. */
  words: z.string().optional(),
  /** The status that the service gave it when it was sent, if readers don't see it: `draft`. */
  hiddenAs: z.string().optional(),
  /** Its title in the service's list: if it differs later, somebody changed it there. */
  title: z.string().optional(),
  /** Its title in the list before it was sent with another one: until the list shows the new one, it is no edit. */
  formerTitle: z.string().optional(),
  /** The title that it was sent with. */
  sentTitle: z.string().optional(),
  /** When the service last changed it: reveals an edit if the service reports no hash. */
  updatedAt: z.string().optional(),
  /** Its version on the service: the next update replaces only this version. */
  version: z.number().optional(),
  /** Its `ETag`, which does the same at other services. */
  etag: z.string().optional(),
});

const sendingSchema = pageStateSchema.extend({
  /** Key of the creation in progress, which a resumed run reuses. */
  key: z.string().optional(),
});

export const assetStateSchema = z.object({
  id: z.string(),
  url: z.string(),
});

export interface RememberedAsset extends z.infer<typeof assetStateSchema> {
  /** When a run on this machine first saw it in the library. */
  readonly since?: string;
}

const uploadSchema = z.object({
  /** Key of the upload in progress, which a resumed run reuses. */
  key: z.string(),
});

export const brandKitStateSchema = z.object({
  id: z.string(),
  /** The name that the project gave it when it was sent: another one shows that somebody renamed it. */
  name: z.string().optional(),
  hash: z.string(),
  /** Hash of only the name, colors, fonts and logos. */
  brandHash: z.string().optional(),
  /** Hash of what the service showed of it after it was sent: a different one shows that somebody edited it there. */
  shown: z.string().optional(),
  /** The same of what was last sent, if it showed something else: some services apply a change later. */
  sent: z.string().optional(),
  attachedTo: z.string().optional(),
});

const librarySeenSchema = z.object({
  /** Number of files in the library, including those of others. */
  count: z.int().nonnegative(),
  /** ID of the first file in its list; absent if it was empty. */
  newest: z.string().optional(),
});

const changesSeenSchema = z.object({
  /** How often records of the kind were written, including deletions. */
  count: z.int().nonnegative(),
  /** Time of the last write. */
  latest: z.string().nullable(),
  /** Number of records. */
  records: z.int().nonnegative(),
});

/** A site, a brand kit or a blog of ours without its times; fields that aren't listed are texts or numbers. */
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

/** Our records, each with the changes of its kind at that time. */
const seenChangesSchema = z.object({
  account: z.string(),
  pagesUrl: z.string(),
  sites: seenRecord<Site>(ownRecordSchema),
  brandKits: seenRecord<BrandKit>(ownKitSchema),
  blogs: seenRecord<Blog>(ownRecordSchema),
});

/** Returns `undefined` if the records can't be stored; then they are listed. */
export function parseSeenChanges(value: unknown): z.infer<typeof seenChangesSchema> | undefined {
  return seenChangesSchema.safeParse(value, { jitless: true }).data;
}

/** Single values of the state. */
const idsSchema = z.object({
  /** ID of the project, by which its records are recognized on a shared account. */
  project: z.string().optional(),
  siteId: z.string().optional(),
  /** The project's last values for the site: values that differ on the service were changed there. */
  wantedSite: z.record(z.string(), z.string()).optional(),
  /** `null` if the service may have a blog of the project with an unknown ID. */
  blogId: z.string().nullable().optional(),
  brandKit: brandKitStateSchema.optional(),
  /** Slugs of pages that this project deleted, the latest last. */
  deleted: z.array(z.string()).optional(),
  /** For records that are being created: IDs of those that already had the name. */
  begun: z
    .object({ sites: z.array(z.string()), brandKits: z.array(z.string()), blogs: z.array(z.string()) })
    .partial()
    .optional(),
  /** ID of the site's live release when a run last checked; `null` for none. */
  release: z.string().nullable().optional(),
  /** Whether a release was started but not published: what was sent for it needn't be sent again. */
  filling: z.boolean().optional(),
  dialect: dialectSchema.optional(),
  /** Whether the lock file has to list the files, because the library renames them or may not list all of them. */
  locksFiles: z.boolean().optional(),
  /** When the last upload was started or acknowledged: a list may not show it yet. */
  uploadedAt: z.iso.datetime().optional(),
  /** When a run last started to create a site or a brand kit: a list may not show it yet. */
  createdAt: z.iso.datetime().optional(),
  /** When a run last sent pages. */
  sentAt: z.iso.datetime().optional(),
  /** Concurrent requests that the service accepted in the last run that sent many. */
  concurrency: z.int().positive().optional(),
  /** Detected route set of the service. */
  routeSet: z.enum(["a", "b"]).optional(),
  /** The service's time up to which all page changes are known. */
  seenAt: z.iso.datetime().optional(),
  /** Slugs of pages on the service that this target didn't publish: those of others, and previews. */
  otherPages: z.array(z.string()).optional(),
  /** IDs of files of others that the library returned in place of storing this project's. */
  otherFiles: z.array(z.string()).optional(),
  /** Fingerprint of the library when it was completely known. */
  library: librarySeenSchema.optional(),
  /** Records that needn't be listed while the service's change counts are the same. If damaged, they are listed. */
  seenChanges: seenChangesSchema.optional().catch(undefined),
});

// The memory omits damaged values, so only rows of another version could lack a field. Validating thousands of them by
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
  /** Why files, which are inlined in pages, and brand kits were refused, by hash, and slugs, by `refusedSlug`. */
  refused: z.record(z.string(), z.string()).default({}),
  /** By slug: pages that a run was sending. It is unknown whether they arrived. */
  sending: z.record(z.string(), sendingSchema).default({}),
  /** By asset hash: uploads without a response. */
  uploading: z.record(z.string(), uploadSchema).default({}),
});

export type State = z.infer<typeof stateSchema>;
export type StateIds = z.infer<typeof idsSchema>;

/** The fields of a state that hold many values by name; the others are `StateIds`. */
export const STATE_TABLES = ["pages", "assets", "refused", "sending", "uploading"] as const;

export const EMPTY_STATE: State = { pages: {}, assets: {}, refused: {}, sending: {}, uploading: {} };

/** Finds the record that didn't exist before one was sent: it is ours, although the response was lost. */
export function findBegun<Named extends { readonly id: string }>(
  namesakes: readonly Named[],
  before?: readonly string[],
): Named | undefined {
  return before === undefined ? undefined : namesakes.find(({ id }) => !before.includes(id));
}

/** Name in `refused` of a record that the service returned another of in place of creating it. */
export function refusedRecord(kind: "site" | "blog"): string {
  return `new ${kind}`;
}

/** Name in `refused` of the request that attaches a brand kit to a site. */
export function refusedKit({ siteId, kitId }: { readonly siteId: string; readonly kitId: string }): string {
  return `kit ${kitId} of site ${siteId}`;
}

/** Name of a slug in `refused`. */
export function refusedSlug(slug: string): string {
  return `slug ${slug}`;
}

/** Prefix of the refusal of a file that is too large for a request: a page with it inlined would be even larger. */
export const TOO_LARGE = "it is too large for the service";

/** Prefix of the refusal of a file of which readers don't get all bytes, although the library has it. */
export const NOT_AS_SENT = "the library doesn't serve it as it was sent";

/** Returns `undefined` for another version; the state is then rebuilt from the service. */
export function parseState(value: unknown): State | undefined {
  return stateSchema.safeParse(value, { jitless: true }).data;
}
