import * as z from "zod";

/** One post as it was published or acknowledged by its author. */
export const postEntrySchema = z.object({
  /** Id on the service, if the service shows one. */
  id: z.string().optional(),
  url: z.string().optional(),
  /** Slug on the service, if it differs from the post's own. */
  remoteSlug: z.string().optional(),
  /**
   * Path of the Markdown file, relative to the project; `NO_FILE` if this project published it and has no file for it.
   */
  file: z.string(),
  /** Hash of the source. If read from a marker, only its first digits. */
  source: z.string(),
  /** The first digits of the hash of the file as last seen, if the service couldn't apply that edit. */
  seen: z.string().optional(),
  /** Hash of the request body, with placeholders for images; absent for posts that this project didn't send. */
  sent: z.string().optional(),
  /** Four digits per line sent, to measure later edits. */
  lines: z.string().optional(),
  /** The first digits of the hashes of its images. */
  images: z.array(z.string()).optional(),
  /** URL paths of its files in the library at the time of sending, by the first digits of their hashes. */
  files: z.record(z.string(), z.string()).optional(),
  /** Links, as written, that were sent as plain text because nothing was published at their targets. */
  unlinked: z.array(z.string()).optional(),
  /** Slug of the page that it was sent as a link to. */
  pointsTo: z.string().optional(),
  /** The service's own hash of the post after it was sent. */
  contentHash: z.string().optional(),
  /** Hash of the post as the service's list showed it after it was sent, at services without a hash of their own. */
  shown: z.string().optional(),
  /**
   * `confirmed`: imprint published it. `adopted`: it was found with the same slug and title. `acknowledged`: its author
   * confirmed that the blog has this version.
   */
  state: z.enum(["confirmed", "adopted", "acknowledged"]),
  createdAt: z.string(),
  /** Ids or slugs of posts on the service that this one replaced and that no longer count. */
  replaces: z.array(z.string()).optional(),
  /** Whether it is there as a draft because its file was one when it was last sent, or has become one since. */
  withdrawn: z.literal(true).optional(),
  /** Whether the service accepted it but shows it without its text. Then no other post is created. */
  textless: z.literal(true).optional(),
  /** Whether the service accepted it but shows nothing at its address. */
  unshown: z.literal(true).optional(),
  /** What the service removes from it, such as `tables`. */
  lacks: z.array(z.string()).optional(),
  /** Whether the service accepted it but shows only its beginning. */
  cut: z.literal(true).optional(),
  /** Addresses in it that led nowhere when its text was read, which the service's list doesn't show. */
  deadLinks: z.array(z.string()).optional(),
});

/** Stands in for the file of a post that this project published but has no file for. */
export const NO_FILE = "";

const learnedSchema = z.object({
  /** The longest time that a new post was missing from the list, in milliseconds. Absent: never measured. */
  listLagMs: z.number().optional(),
  /** Length at which the service silently truncates its list. */
  pageSize: z.number().optional(),
  /**
   * Effect of a second POST with the same slug: updates the post, is rejected, is accepted without a change, creates a
   * second post, or overwrites another one. Absent: never tried.
   */
  repeatedPost: z.enum(["upserts", "rejects", "ignores", "duplicates", "overwrites"]).optional(),
  /**
   * What a post had in common with the one of the blog over which the service wrote it as a new one. `any`: nothing
   * that is known. Absent: that never happened.
   */
  newPostOver: z.enum(["title", "slug", "any"]).optional(),
  /** Whether the blog had posts when nothing was remembered about it: posts without our marker may be ours. */
  foundPosts: z.literal(true).optional(),
});

/** A post of the blog over which the service wrote a new one, as it was before. */
const writtenOverSchema = z.object({
  /** Title of the new one. */
  sent: z.string(),
  id: z.string().optional(),
  url: z.string().optional(),
  slug: z.string().optional(),
  title: z.string().optional(),
});

export const blogLedgerSchema = z.object({
  blog: z.string(),
  learned: learnedSchema.default({}),
  /** By slug. */
  posts: z.record(z.string(), postEntrySchema),
  /** Slugs of posts that their author declared new, although they resemble a published one. */
  newPosts: z.array(z.string()).optional(),
  /** Ids of posts on the service that the author declared not ours. */
  others: z.array(z.string()).optional(),
  /** Slugs of the published posts that a post on hold may be, by its own slug. */
  onHold: z.record(z.string(), z.array(z.string())).optional(),
  /** By the slug of the new post. */
  writtenOver: z.record(z.string(), writtenOverSchema).optional(),
});

export type PostEntry = Readonly<z.infer<typeof postEntrySchema>>;
export type WrittenOver = Readonly<z.infer<typeof writtenOverSchema>>;
export type Learned = Readonly<z.infer<typeof learnedSchema>>;
export type BlogLedger = Readonly<z.infer<typeof blogLedgerSchema>>;

/** A creation that was started and whose result is unknown. */
export interface OpenIntent {
  readonly id: string;
  readonly slug: string;
  readonly uid: string;
  readonly source: string;
  readonly at: Date;
}

/** What is remembered about the posts of one blog. */
export interface PostLedger {
  /** By slug of the local post. */
  readonly entries: ReadonlyMap<string, PostEntry>;
  /** By slug. */
  readonly open: ReadonlyMap<string, OpenIntent>;
  readonly learned: Learned;
  /** Slugs of posts that this run created. */
  readonly fresh?: ReadonlySet<string>;
  /** Slugs of posts that their author declared new, although they resemble a published one. */
  readonly newPosts?: ReadonlySet<string>;
  /** Ids of posts on the service that the author declared not ours. */
  readonly others?: ReadonlySet<string>;
  /** Slugs of the published posts that a post on hold may be, by its own slug. */
  readonly onHold?: ReadonlyMap<string, readonly string[]>;
  /** Posts of the blog over which the service wrote new ones, by the slugs of those. */
  readonly writtenOver?: ReadonlyMap<string, WrittenOver>;
  /** Returns the entry that this machine wrote last; the lock file may have been restored since. */
  readonly writtenHere?: (slug: string) => PostEntry | undefined;
}

export const EMPTY_LEDGER: PostLedger = { entries: new Map(), open: new Map(), learned: {} };

/** How long the service may take to list a new post, with a margin. */
export function settleMs({ listLagMs = 0 }: Learned): number {
  return Math.max(SETTLE_MS, 3 * listLagMs);
}

/** How long a post published by an earlier run may be missing from the list, once the lag was measured. */
export function lateMs({ listLagMs }: Learned): number {
  return listLagMs === undefined ? SETTLE_MS : 3 * listLagMs;
}

/**
 * When a creation without a response may be retried if the list doesn't show it. The wait is long until the list's lag
 * has been measured.
 */
export function retryAt({ at }: OpenIntent, learned: Learned): Date {
  const wait = learned.listLagMs === undefined ? UNMEASURED_MS : settleMs(learned);
  return new Date(at.getTime() + wait);
}

export const SETTLE_MS = 60_000;
const UNMEASURED_MS = 600_000;
