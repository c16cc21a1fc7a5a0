import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Scope } from "../../contract/scopes.ts";
import type { Limits } from "../../contract/limits.ts";
import type { Domains } from "../domains/domains.ts";
import type { GuardedFetch } from "../guarded-fetch/guarded-fetch.ts";
import type { Blobs } from "../store/blobs.ts";
import type { Database } from "../store/tables.ts";
import type { Addresses } from "./addresses.ts";
import { base62, RANDOM_BYTES } from "../../contract/api-key.ts";
import { type WriteScope, writeTransaction } from "../store/transactions.ts";

/** Everything that a rule may use: the account's records, and the outside world as data and two functions. */
export interface Context {
  /** The request's transaction for writes, otherwise the database. */
  readonly database: Database;
  /** For expensive reads. Sees only committed data, nothing of an open transaction. */
  readonly reader: Database;
  readonly blobs: Blobs;
  readonly accountId: string;
  readonly now: Date;
  readonly plan: Plan;
  readonly limits: Limits;
  readonly quirks: Quirks;
  readonly addresses: Addresses;
  readonly newId: (prefix: IdPrefix) => string;
  readonly random: RandomBytes;
  /** Client for URLs in requests. Slow, so never used inside a transaction. */
  readonly remote: GuardedFetch;
  readonly domains: Omit<Domains, "close">;
  /** The caller; absent for the service itself. */
  readonly actor?: Actor;
  /** Id of the request that makes a change, for its events. */
  readonly requestId?: string;
  /** Wakes the queue that writes the pages of published releases. */
  readonly wakeSettler: () => void;
  /** Wakes the webhook queue after the transaction. */
  readonly wakeSender: () => void;
  /** Wakes the mail queue after the transaction; absent if the service sends no mail. */
  readonly wakeMailer?: () => void;
}

/** The caller, through any interface. */
export interface Actor {
  /** An API key, the access token of an authorized program, or a signed-in browser. */
  readonly kind: "key" | "token" | "session";
  /** Id of the key or of the token's grant, or the SHA-256 of the session token. */
  readonly keyId: string;
  /** `null` for a key of the account itself. */
  readonly userId: string | null;
  /** Never more than the user's role allows. `null`: all scopes. */
  readonly scopes: readonly Scope[] | null;
}

/** The account's plan. */
export type Plan = "trial" | "grow" | "pro";

/** Possible responses to creating a post whose slug is taken by different content. */
export type RepeatedPost = "reject" | "upsert" | "suffix" | "duplicate";

/** Possible list paging: with cursors, none, or silently cut after the first 50. */
export type ListPaging = "paged" | "unpaged" | "cut";

/**
 * Behaviors of other implementations of the specification, to test that a client is safe with all of them. The defaults
 * are this service's behavior.
 */
export interface Quirks {
  readonly repeatedPost: RepeatedPost;
  /** How long new records are missing from lists, in milliseconds. */
  readonly listLagMs: number;
  readonly lists: ListPaging;
  /** `opaque`: serves library files as `application/octet-stream` without CORS. */
  readonly libraryHeaders: "typed" | "opaque";
  /** `cleaned`: removes hidden elements and `data-` attributes from the HTML of posts, as sanitizers do. */
  readonly postHtml: "kept" | "cleaned";
  /** `ignored`: repeats a request with the same `Idempotency-Key`. */
  readonly idempotencyKeys: "kept" | "ignored";
}

export const NO_QUIRKS: Quirks = {
  repeatedPost: "reject",
  listLagMs: 0,
  lists: "paged",
  libraryHeaders: "typed",
  postHtml: "kept",
  idempotencyKeys: "kept",
};

/** Id prefix by kind of record. */
export type IdPrefix =
  | "acc"
  | "pg"
  | "st"
  | "as"
  | "bl"
  | "po"
  | "bk"
  | "key"
  | "log"
  | "fm"
  | "sb"
  | "evt"
  | "wh"
  | "msg"
  | "grant"
  | "client"
  | "dm"
  | "rel"
  | "usr"
  | "aud"
  | "mail";

export type RandomBytes = (size: number) => Uint8Array;

const POOL_BYTES = 4096;

export function systemNow(): Date {
  return new Date();
}

/** Creates a source of the system's random bytes, fetched in bulk: every request needs a few for its id. */
export function createRandomBytes(): RandomBytes {
  let pool = randomBytes(POOL_BYTES);
  let used = 0;
  return (size) => {
    if (size > POOL_BYTES) return randomBytes(size);
    if (used + size > POOL_BYTES) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    used += size;
    return pool.subarray(used - size, used);
  };
}

/** Creates an id with 128 random bits, such as `pg_0Zc3…`. */
export function createId(prefix: IdPrefix, random: RandomBytes): string {
  return `${prefix}_${base62(random(RANDOM_BYTES))}`;
}

// Ids that start with the time keep concurrent inserts together in the database, where random ids would touch many
// places. These tables are append-only until old rows are deleted, and their ids don't protect anything.
const TIMED_IDS: ReadonlySet<IdPrefix> = new Set<IdPrefix>(["evt", "msg", "log", "sb", "mail"]);
const TIME_BYTES = 6;

/** Creates the id of a new record. For append-only records, it starts with the time and has 80 random bits. */
export function createIdAt(now: Date, { prefix, random }: { readonly prefix: IdPrefix; readonly random: RandomBytes }) {
  if (!TIMED_IDS.has(prefix)) return createId(prefix, random);
  const bytes = Buffer.from(random(RANDOM_BYTES));
  bytes.writeUIntBE(Math.max(0, now.getTime()), 0, TIME_BYTES);
  return `${prefix}_${base62(bytes)}`;
}

/**
 * Runs a rule in a transaction. It may run again after losing a race, so it must only change the database. Webhooks are
 * woken afterwards: before the commit, there is nothing to send.
 */
export async function inTransaction<Result>(
  context: Context,
  rule: (context: Context) => Promise<Result>,
  scope?: WriteScope,
): Promise<Result> {
  const woken = new Set<() => void>();
  const wakeSender = () => void woken.add(context.wakeSender);
  const { wakeMailer } = context;
  const mailer = wakeMailer && { wakeMailer: () => void woken.add(wakeMailer) };
  const result = await writeTransaction(
    context.database,
    (database) => rule({ ...context, ...mailer, database, wakeSender }),
    scope,
  );
  for (const wake of woken) wake();
  return result;
}

/** Maximum time that bulk work may block the thread that serves requests, in milliseconds. */
export const TURN_MS = 5;

/** Creates a function that yields to other work after that time. Not for transactions, which would block others. */
export function createTurns(): () => Promise<void> {
  let started = performance.now();
  return async () => {
    if (performance.now() - started < TURN_MS) return;
    await nextTurn();
    started = performance.now();
  };
}

const MAX_SLICE = 50;

/**
 * Processes items in short transactions, so that other requests are served in between. Partial results must be valid.
 */
export async function inSlices<Item>(
  context: Context,
  items: readonly Item[],
  work: (context: Context, item: Item) => Promise<void>,
): Promise<void> {
  for (let done = 0; done < items.length;) {
    const from = done;
    done = await inTransaction(
      context,
      async (transaction) => {
        const started = performance.now();
        let next = from;
        while (next < Math.min(items.length, from + MAX_SLICE) && performance.now() - started < TURN_MS) {
          const item = items[next++];
          if (item !== undefined) await work(transaction, item);
        }
        return next;
      },
      "shared",
    );
  }
}
