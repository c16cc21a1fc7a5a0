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

/** All that a rule may use: the account's records, and the outside world in the form of data and two functions. */
export interface Context {
  /** The transaction of the request where it writes; else the database. */
  readonly database: Database;
  /** For what reads much. Sees what is committed, so nothing of a transaction that is open. */
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
  /** The way to addresses that a request names. Slow, so never used inside of a transaction. */
  readonly remote: GuardedFetch;
  readonly domains: Omit<Domains, "close">;
  /** Who asks; absent: the service itself. */
  readonly actor?: Actor;
  /** The request that a change comes from, to name it in events. */
  readonly requestId?: string;
  /** Wakes what writes the pages of published releases. */
  readonly wakeSettler: () => void;
  /** Wakes the sender of webhooks since something is due, once the transaction is over. */
  readonly wakeSender: () => void;
  /** The same for the sender of mail; absent: the service sends none. */
  readonly wakeMailer?: () => void;
}

/** Who asks for something, whichever front they come through. */
export interface Actor {
  /** An API key, the access token of a program that a person authorized, or a browser that is signed in. */
  readonly kind: "key" | "token" | "session";
  /** Of the key, of the grant that the token comes from, or the SHA-256 of what the browser holds. */
  readonly keyId: string;
  /** `null`: a key of the account itself. */
  readonly userId: string | null;
  /** Never more than the user's role has. `null`: all of them. */
  readonly scopes: readonly Scope[] | null;
}

/** What an account has paid for. */
export type Plan = "trial" | "grow" | "pro";

/** What a service may do with a POST of a post whose slug is taken by another content. */
export type RepeatedPost = "reject" | "upsert" | "suffix" | "duplicate";

/** How a service may cut its lists: with cursors, not at all, or silently after the first 50. */
export type ListPaging = "paged" | "unpaged" | "cut";

/**
 * Ways in which another implementation of the specification may behave, for tests of a client that has to be safe
 * against all of them. The defaults are how this service behaves.
 */
export interface Quirks {
  readonly repeatedPost: RepeatedPost;
  /** How long a new record is missing from lists, in milliseconds. */
  readonly listLagMs: number;
  readonly lists: ListPaging;
  /** `opaque`: library files are served as `application/octet-stream` and without CORS. */
  readonly libraryHeaders: "typed" | "opaque";
  /** `cleaned`: hidden elements and `data-` attributes are taken out of the HTML of posts, as sanitizers do. */
  readonly postHtml: "kept" | "cleaned";
  /** `ignored`: a repeated request with the same `Idempotency-Key` is carried out again. */
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

/** What an id starts with, by the kind of record. */
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

/** Gives as many random bytes as it is asked for. */
export type RandomBytes = (size: number) => Uint8Array;

const POOL_BYTES = 4096;

/** The time of the system. */
export function systemNow(): Date {
  return new Date();
}

/** Random bytes of the system, fetched many at a time: every request needs a few for its id. */
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

/** An id with 128 random bits, such as `pg_0Zc3…`. */
export function createId(prefix: IdPrefix, random: RandomBytes): string {
  return `${prefix}_${base62(random(RANDOM_BYTES))}`;
}

// What comes together then stands together in the database, where random ids would each touch a place of their own. These
// tables only grow, until the oldest is forgotten, and nothing is kept secret by not knowing an id of theirs.
const TIMED_IDS: ReadonlySet<IdPrefix> = new Set<IdPrefix>(["evt", "msg", "log", "sb", "mail"]);
const TIME_BYTES = 6;

/** An id for a new record. Those of records that are only added begin with the time, and have 80 random bits. */
export function createIdAt(
  now: Date,
  { prefix, random }: { readonly prefix: IdPrefix; readonly random: RandomBytes },
): string {
  if (!TIMED_IDS.has(prefix)) return createId(prefix, random);
  const bytes = Buffer.from(random(RANDOM_BYTES));
  bytes.writeUIntBE(Math.max(0, now.getTime()), 0, TIME_BYTES);
  return `${prefix}_${base62(bytes)}`;
}

/**
 * Runs a rule in a transaction. It may be run again when it lost a race, so it changes nothing but the database. Webhooks
 * are sent after it: before, the sender would find nothing to send.
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

/** The longest that work on many things holds the thread that serves requests, in milliseconds. */
export const TURN_MS = 5;

/** Makes what lets others be served when work has taken a turn. Not in a transaction, which others would wait for. */
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
 * Works on many items in transactions that are short, so that others are served in between. What is done for some of them
 * must make sense without the others.
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
