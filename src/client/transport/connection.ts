import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import type { Method } from "../../contract/route.ts";
import type { Settings } from "../options.ts";
import { decompress } from "./decompress.ts";
import { buildHostConnector, connectionsTo } from "./host-connections.ts";
import { findProxies, nameProxy, type Proxies } from "./proxies.ts";
import { loadUndiciParts } from "./undici-parts.ts";

export interface RawRequest {
  readonly method: Method;
  /** Path and query on the host. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | Readable | undefined;
  readonly signal: AbortSignal | undefined;
  readonly headersTimeoutMs: number;
  /** `own`: a connection used for only this request. */
  readonly connection: "shared" | "own";
}

export interface RawResponse {
  readonly status: number;
  /** By lowercase name; repeated ones are joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Buffer;
}

/** The connections to one service. Handles HTTP only, not the meaning of messages. */
export interface Connection {
  /** Sends one request once. Throws undici's errors. */
  send(request: RawRequest): Promise<RawResponse>;
  /** Host and port of the proxy, if any. */
  readonly proxy: string | undefined;
  /** Whether an error occurred while connecting, so that nothing can have been sent. */
  isConnectError(error: unknown): boolean;
  /** Waits for pending requests, then closes the connections. Idempotent. */
  close(): Promise<void>;
}

const LONGEST_CONNECT_MS = 10_000;

export function createConnection(settings: Settings): Connection {
  const { origin } = new URL(settings.baseUrl);
  const proxies = findProxies(origin, process.env);
  const connectErrors = new WeakSet<Error>();
  let dispatchers: Promise<Dispatchers> | undefined;
  let isClosed = false;

  // undici takes 64 ms to load, which a run with nothing to send avoids.
  function open(): Promise<Dispatchers> {
    const onConnectError = (error: Error) => connectErrors.add(error);
    dispatchers ??= createDispatchers(origin, { settings, proxies, onConnectError });
    return dispatchers;
  }

  return {
    async send(sent) {
      if (isClosed) throw Object.assign(new Error("The client is closed."), { code: "UND_ERR_CLOSED" });
      const opened = await open();
      const whole = { ...sent, origin, bodyTimeoutMs: settings.timeoutMs, maxBytes: settings.maxResponseBytes };
      return await connectionsTo(origin).send(async (isLast) => {
        if (sent.connection === "shared") return await request(opened.pool, { ...whole, isLast });
        const single = opened.createSingle();
        try {
          return await request(single, { ...whole, isLast: true });
        } finally {
          await single.destroy();
        }
      });
    },
    proxy: proxies === undefined ? undefined : nameProxy(origin, proxies),
    isConnectError: (error) => error instanceof Error && connectErrors.has(error),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await (await dispatchers)?.close();
    },
  };
}

interface Dispatchers {
  readonly pool: Dispatcher;
  readonly createSingle: () => Dispatcher;
  readonly close: () => Promise<void>;
}

interface DispatcherSources {
  readonly settings: Settings;
  readonly proxies: Proxies | undefined;
  readonly onConnectError: (error: Error) => void;
}

async function createDispatchers(
  origin: string,
  { settings, proxies, onConnectError }: DispatcherSources,
): Promise<Dispatchers> {
  const { Client, Pool } = loadUndiciParts();
  const timeout = Math.min(settings.timeoutMs, LONGEST_CONNECT_MS);
  const options = {
    allowH2: false,
    maxResponseSize: settings.maxResponseBytes,
    connect: buildHostConnector({ timeout, allowH2: false }, onConnectError),
  };
  const pooled = { ...options, connections: settings.maxConnections };
  if (proxies !== undefined) {
    const { EnvHttpProxyAgent } = await import("undici");
    const pool = new EnvHttpProxyAgent({ ...pooled, ...proxies });
    const createSingle = () => new EnvHttpProxyAgent({ ...options, ...proxies });
    return { pool, createSingle, close: () => pool.close() };
  }
  let pool = new Pool(origin, pooled);
  const closings: Promise<void>[] = [];
  const removeOwner = connectionsTo(origin).addOwner(() => {
    closings.push(pool.close());
    pool = new Pool(origin, pooled);
  });
  return {
    get pool() {
      return pool;
    },
    createSingle: () => new Client(origin, options),
    async close() {
      removeOwner();
      await Promise.all([...closings, pool.close()]);
    },
  };
}

async function request(
  dispatcher: Dispatcher,
  { headersTimeoutMs, bodyTimeoutMs, maxBytes, isLast, ...sent }: RawRequest & Place,
): Promise<RawResponse> {
  const response = await dispatcher.request({
    ...sent,
    headersTimeout: headersTimeoutMs,
    bodyTimeout: bodyTimeoutMs,
    reset: isLast,
  });
  const headers = flatHeaders(response.headers);
  const bytes = Buffer.from(await response.body.arrayBuffer());
  return { status: response.statusCode, headers, bytes: readBytes(bytes, { headers, maxBytes }) };
}

// Some proxies compress every response, although `identity` is requested. What can't be decompressed is reported as
// unreadable.
function readBytes(
  bytes: Buffer,
  { headers, maxBytes }: { readonly headers: ReadonlyMap<string, string>; readonly maxBytes: number },
): Buffer {
  try {
    return Buffer.from(decompress(bytes, headers.get("content-encoding"), maxBytes));
  } catch {
    return bytes;
  }
}

interface Place {
  readonly origin: string;
  readonly bodyTimeoutMs: number;
  readonly maxBytes: number;
  /** Whether the connection is closed after the response. */
  readonly isLast: boolean;
}

/** Headers by lowercase name; repeated ones are joined by a comma. */
export function flatHeaders(headers: Dispatcher.ResponseData["headers"]): ReadonlyMap<string, string> {
  const flat = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat.set(name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value);
  }
  return flat;
}
