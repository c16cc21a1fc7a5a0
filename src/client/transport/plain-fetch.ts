import { findProxies } from "./proxies.ts";

export interface PlainResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

export interface PlainRequest {
  /** @default "GET" */
  readonly method?: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly redirect: "follow" | "error" | "manual";
  readonly signal: AbortSignal | undefined;
}

/** Sends a request without the key, through the proxy that the environment names for it. Throws what `fetch` throws. */
export async function sendPlainly(address: string, request: PlainRequest): Promise<PlainResponse> {
  const { method = "GET", headers, body = null, redirect, signal = null } = request;
  const proxies = findProxies(address, process.env);
  const init = { method, headers, body, redirect, signal };
  if (proxies === undefined) return readResponse(await fetch(address, init));
  const { EnvHttpProxyAgent, fetch: fetchThrough } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent(proxies);
  try {
    return await readResponse(await fetchThrough(address, { ...init, dispatcher }));
  } finally {
    await dispatcher.destroy();
  }
}

async function readResponse(response: {
  readonly status: number;
  readonly headers: Iterable<[string, string]>;
  arrayBuffer(): Promise<ArrayBuffer>;
}): Promise<PlainResponse> {
  const { status, headers } = response;
  return { status, headers: new Headers([...headers]), bytes: new Uint8Array(await response.arrayBuffer()) };
}
