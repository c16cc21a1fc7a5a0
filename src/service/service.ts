import { ImprintError } from "../base/error.ts";
import { sha256 } from "../base/hash.ts";
import { formatApiKey, RANDOM_BYTES } from "../contract/api-key.ts";
import { createAppHost } from "./host/app-host.ts";
import { createSignInLink, type SignInLink } from "./auth/sessions.ts";
import { issueKey } from "./resources/keys.ts";
import { openCore, type Core } from "./host/core.ts";
import type { Development } from "./development/development.ts";
import type { FaultPlan } from "./development/faults.ts";
import type { RequestLogEntry } from "./development/request-log.ts";
import { createContextFinder, type FindContext } from "./domains/certificates.ts";
import { isCustomDomain } from "./visitors/domain-host.ts";
import { createRequestReports } from "./host/request-log.ts";
import { createHostHandler, createRequestIds, type Host, type HostHandler } from "./host/handler.ts";
import { resolveSettings, type ServiceOptions } from "./host/options.ts";
import type { Addresses } from "./resources/addresses.ts";
import { insertApiKey, revokeApiKey } from "./store/api-keys.ts";
import { writeTransaction } from "./store/transactions.ts";
import { createPagesHost } from "./host/pages-host.ts";
import type { RouteSetName } from "../contract/route.ts";
import type { Scope } from "../contract/scopes.ts";

/** The service with its hosts apart, for whoever puts sockets in front. */
export interface SplitService extends Service {
  /** Opens the store, which otherwise happens with the first use. */
  open(): Promise<Hosts>;
  /** Lets `/readyz` say that the service will end. */
  drain(): void;
}

export interface Hosts {
  readonly app: HostHandler;
  readonly pages: HostHandler;
  /** The certificates of custom domains. */
  readonly findContext: FindContext;
}

/** Makes the service for these addresses. The store is opened with the first use. */
export function createSplitService(options: ServiceOptions, addresses: Addresses): SplitService {
  checkAddresses(addresses);
  const settings = resolveSettings(options);
  let development: Development | undefined;
  let faultPlan: FaultPlan = {};
  const apiKey = formatApiKey("dev", settings.random(RANDOM_BYTES));
  let opening: Promise<Opened> | undefined;
  let isClosed = false;

  async function open(): Promise<Opened> {
    if (isClosed) throw new ImprintError("SERVICE_UNREACHABLE", "The service is closed.");
    opening ??= openOnce();
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  async function openOnce(): Promise<Opened> {
    if (settings.dev) {
      const { createDevelopment } = await import("./development/development.ts");
      development ??= createDevelopment(settings.now);
      development.faults.set(faultPlan);
    }
    const now = development?.clock.now ?? settings.now;
    const core = await openCore({ ...settings, now }, { addresses, handleKeyHash: sha256(apiKey) });
    return openHosts(core, development);
  }

  function checkDevelopment(): void {
    if (settings.dev) return;
    throw new ImprintError("USAGE", "The service keeps no list of requests and orders no faults without `dev`.", {
      hint: "Start it with `dev: true`.",
    });
  }

  const [appOrigin, pagesOrigin] = [addresses.appUrl, addresses.pagesUrl].map((url) => new URL(url).origin);

  async function isForPages({ url }: Request): Promise<boolean> {
    const { origin, hostname } = new URL(url);
    if (origin === appOrigin || origin === pagesOrigin) return origin === pagesOrigin;
    return await isCustomDomain((await open()).core, hostname);
  }

  return {
    apiKey,
    open,
    url: addresses.appUrl,
    pagesUrl: addresses.pagesUrl,
    baseUrl: (routeSet) => `${addresses.appUrl}/${routeSet}`,
    async fetch(request) {
      const { app, pages } = await open();
      return await ((await isForPages(request)) ? pages : app).fetch(request);
    },
    ...createControls(async () => (await open()).core),
    requests(since) {
      checkDevelopment();
      return development?.requestLog.list(since) ?? [];
    },
    setFaults(plan) {
      checkDevelopment();
      faultPlan = plan;
      development?.faults.set(plan);
    },
    async reset() {
      const { core } = await open();
      await core.store.snapshots.clear();
      development?.reset();
    },
    drain() {
      // A service that could not be opened has no hosts to inform.
      void opening?.then(({ core }) => core.health.drain()).catch(() => {});
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      // Whoever asked for the store received the error already.
      const opened = await opening?.catch(() => undefined);
      await opened?.core.close();
    },
  };
}

interface Opened extends Hosts {
  readonly core: Core;
}

function openHosts(core: Core, development: Development | undefined): Opened {
  const wrap = development?.wrap ?? ((host: Host) => host);
  const shared = { now: core.now, newRequestId: createRequestIds(core.settings.random) };
  const { onAppAnswered, onPagesAnswered } = createRequestReports(core, development);
  return {
    core,
    app: createHostHandler(wrap(createAppHost(core, development)), { ...shared, onAnswered: onAppAnswered }),
    pages: createHostHandler(wrap(createPagesHost(core)), { ...shared, onAnswered: onPagesAnswered }),
    findContext: createContextFinder(core.store.database),
  };
}

/** The part of the handle that works on the store. */
function createControls(open: () => Promise<Core>) {
  return {
    async sendWebhooks() {
      return (await (await open()).sender.runDue()).length;
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
      await insertApiKey(store.database, record);
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

function checkAddresses({ appUrl, pagesUrl }: Addresses): void {
  if (new URL(appUrl).hostname !== new URL(pagesUrl).hostname) return;
  throw new ImprintError(
    "OPTIONS_INVALID",
    `The API (${appUrl}) and the published pages (${pagesUrl}) must not share a host name: a published page could use the dashboard's session.`,
    { hint: "Give `pagesUrl` another host name, such as 127.0.0.1 beside localhost." },
  );
}

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
  /** Makes a link that signs a browser in to the dashboard, once, within 15 minutes. */
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
  /** Checks the custom domains and orders the certificates that are due now; gives how many were checked. */
  checkDomains(): Promise<number>;
  /** Does the regular work that is due now, such as forgetting what is old, and gives the names of what was done. */
  runJobs(): Promise<readonly string[]>;
  /** Closes everything that is open. Calling it again does nothing. */
  close(): Promise<void>;
}
