import type { RouteSetName } from "../contract/route.ts";
import type { Scope } from "../contract/scopes.ts";
import type { SignInLink } from "./auth/sessions.ts";
import type { FaultPlan } from "./development/fault-rules.ts";
import type { RequestLogEntry } from "./development/request-log.ts";

/** What to name a new key, and what it may do. */
export interface KeyOptions {
  /** What the key is for, to tell it from others. */
  readonly name: string;
  /**
   * What the key may do.
   *
   * @default all scopes
   */
  readonly scopes?: readonly Scope[];
}

/** A new key. Its text is shown this once: only a hash of it is stored. */
export interface CreatedKey {
  readonly id: string;
  readonly apiKey: string;
}

/** The service in this process. */
export interface Service {
  /** Address of the API and the dashboard, such as `http://localhost:4400`. */
  readonly url: string;
  /** Address of published pages and library files, such as `http://127.0.0.1:4401`. */
  readonly pagesUrl: string;
  /** A key with all scopes that is valid until `close`. It is not stored. */
  readonly apiKey: string;
  /** The base address of a route set, such as `http://localhost:4400/a`. */
  baseUrl(routeSet: RouteSetName): string;
  /** Answers a request without a socket; those to `pagesUrl` and to custom domains by the host of published pages. */
  fetch(request: Request): Promise<Response>;
  /** Makes an API key that stays valid until it is revoked. */
  createKey(options: KeyOptions): Promise<CreatedKey>;
  /** Makes a link that signs a browser in to the dashboard, once, within 15 minutes. */
  createSignInLink(): Promise<SignInLink>;
  /** Revokes a key by its id; the next request with it is refused. */
  revokeKey(id: string): Promise<void>;
  /** The requests that were answered, oldest first; only those from a time on when one is given. */
  requests(since?: Date): readonly RequestLogEntry[];
  /** Orders what goes wrong from now on and replaces what was ordered before; `{}` ends all of it. */
  setFaults(plan: FaultPlan): void;
  /** Keeps a copy of all records until `close` and gives its name. */
  snapshot(): Promise<string>;
  /** Puts all records back as they were at a snapshot. Keys stay as they are. */
  restore(snapshot: string): Promise<void>;
  /** Deletes all records, the request log, faults and moves of the clock. Keys stay as they are. */
  reset(): Promise<void>;
  /** Sends the webhooks that are due now and waits for the answers; gives how many were sent. */
  sendWebhooks(): Promise<number>;
  /** Checks the custom domains and orders the certificates that are due now; gives how many were checked. */
  checkDomains(): Promise<number>;
  /** Does the regular work that is due now, such as forgetting what is old, and gives the names of what was done. */
  runJobs(): Promise<readonly string[]>;
  /** Closes everything that is open. Calling it again does nothing. */
  close(): Promise<void>;
}
