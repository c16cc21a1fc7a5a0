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

/** What to name a new key, and what it may do. */
export interface KeyOptions {
  /** What the key is for, to distinguish it from others. */
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
  /** Makes a link that signs a browser in to the dashboard, once, within 10 minutes. */
  createSignInLink(): Promise<SignInLink>;
  /** Revokes a key by its id; the next request with it is refused. */
  revokeKey(id: string): Promise<void>;
  /** The requests that were answered, oldest first; only those from a time on when one is given. Needs `dev`: `USAGE`. */
  requests(since?: Date): readonly RequestLogEntry[];
  /** Orders what goes wrong from now on and replaces what was ordered before; `{}` ends all of it. Needs `dev`: `USAGE`. */
  setFaults(plan: FaultPlan): void;
  /** Keeps a copy of all records until `close` and gives its name. */
  snapshot(): Promise<string>;
  /** Puts all records back as they were at a snapshot. Keys stay as they are. */
  restore(snapshot: string): Promise<void>;
  /** Deletes all records, the request log, faults and moves of the clock. Keys stay as they are. */
  reset(): Promise<void>;
  /** Sends the webhooks that are due now and waits for the answers; gives how many were sent. */
  sendWebhooks(): Promise<number>;
  /** Sends the mails that are due now; gives how many were tried. */
  sendMails(): Promise<number>;
  /** Checks the custom domains and orders the certificates that are due now; gives how many were checked. */
  checkDomains(): Promise<number>;
  /** Does the regular work that is due now, such as forgetting what is old, and gives the names of what was done. */
  runJobs(): Promise<readonly string[]>;
  /** Closes everything that is open. Calling it again does nothing. */
  close(): Promise<void>;
}

/** The part of the handle that works on the store. */
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
      throw new ImprintError("USAGE", `There is no snapshot "${snapshot}" of this service.`);
    },
  };
}
