import { ImprintError } from "../base/error.ts";
import type { RouteSetName } from "../contract/route.ts";
import type { Scope } from "../contract/scopes.ts";
import { createSignInLink, type SignInLink } from "./auth/sessions.ts";
import type { FaultPlan } from "./development/faults.ts";
import type { RequestLogEntry } from "./development/request-log.ts";
import type { Core } from "./host/core.ts";
import { issueKey } from "./resources/keys.ts";
import { revokeApiKey } from "./store/api-keys.ts";
import { insertRow } from "./store/rows.ts";
import { writeTransaction } from "./store/transactions.ts";

/** Name and permissions of a new key. */
export interface KeyOptions {
  /** Purpose of the key, to distinguish it from others. */
  readonly name: string;
  /** The key's permissions. @default all scopes */
  readonly scopes?: readonly Scope[];
}

/** A new key. Its text is available only here: the service stores a hash. */
export interface CreatedKey {
  readonly id: string;
  readonly apiKey: string;
}

/** A service running in this process. */
export interface Service {
  /** URL of the API and the dashboard, such as `http://localhost:4400`. */
  readonly url: string;
  /** URL of published pages and library files, such as `http://127.0.0.1:4401`. */
  readonly pagesUrl: string;
  /** A key with all scopes, valid until `close`. It isn't stored. */
  readonly apiKey: string;
  /** Returns the base URL of a route set, such as `http://localhost:4400/a`. */
  baseUrl(routeSet: RouteSetName): string;
  /**
   * Handles a request without a socket. Requests to `pagesUrl` and custom domains go to the host of published pages.
   */
  fetch(request: Request): Promise<Response>;
  /** Creates an API key that is valid until revoked. */
  createKey(options: KeyOptions): Promise<CreatedKey>;
  /** Creates a one-time dashboard sign-in link, valid for 10 minutes. */
  createSignInLink(): Promise<SignInLink>;
  /** Revokes a key by its id, effective with the next request. */
  revokeKey(id: string): Promise<void>;
  /** Returns completed requests since a time (default: all), oldest first. Throws `USAGE` without `dev`. */
  requests(since?: Date): readonly RequestLogEntry[];
  /** Sets faults for the next requests, replacing earlier ones; `{}` ends them. Throws `USAGE` without `dev`. */
  setFaults(plan: FaultPlan): void;
  /** Saves a copy of all records until `close` and returns its name. */
  snapshot(): Promise<string>;
  /** Restores all records of a snapshot, except keys. */
  restore(snapshot: string): Promise<void>;
  /** Deletes all records except keys, the request log and faults, and resets the clock. */
  reset(): Promise<void>;
  /** Sends due webhooks and waits for the responses. Returns how many were sent. */
  sendWebhooks(): Promise<number>;
  /** Sends due mails. Returns how many were attempted. */
  sendMails(): Promise<number>;
  /** Checks due custom domains and orders due certificates. Returns how many domains were checked. */
  checkDomains(): Promise<number>;
  /** Runs due jobs, such as deleting old data. Returns their names. */
  runJobs(): Promise<readonly string[]>;
  /** Closes everything. Repeated calls do nothing. */
  close(): Promise<void>;
}

/** The part of the handle that uses the store. */
export function createControls(open: () => Promise<Core>) {
  return {
    async sendWebhooks() {
      return (await (await open()).sender.runDue()).length;
    },
    async sendMails() {
      return (await (await open()).mailer.runDue()).length;
    },
    async checkDomains() {
      return await (await open()).domains.checkDue();
    },
    async runJobs() {
      return await (await open()).jobs.runDue();
    },
    async createSignInLink() {
      const core = await open();
      return await createSignInLink(core.contextOf(core.account.id));
    },
    async createKey({ name, scopes }: KeyOptions) {
      const { account, now, settings, store } = await open();
      const { text, record } = issueKey({
        accountId: account.id,
        name,
        scopes: scopes ?? null,
        now: now(),
        random: settings.random,
      });
      await insertRow(store.database, "apiKey", record);
      return { id: record.id, apiKey: text };
    },
    async revokeKey(id: string) {
      const { account, now, store } = await open();
      await writeTransaction(store.database, (transaction) =>
        revokeApiKey(transaction, { accountId: account.id, id }, now()),
      );
    },
    async snapshot() {
      const { store } = await open();
      return await store.snapshots.take();
    },
    async restore(snapshot: string) {
      const { store } = await open();
      if (await store.snapshots.restore(snapshot)) return;
      throw new ImprintError("USAGE", `This service has no snapshot "${snapshot}".`);
    },
  };
}
