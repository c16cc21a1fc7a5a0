import type { Limits } from "../../contract/limits.ts";
import type { Domains } from "../domains/domains.ts";
import type { GuardedFetch } from "../guarded-fetch/guarded-fetch.ts";
import type { Blobs } from "../store/blobs.ts";
import type { Database } from "../store/tables.ts";
import type { Addresses } from "./addresses.ts";
import type { IdPrefix, RandomBytes } from "./ids.ts";
import type { Plan } from "./plan.ts";
import type { Quirks } from "./quirks.ts";

/** All that a rule may use: the account's records, and the outside world in the form of data and two functions. */
export interface Context {
  /** The transaction of the request where it writes; else the database. */
  readonly database: Database;
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
  /** The request that a change comes from, to name it in events. */
  readonly requestId?: string;
  /** Tells the sender of webhooks that something is due, once the transaction is over. */
  readonly wakeSender: () => void;
}
