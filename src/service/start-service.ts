import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ImprintError, messageOf } from "../base/error.ts";
import { announceService } from "../disk/running-service.ts";
import type { FindContext } from "./domains/certificates.ts";
import { withoutSlash } from "./create-service.ts";
import { listen, type Listener } from "./host/listen.ts";
import type { ServiceOptions } from "./host/options.ts";
import { createSplitService, type Service } from "./service.ts";

/** What `startService` takes. */
export interface StartOptions extends ServiceOptions {
  /**
   * Port of the API and the dashboard; 0 takes any free one.
   *
   * @default 4400
   */
  readonly port?: number;
  /**
   * Port of published pages and library files; 0 takes any free one.
   *
   * @default 4401
   */
  readonly pagesPort?: number;
  /**
   * Port on which custom domains are served over HTTPS; 0 takes any free one. Listened on with `acme` only.
   *
   * @default 4402
   */
  readonly httpsPort?: number;
  /**
   * The network interface to listen on. Others than the loopback let the whole network in.
   *
   * @default "127.0.0.1"
   */
  readonly hostname?: string;
  /**
   * Announces in `dataDir` that the service runs (`service.json`, which only you can read), so that `imprint publish` and
   * `astro build` publish through it. Not for an `ephemeral` service.
   *
   * @default false
   */
  readonly announce?: boolean;
  /**
   * How long the service goes on with its work after `close` was called, while `/readyz` says that it will end, in
   * seconds. A load balancer sends requests elsewhere meanwhile.
   *
   * @default 0
   */
  readonly drainSeconds?: number;
  /**
   * How long requests that run when the service ends may take to be answered, in seconds; then they are cut off.
   *
   * @default 10
   */
  readonly graceSeconds?: number;
}

/** The service on its ports. */
export interface RunningService extends Service {
  readonly port: number;
  readonly pagesPort: number;
  /** Only with `acme`. */
  readonly httpsPort: number | undefined;
}

/**
 * Starts the service on two ports: the API and the published pages. Throws `PORT_TAKEN`, `STATE_UNWRITABLE`,
 * `STATE_UNREADABLE` or `OPTIONS_INVALID` and then leaves nothing open.
 *
 * @example
 * const service = await startService({ ephemeral: true, port: 0, pagesPort: 0 });
 * // publish to service.baseUrl("a") with service.apiKey, then look at service.pagesUrl
 * await service.close();
 */
export async function startService(options: StartOptions = {}): Promise<RunningService> {
  const { port = 4400, pagesPort = 4401, httpsPort = 4402 } = options;
  // An empty one would be every interface there is.
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

/** Gives what takes the announcement back. */
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
