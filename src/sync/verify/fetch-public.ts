import { messageOf, systemCodeOf } from "../../base/error.ts";
import { findProxies } from "../../client/transport/proxies.ts";
import { unframe } from "../../html/framed-page.ts";

/** What a reader gets at an address. */
export type Shown =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** Without parameters, in lowercase; empty if there is none. */
      readonly contentType: string;
      /** The address after redirects. */
      readonly address: string;
      /** The body of HTML and stylesheets; the body of other files isn't read. */
      readonly text: string | undefined;
    }
  /** A redirect to a host that must not be visited. */
  | { readonly kind: "away"; readonly address: string }
  | { readonly kind: "silent"; readonly reason: string };

export interface PublicFetch {
  /** Requests an address without the key, and follows redirects if `mayVisit` allows their host. */
  read(address: string): Promise<Shown>;
  close(): Promise<void>;
}

export interface PublicFetchOptions {
  readonly mayVisit: (address: string) => boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

const MAX_REDIRECTS = 10;
const READ_TYPES = /^(?:text\/html|application\/xhtml\+xml|text\/css)$/;

export function createPublicFetch({ mayVisit, timeoutMs, signal }: PublicFetchOptions): PublicFetch {
  const proxied = createProxiedFetch();

  async function ask(address: string): Promise<PublicResponse> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const init = {
      redirect: "manual",
      headers: { accept: "*/*", "user-agent": "astro-imprint (verify)" },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    } as const;
    return findProxies(address, process.env) === undefined ? fetch(address, init) : proxied.fetch(address, init);
  }

  async function follow(first: string): Promise<Shown> {
    let address = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await ask(address);
      const location = redirectOf(response, address);
      if (location === undefined) return await readResponse(response, address);
      await response.body?.cancel();
      if (!mayVisit(location)) return { kind: "away", address: location };
      address = location;
    }
    return { kind: "silent", reason: `more than ${MAX_REDIRECTS} redirects` };
  }

  return {
    async read(address) {
      try {
        return await follow(address);
      } catch (error) {
        signal?.throwIfAborted();
        const reason = systemCodeOf(error) ?? messageOf(error);
        return { kind: "silent", reason: `no response (${reason})` };
      }
    },
    close: () => proxied.close(),
  };
}

interface PublicResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: { cancel(): Promise<void> } | null;
  text(): Promise<string>;
}

function redirectOf({ status, headers }: PublicResponse, address: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  const url = URL.parse(headers.get("location") ?? "", address);
  if (url === null || headers.get("location") === null) return undefined;
  url.hash = "";
  return url.href;
}

async function readResponse(response: PublicResponse, address: string): Promise<Shown> {
  const { status, headers, body } = response;
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  const contentType = type.trim().toLowerCase();
  const isRead = status === 200 && READ_TYPES.test(contentType);
  if (!isRead) await body?.cancel();
  return { kind: "answer", status, contentType, address, text: isRead ? unframe(await response.text()) : undefined };
}

// Loads undici with the first address that needs a proxy.
function createProxiedFetch() {
  let opened: ReturnType<typeof openProxied> | undefined;
  return {
    async fetch(address: string, init: ProxiedInit): Promise<PublicResponse> {
      opened ??= openProxied(address);
      const { fetchThrough, dispatcher } = await opened;
      return fetchThrough(address, { ...init, dispatcher });
    },
    async close(): Promise<void> {
      if (opened !== undefined) await (await opened).dispatcher.destroy();
    },
  };
}

interface ProxiedInit {
  readonly redirect: "manual";
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

async function openProxied(address: string) {
  const { EnvHttpProxyAgent, fetch: fetchThrough } = await import("undici");
  return { fetchThrough, dispatcher: new EnvHttpProxyAgent(findProxies(address, process.env) ?? {}) };
}
