import { ImprintError } from "../base/error.ts";
import { sha256 } from "../base/hash.ts";
import { SILENT_LOGGER } from "../base/log.ts";
import { formatApiKey, RANDOM_BYTES } from "../contract/api-key.ts";
import { createAppHost } from "./app-host.ts";
import { createSignInLink } from "./auth/sessions.ts";
import { issueKey } from "./auth/issue-key.ts";
import { openCore, type Core } from "./core.ts";
import { resetService, type Controlled } from "./development/control.ts";
import { createFaults } from "./development/faults.ts";
import { createRequestLog } from "./development/request-log.ts";
import { createContextFinder, type FindContext } from "./domains/certificates.ts";
import { isCustomDomain } from "./visitors/domain-host.ts";
import type { Service } from "./handle.ts";
import type { AnsweredRequest } from "./logs/answered-request.ts";
import { logRequest } from "./logs/log-request.ts";
import { isRecorded } from "./logs/request-recorder.ts";
import { createHostHandler, type HostHandler } from "./host.ts";
import { resolveSettings, type ServiceOptions } from "./options.ts";
import type { Addresses } from "./resources/addresses.ts";
import { createRequestIds } from "./request-ids.ts";
import { insertApiKey, revokeApiKey } from "./store/api-keys.ts";
import { writeTransaction } from "./store/write-transaction.ts";
import { createPagesHost } from "./visitors/pages-host.ts";

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
  const faults = createFaults();
  const requestLog = createRequestLog();
  const apiKey = formatApiKey("dev", settings.random(RANDOM_BYTES));
  let opening: Promise<Opened> | undefined;
  let isClosed = false;

  async function open(): Promise<Opened> {
    if (isClosed) throw new ImprintError("SERVICE_UNREACHABLE", "The service is closed.");
    opening ??= openCore(settings, { addresses, handleKeyHash: sha256(apiKey) }).then((core) =>
      openHosts({ core, faults, requestLog }),
    );
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  }

  const [appOrigin, pagesOrigin] = [addresses.appUrl, addresses.pagesUrl].map((url) => new URL(url).origin);

  async function isForPages({ url }: Request): Promise<boolean> {
    const { origin, hostname } = new URL(url);
    if (origin === appOrigin || origin === pagesOrigin) return origin === pagesOrigin;
    return await isCustomDomain((await open()).core, hostname);
  }

  return {
    ...{ apiKey, open },
    url: addresses.appUrl,
    pagesUrl: addresses.pagesUrl,
    baseUrl: (routeSet) => `${addresses.appUrl}/${routeSet}`,
    async fetch(request) {
      const { app, pages } = await open();
      return await ((await isForPages(request)) ? pages : app).fetch(request);
    },
    ...createControls(async () => (await open()).core),
    requests: (since) => requestLog.list(since),
    setFaults: (plan) => faults.set(plan),
    async reset() {
      const { core } = await open();
      await resetService({ core, faults, requestLog });
    },
    drain() {
      // A service that could not be opened has nobody to tell.
      void opening?.then(({ core }) => core.health.drain()).catch(() => {});
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      // Whoever asked for the store has been told why it could not be opened.
      const opened = await opening?.catch(() => undefined);
      await opened?.core.close();
    },
  };
}

interface Opened extends Hosts {
  readonly core: Core;
}

function openHosts({ core, faults, requestLog }: Controlled): Opened {
  const { logger } = core.settings;
  const tell = (request: AnsweredRequest) => {
    // A page view is quick; nobody listening must not make it slower.
    if (logger !== SILENT_LOGGER) logRequest(logger, request);
  };
  const options = {
    ...{ faults, requestLog },
    now: () => core.clock.now(),
    newRequestId: createRequestIds(core.settings.random),
  };
  return {
    core,
    app: createHostHandler(createAppHost({ core, faults, requestLog }), {
      ...options,
      onAnswered(request) {
        tell(request);
        if (isRecorded(request)) core.requests.record(request);
      },
    }),
    pages: createHostHandler(createPagesHost(core), { ...options, onAnswered: tell }),
    findContext: createContextFinder(core.store.database),
  };
}

type CoreControl =
  | "createKey"
  | "createSignInLink"
  | "revokeKey"
  | "snapshot"
  | "restore"
  | "sendWebhooks"
  | "checkDomains"
  | "runJobs";

/** The part of the handle that works on the store. */
function createControls(open: () => Promise<Core>): Pick<Service, CoreControl> {
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
    async createKey({ name, scopes = null }) {
      const { account, clock, settings, store } = await open();
      const owner = { accountId: account.id, now: clock.now(), random: settings.random };
      const { text, record } = issueKey({ ...owner, name, scopes });
      await insertApiKey(store.database, record);
      return { id: record.id, apiKey: text };
    },
    async revokeKey(id) {
      const { account, clock, store } = await open();
      await writeTransaction(store.database, (transaction) =>
        revokeApiKey(transaction, { accountId: account.id, id }, clock.now()),
      );
    },
    async snapshot() {
      const { store } = await open();
      return await store.snapshots.take();
    },
    async restore(snapshot) {
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
