import * as z from "zod";

/** One post as it was published, or as a person vouched for it. */
export const postEntrySchema = z.object({
  /** Id at the service, where the service shows one. */
  id: z.string().optional(),
  url: z.string().optional(),
  /** Slug at the service, where it is not the post's own. */
  remoteSlug: z.string().optional(),
  /** Path of the markdown file, relative to the project; `NO_FILE` where this project published it and has none. */
  file: z.string(),
  /** Hash of the source. One that was read from a marker has its first digits only. */
  source: z.string(),
  /** The first digits of the hash of the file as it was last seen, where the service could not take that edit. */
  seen: z.string().optional(),
  /** Hash of what was sent, with placeholders for images; absent for posts that this project did not send itself. */
  sent: z.string().optional(),
  /** Four digits for each line of what was sent, to say how much was edited since. */
  lines: z.string().optional(),
  /** The first digits of the hashes of its images. */
  images: z.array(z.string()).optional(),
  /** Paths of the addresses that it was sent with, of its files in the library, by the first digits of their hashes. */
  files: z.record(z.string(), z.string()).optional(),
  /** The service's own hash of the post after it was sent. */
  contentHash: z.string().optional(),
  /**
   * `confirmed`: imprint published it. `adopted`: it was found with the same slug and title. `acknowledged`: a person
   * said that the blog has this version.
   */
  state: z.enum(["confirmed", "adopted", "acknowledged"]),
  createdAt: z.string(),
  /** Ids or slugs of posts at the service that this one was published anew for, and that do not count any more. */
  replaces: z.array(z.string()).optional(),
  /** Whether imprint took it from its readers, because its file became a draft. */
  withdrawn: z.literal(true).optional(),
  /** Whether the service took it and shows it without its text. No other post is created then. */
  textless: z.literal(true).optional(),
});

/** In place of a file, in the entry of a post that this project published and that has none here. */
export const NO_FILE = "";

const learnedSchema = z.object({
  /** The longest time that a new post was missing from the list, in milliseconds. Absent: never measured. */
  listLagMs: z.number().optional(),
  /** Where the service cuts its list without a word. */
  pageSize: z.number().optional(),
  /**
   * What a second POST of the same slug does: changes the post, is refused, is taken without a change, or makes a second
   * post. Absent: never tried.
   */
  repeatedPost: z.enum(["upserts", "rejects", "ignores", "duplicates"]).optional(),
  /** Whether the blog had posts when nothing here remembered it: posts without our marker may be ours. */
  foundPosts: z.literal(true).optional(),
});

export const blogLedgerSchema = z.object({
  blog: z.string(),
  learned: learnedSchema.default({}),
  /** By slug. */
  posts: z.record(z.string(), postEntrySchema),
  /** Slugs of posts of which a person said that they are new, though they resemble one that is published. */
  newPosts: z.array(z.string()).optional(),
  /** Ids of posts at the service of which a person said that they are none of ours. */
  others: z.array(z.string()).optional(),
  /** Slugs of the published posts that a post on hold may be, by its slug. */
  onHold: z.record(z.string(), z.array(z.string())).optional(),
});

export type PostEntry = Readonly<z.infer<typeof postEntrySchema>>;
export type Learned = Readonly<z.infer<typeof learnedSchema>>;
export type BlogLedger = Readonly<z.infer<typeof blogLedgerSchema>>;

/** A creation that was begun and of which it is not known whether it arrived. */
export interface OpenIntent {
  readonly id: string;
  readonly slug: string;
  readonly uid: string;
  readonly source: string;
  readonly at: Date;
}

/** What is remembered of the posts of one blog. */
export interface PostLedger {
  /** By slug of the local post. */
  readonly entries: ReadonlyMap<string, PostEntry>;
  /** By slug. */
  readonly open: ReadonlyMap<string, OpenIntent>;
  readonly learned: Learned;
  /** Slugs of posts that this run created. */
  readonly fresh?: ReadonlySet<string>;
  /** Slugs of posts of which a person said that they are new, though they resemble one that is published. */
  readonly newPosts?: ReadonlySet<string>;
  /** Ids of posts at the service of which a person said that they are none of ours. */
  readonly others?: ReadonlySet<string>;
  /** Slugs of the published posts that a post on hold may be, by its slug. */
  readonly onHold?: ReadonlyMap<string, readonly string[]>;
}

export const EMPTY_LEDGER: PostLedger = { entries: new Map(), open: new Map(), learned: {} };

/** How long the service may need until a new post is in its list, with room. */
export function settleMs({ listLagMs = 0 }: Learned): number {
  return Math.max(SETTLE_MS, 3 * listLagMs);
}

/** How long a post that an earlier run published need not be in the list, once it was measured how late that is. */
export function lateMs({ listLagMs }: Learned): number {
  return listLagMs === undefined ? SETTLE_MS : 3 * listLagMs;
}

/**
 * When a creation of which nothing was heard may be repeated, if the list does not show it. As long as it was never
 * measured how late the list is, the wait is long.
 */
export function retryAt({ at }: OpenIntent, learned: Learned): Date {
  const wait = learned.listLagMs === undefined ? UNMEASURED_MS : settleMs(learned);
  return new Date(at.getTime() + wait);
}

export const SETTLE_MS = 60_000;
const UNMEASURED_MS = 600_000;
