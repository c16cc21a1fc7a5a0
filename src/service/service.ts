import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ImprintError, messageOf } from "../base/error.ts";
import { announceService } from "../disk/running-service.ts";
import { sha256 } from "../base/hash.ts";
import { formatApiKey, RANDOM_BYTES } from "../contract/api-key.ts";
import { HANDLERS } from "./api/handlers/all.ts";
import { createAppHost } from "./host/app-host.ts";
import { openCore, type Core } from "./host/core.ts";
import type { Development } from "./development/development.ts";
import type { FaultPlan } from "./development/faults.ts";
import { createContextFinder, type FindContext } from "./domains/certificates.ts";
import { isCustomDomain } from "./visitors/domain-host.ts";
import { createRequestReports } from "./host/request-log.ts";
import { createHostHandler, createRequestIds, type Host, type HostHandler } from "./host/handler.ts";
import { listen, type Listener } from "./host/listen.ts";
import { resolveSettings, type ServiceOptions } from "./host/options.ts";
import type { Addresses } from "./resources/addresses.ts";
import { createPagesHost } from "./host/pages-host.ts";
import { createControls, type Service } from "./handle.ts";

/** Options of `startService`. */
export interface StartOptions extends ServiceOptions {
  /** Port of the API and the dashboard; 0 for any free port. @default 4400 */
  readonly port?: number;
  /** Port of published pages and library files; 0 for any free port. @default 4401 */
  readonly pagesPort?: number;
  /** HTTPS port of custom domains; 0 for any free port. Only used with `acme`. @default 4402 */
  readonly httpsPort?: number;
  /**
   * Network interface to listen on. Any other than loopback makes the service reachable from the network.
   *
   * @default "127.0.0.1"
   */
  readonly hostname?: string;
  /**
   * Announces the running service in `dataDir` (`service.json`, readable only by you), so that `imprint publish` and
   * `astro build` publish to it. Ignored for `ephemeral` services.
   *
   * @default false
   */
  readonly announce?: boolean;
  /**
   * How long the service keeps working after `close` while `/readyz` reports the shutdown, in seconds, so that a load
   * balancer can redirect requests.
   *
   * @default 0
   */
  readonly drainSeconds?: number;
  /** How long running requests may take to finish on shutdown, in seconds, before they are aborted. @default 10 */
  readonly graceSeconds?: number;
}

/** A service with open ports. */
export interface RunningService extends Service {
  readonly port: number;
  readonly pagesPort: number;
  /** Only with `acme`. */
  readonly httpsPort: number | undefined;
}

const APP_URL = "http://localhost:4400";
const PAGES_URL = "http://127.0.0.1:4401";

/**
 * Creates the service as a function from request to response, without opening ports. The store opens on the first
 * request. Requests to `pagesUrl` go to the host of published pages, all others to the API host.
 *
 * @example
 * const service = createService({ ephemeral: true });
 * const response = await service.fetch(new Request(`${service.baseUrl("a")}/api/pages`, {
 *   headers: { Authorization: `Bearer ${service.apiKey}` },
 * }));
 */
export function createService(options: ServiceOptions = {}): Service {
  return createSplitService(options, {
    appUrl: withoutSlash(options.appUrl ?? APP_URL),
    pagesUrl: withoutSlash(options.pagesUrl ?? PAGES_URL),
  });
}

/**
 * Starts the service on two ports: the API and the published pages. Throws `PORT_TAKEN`, `STATE_UNWRITABLE`,
 * `STATE_UNREADABLE` or `OPTIONS_INVALID`, leaving nothing open.
 *
 * @example
 * const service = await startService({ ephemeral: true, port: 0, pagesPort: 0 });
 * // publish to service.baseUrl("a") with service.apiKey, then open service.pagesUrl
 * await service.close();
 */
