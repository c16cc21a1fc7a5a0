import type { Readable } from "node:stream";
import type { Client, Dispatcher, Pool } from "undici";
import type { Method } from "../../contract/route.ts";
import type { Settings } from "../options.ts";

export interface Exchange {
  readonly method: Method;
  /** Path and query on the host. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | Readable | undefined;
  readonly signal: AbortSignal | undefined;
  readonly headersTimeoutMs: number;
  /** `own`: a connection that nothing was sent on before, and nothing will be after. */
  readonly connection: "shared" | "own";
}

export interface RawAnswer {
  readonly status: number;
  /** By lower-case name; repeated ones are joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Buffer;
}

/** The connections to one service. Knows HTTP, but nothing of what is said. */
export interface Connection {
  /** Sends one request once. Throws what undici throws. */
  exchange(exchange: Exchange): Promise<RawAnswer>;
  /** Whether an error came up while connecting, so that nothing can have been sent. */
  isConnectError(error: unknown): boolean;
  /** Waits for the requests on the way, then frees the connections. Calling it again does nothing. */
  close(): Promise<void>;
}

const LONGEST_CONNECT_MS = 10_000;

export function createConnection(settings: Settings): Connection {
  const { origin } = new URL(settings.baseUrl);
  const connectErrors = new WeakSet<Error>();
  let dispatchers: Promise<Dispatchers> | undefined;
  let isClosed = false;

  // undici takes 64 ms to load, which a run with nothing to send need not spend.
  function open(): Promise<Dispatchers> {
    dispatchers ??= createDispatchers(origin, { settings, onConnectError: (error) => connectErrors.add(error) });
    return dispatchers;
  }

  return {
    async exchange(exchange) {
      if (isClosed) throw Object.assign(new Error("The client is closed."), { code: "UND_ERR_CLOSED" });
      const { pool, createSingle } = await open();
      if (exchange.connection === "shared") return request(pool, exchange);
      const single = createSingle();
      try {
        return await request(single, exchange);
      } finally {
        await single.destroy();
      }
    },
    isConnectError: (error) => error instanceof Error && connectErrors.has(error),
    async close() {
      if (isClosed) return;
      isClosed = true;
      const opened = await dispatchers;
      await opened?.pool.close();
    },
  };
}

interface Dispatchers {
  readonly pool: Pool;
  readonly createSingle: () => Client;
}

async function createDispatchers(
  origin: string,
  { settings, onConnectError }: { readonly settings: Settings; readonly onConnectError: (error: Error) => void },
): Promise<Dispatchers> {
  const { buildConnector, Client, Pool } = await import("undici");
  const timeout = Math.min(settings.timeoutMs, LONGEST_CONNECT_MS);
  const connect = buildConnector({ timeout, allowH2: false });
  const options = {
    allowH2: false,
    bodyTimeout: settings.timeoutMs,
    maxResponseSize: settings.maxResponseBytes,
    connect(options: Parameters<typeof connect>[0], callback: Parameters<typeof connect>[1]) {
      connect(options, (...[error, socket]) => {
        if (error === null) return callback(null, socket);
        onConnectError(error);
        callback(error, null);
      });
    },
  };
  return {
    pool: new Pool(origin, { ...options, connections: settings.maxConnections }),
    createSingle: () => new Client(origin, options),
  };
}

async function request(dispatcher: Dispatcher, exchange: Exchange): Promise<RawAnswer> {
  const { method, path, headers, body, signal, headersTimeoutMs, connection } = exchange;
  const answer = await dispatcher.request({
    method,
    path,
    headers,
    body,
    signal,
    headersTimeout: headersTimeoutMs,
    reset: connection === "own",
  });
  return {
    status: answer.statusCode,
    headers: flatHeaders(answer.headers),
    bytes: Buffer.from(await answer.body.arrayBuffer()),
  };
}

function flatHeaders(headers: Dispatcher.ResponseData["headers"]): ReadonlyMap<string, string> {
  const flat = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat.set(name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value);
  }
  return flat;
}
