import type { Dispatcher } from "undici";
import { flatHeaders } from "./connection.ts";
import { decompress } from "./decompress.ts";
import { buildHostConnector, connectionsTo } from "./host-connections.ts";
import { findProxies } from "./proxies.ts";
import { loadUndiciParts } from "./undici-parts.ts";

export interface PlainRequest {
  /** @default "GET" */
  readonly method?: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Only GET requests may follow redirects. */
  readonly redirect: "follow" | "error" | "manual";
  /** Whether to read the body. Default: always. */
  readonly readsBody?: (response: PlainHead) => boolean;
  readonly signal: AbortSignal | undefined;
}

export interface PlainHead {
  readonly status: number;
  /** By lowercase name; repeated ones are joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
}

export interface PlainResponse extends PlainHead {
  /** The final address after redirects. */
  readonly url: string;
  /** Decompressed; empty if the body wasn't read. */
  readonly bytes: Uint8Array;
}

// As in the Fetch standard.
const MOST_REDIRECTS = 20;

/** The `Referer` of what a page loads, as browsers send it to other hosts. */
export function refererOf(page = ""): { readonly referer?: string } {
  // A pattern of addresses may have its variable in the host.
  const url = URL.parse(page);
  return url === null ? {} : { referer: `${url.origin}/` };
}

/** What to add to a request of which only the length of the body counts. */
export const MEASURING = {
  headers: { "accept-encoding": "identity" },
  readsBody: ({ status, headers }: PlainHead) => status === 200 && declaredLength(headers) === undefined,
} as const;

/** The number of bytes of a body: as its head shows it, in which case the body may be unread, or as read. */
export function lengthOf({ headers, bytes }: Pick<PlainResponse, "headers" | "bytes">): number {
  return declaredLength(headers) ?? bytes.length;
}

function declaredLength(headers: PlainHead["headers"]): number | undefined {
  const length = headers.get("content-length") ?? "";
  const isPlain = ["", "identity"].includes(headers.get("content-encoding")?.trim().toLowerCase() ?? "");
  return isPlain && /^\d+$/.test(length) ? Number(length) : undefined;
}

/** Whether browsers save a response as a file instead of showing it. */
export function isDownload(headers: PlainHead["headers"]): boolean {
  return /^\s*attachment\b/i.test(headers.get("content-disposition") ?? "");
}

/**
 * Sends one request outside a client: exactly these headers, no repeats, through the proxy set in the environment.
 * Throws undici's errors, and one if there are too many redirects or `redirect` forbids them. The platform's `fetch`
 * would load a second undici, which takes a tenth of a short run.
 */
export async function sendPlainly(address: string, request: PlainRequest): Promise<PlainResponse> {
  let url = address;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const response = await sendOnce(url, request);
    const location = request.redirect === "manual" ? undefined : findRedirect(response, url);
    if (location === undefined) return { ...response, url };
    if (request.redirect === "error") throw new Error(`${url} redirects to ${location}`);
    url = location;
  }
  throw new Error(`${address} redirects more than ${MOST_REDIRECTS} times`);
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The address that a response redirects to, without fragment; `undefined` if it doesn't. */
export function findRedirect({ status, headers }: PlainHead, address: string): string | undefined {
  const location = headers.get("location");
  const url = REDIRECTS.has(status) && location !== undefined ? URL.parse(location, address) : null;
  if (url === null) return undefined;
  url.hash = "";
  return url.href;
}

async function sendOnce(address: string, request: PlainRequest): Promise<Omit<PlainResponse, "url">> {
  const { origin } = new URL(address);
  return await connectionsTo(origin).send((isLast) => sendTo(origin, { ...request, address, isLast }));
}

async function sendTo(
  origin: string,
  request: PlainRequest & { readonly address: string; readonly isLast: boolean },
): Promise<Omit<PlainResponse, "url">> {
  const { address, method = "GET", headers: asked, body, signal, readsBody } = request;
  const { pathname, search } = new URL(address);
  const dispatcher = await openDispatcher(address);
  const response = await dispatcher.request({
    ...{ origin, path: pathname + search, method, body, signal, reset: request.isLast },
    headers: { "user-agent": "astro-imprint", "accept-encoding": "gzip, br", ...asked },
  });
  const head = { status: response.statusCode, headers: flatHeaders(response.headers) };
  if (readsBody?.(head) === false) {
    await response.body.dump({ limit: 1, ...(signal !== undefined && { signal }) });
    return { ...head, bytes: new Uint8Array() };
  }
  const bytes = await response.body.bytes();
  return { ...head, bytes: decompress(bytes, head.headers.get("content-encoding")) };
}

// Like those of `fetch`, connections are shared by the whole process, and don't keep it from ending.
const dispatchers = new Map<string, Promise<Dispatcher>>();

function openDispatcher(address: string): Promise<Dispatcher> {
  const proxies = findProxies(address, process.env);
  const { origin } = new URL(address);
  const name = JSON.stringify(proxies ?? origin);
  const open = async () => {
    if (proxies === undefined) return openPool(origin, name);
    const { EnvHttpProxyAgent } = await import("undici");
    return new EnvHttpProxyAgent(proxies);
  };
  const opened = dispatchers.get(name) ?? open();
  dispatchers.set(name, opened);
  return opened;
}

function openPool(origin: string, name: string): Dispatcher {
  const { Pool } = loadUndiciParts();
  const pool = new Pool(origin, { connect: buildHostConnector({}) });
  const removeOwner = connectionsTo(origin).addOwner(() => {
    removeOwner();
    dispatchers.delete(name);
    void pool.close();
  });
  return pool;
}