export async function startService(options: StartOptions = {}): Promise<RunningService> {
  const { port = 4400, pagesPort = 4401, httpsPort = 4402 } = options;
  // An empty string would listen on every interface.
  const hostname = options.hostname || "127.0.0.1";
  const { drainSeconds = 0, graceSeconds = 10 } = options;
  const listeners: Listener[] = [];
  try {
    const app = await listen({ port, hostname });
    listeners.push(app);
    const pages = await listen({ port: pagesPort, hostname });
    listeners.push(pages);
    const service = createSplitService(options, {
      appUrl: withoutSlash(options.appUrl ?? `http://localhost:${app.port}`),
      pagesUrl: withoutSlash(options.pagesUrl ?? `http://127.0.0.1:${pages.port}`),
    });
    const findContext: FindContext = async (servername) => (await service.open()).findContext(servername);
    const secure = options.acme && (await listen({ port: httpsPort, hostname, findContext }));
    if (secure !== undefined) listeners.push(secure);
    const hosts = await service.open();
    app.serve(hosts.app);
    pages.serve(hosts.pages);
    secure?.serve(hosts.pages);
    const withdraw = announce(options, { service, app, pages, hostname });
    return {
      ...service,
      port: app.port,
      pagesPort: pages.port,
      httpsPort: secure?.port,
      close: once(async () => {
        withdraw();
        service.drain();
        if (drainSeconds > 0) await delay(drainSeconds * 1000);
        await Promise.all(listeners.map((listener) => listener.close(graceSeconds * 1000)));
        await service.close();
      }),
    };
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.close(0)));
    throw error;
  }
}

interface Announced {
  readonly service: Service;
  readonly app: Listener;
  readonly pages: Listener;
  readonly hostname: string;
}

function announce(options: StartOptions, { service, app, pages, hostname }: Announced): () => void {
  const { announce: isAnnounced = false, ephemeral = false, dataDir = ".imprint" } = options;
  if (!isAnnounced || ephemeral) return () => {};
  const isEverywhere = ["0.0.0.0", "::", "localhost", "127.0.0.1"].includes(hostname);
  const [appHost, pagesHost] = isEverywhere ? ["localhost", "127.0.0.1"] : [hostOf(hostname), hostOf(hostname)];
  try {
    return announceService(resolve(dataDir), {
      url: `http://${appHost}:${app.port}`,
      pagesUrl: service.pagesUrl,
      reachablePagesUrl: `http://${pagesHost}:${pages.port}`,
      apiKey: service.apiKey,
    });
  } catch (error) {
    throw new ImprintError("STATE_UNWRITABLE", `${dataDir} can't be written: ${messageOf(error)}`, { cause: error });
  }
}

function hostOf(hostname: string): string {
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= work());
}

/** Removes trailing slashes. */
function withoutSlash(address: string): string {
  return address.replace(/\/+$/, "");
}

/** A service with separate hosts, for use with sockets. */
export interface SplitService extends Service {
  /** Opens the store, which otherwise happens on first use. */
  open(): Promise<Hosts>;
  /** Reports the shutdown in `/readyz`. */
  drain(): void;
}

export interface Hosts {
  readonly app: HostHandler;
  readonly pages: HostHandler;
  /** Finds the certificates of custom domains. */
  readonly findContext: FindContext;
}

/** Creates the service for these addresses. The store opens on first use. */
export function createSplitService(options: ServiceOptions, addresses: Addresses): SplitService {
  checkAddresses(addresses);
  const settings = resolveSettings(options);
  let development: Development | undefined;
  let faultPlan: FaultPlan = {};
  const apiKey = formatApiKey("dev", settings.random(RANDOM_BYTES));
  const handleKeyHash = sha256(apiKey);
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
    const core = await openCore({ ...settings, now }, { addresses, handlers: HANDLERS, handleKeyHash });
    return openHosts(core, development);
  }

  function checkDevelopment(): void {
    if (settings.dev) return;
    throw new ImprintError("USAGE", "The service doesn't record requests or inject faults without `dev`.", {
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
      // A service that failed to open has no hosts.
      void opening?.then(({ core }) => core.health.drain()).catch(() => {});
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      // The caller that opened the store received the error already.
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

function checkAddresses({ appUrl, pagesUrl }: Addresses): void {
  if (new URL(appUrl).hostname !== new URL(pagesUrl).hostname) return;
  throw new ImprintError(
    "OPTIONS_INVALID",
    `The API (${appUrl}) and the published pages (${pagesUrl}) must not share a host name: a published page could use the dashboard's session.`,
    { hint: "Use different host names, such as localhost and 127.0.0.1." },
  );
}
