import type { Limits } from "../../contract/limits.ts";
import type { Blobs } from "../store/blobs.ts";
import type { Database } from "../store/tables.ts";
import type { Addresses } from "./addresses.ts";
import type { IdPrefix } from "./ids.ts";
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
}
