import * as z from "zod";
import { ImprintError, messageOf } from "../base/error.ts";
import { blogLedgerSchema } from "./posts/ledger.ts";

// Two files, for two questions. The lock file answers "which names did we give?" and may be committed: without it a
// new page could move the slug of an old one. The state file answers "what did we send?"; it is a cache of the
// service and can be deleted at any time.

const lockSchema = z.object({
  version: z.literal(1),
  /** Slug by route. */
  slugs: z.record(z.string(), z.string()),
  /** Published posts, by target and blog. Absent in lock files of projects without posts. */
  posts: z.record(z.string(), blogLedgerSchema).optional(),
  /** Routes of pages that were made of posts, because the site has none for them. */
  postPages: z.array(z.string()).optional(),
});

const pageStateSchema = z.object({
  /** Hash of the HTML with placeholders. */
  hash: z.string(),
  /** SHA-256 of the HTML as it was sent. */
  sent: z.string(),
  /** Version that the service gave it: what is sent next replaces nothing else. */
  version: z.number().optional(),
});

const assetStateSchema = z.object({ id: z.string(), url: z.string() });

const brandKitStateSchema = z.object({ id: z.string(), hash: z.string(), attachedTo: z.string().optional() });

const librarySeenSchema = z.object({
  /** How many files the library held, those of others included. */
  count: z.int().nonnegative(),
  /** Id of the file that stood first in its list; absent when it was empty. */
  newest: z.string().optional(),
});

const stateSchema = z.object({
  version: z.literal(1),
  siteId: z.string().optional(),
  blogId: z.string().optional(),
  brandKit: brandKitStateSchema.optional(),
  /** By slug. */
  pages: z.record(z.string(), pageStateSchema),
  /** By asset hash. */
  assets: z.record(z.string(), assetStateSchema),
  /** By slug: pages that a run was sending when it last wrote this. Whether they arrived is not known. */
  sending: z.record(z.string(), pageStateSchema).default({}),
  /** How many requests at a time the service took in the last run that sent much. */
  concurrency: z.int().positive().optional(),
  /** Time of the service up to which every change of a page is known. */
  seenAt: z.iso.datetime().optional(),
  /** Slugs of pages at the service that this target did not publish: those of others, and previews. */
  otherPages: z.array(z.string()).optional(),
  /** The library when all of it was known. */
  library: librarySeenSchema.optional(),
});

/** One thing that a run learned: a line of the journal. */
const stateEntrySchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("ids"),
    siteId: z.string().optional(),
    blogId: z.string().optional(),
    brandKit: brandKitStateSchema.optional(),
    concurrency: z.int().positive().optional(),
    seenAt: z.iso.datetime().optional(),
    otherPages: z.array(z.string()).optional(),
    library: librarySeenSchema.optional(),
  }),
  z.object({ kind: z.literal("sending"), name: z.string(), value: pageStateSchema }),
  z.object({ kind: z.literal("page"), name: z.string(), value: pageStateSchema }),
  z.object({ kind: z.literal("no-page"), name: z.string() }),
  z.object({ kind: z.literal("asset"), name: z.string(), value: assetStateSchema }),
  z.object({ kind: z.literal("no-asset"), name: z.string() }),
]);

export type Lock = z.infer<typeof lockSchema>;
export type State = z.infer<typeof stateSchema>;
export type StateEntry = z.infer<typeof stateEntrySchema>;

export const EMPTY_LOCK: Lock = { version: 1, slugs: {} };
export const EMPTY_STATE: State = { version: 1, pages: {}, assets: {}, sending: {} };

/**
 * The committed lock file.
 *
 * @throws ImprintError `STATE_UNREADABLE` when it is not one: a person may have to resolve a merge conflict in it, so
 * it is never replaced silently.
 */
export function parseLock(text: string, file: string): Lock {
  try {
    return lockSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new ImprintError("STATE_UNREADABLE", `${file} is not a lock file of this version: ${firstLine(error)}`, {
      cause: error,
      hint: "Resolve merge conflicts in it, or delete it: slugs are then made anew from the routes.",
    });
  }
}

/** The state file, or `undefined` when it is damaged or of another version: it is then rebuilt from the service. */
export function parseState(text: string): State | undefined {
  try {
    const result = stateSchema.safeParse(JSON.parse(text));
    return result.success ? result.data : undefined;
  } catch {
    // Not JSON: an earlier version, or a disk that lost its end. The service knows what is there.
    return undefined;
  }
}

/** The lines of a journal; a line that was cut off, and what stands after it, is left out. */
export function parseJournal(text: string): readonly StateEntry[] {
  const entries: StateEntry[] = [];
  for (const line of text.split("\n").slice(0, -1)) {
    const entry = parseEntry(line);
    if (entry === undefined) break;
    entries.push(entry);
  }
  return entries;
}

export function renderEntry(entry: StateEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

function parseEntry(line: string): StateEntry | undefined {
  try {
    return stateEntrySchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

export function renderLock(lock: Lock): string {
  return `${JSON.stringify({ ...lock, slugs: sortKeys(lock.slugs) }, undefined, 2)}\n`;
}

function sortKeys(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function firstLine(error: unknown): string {
  return messageOf(error).split("\n", 1)[0] ?? "";
}
