import { findProxies } from "./proxies.ts";

export interface PlainAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

export interface PlainRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly redirect: "follow" | "error" | "manual";
  readonly signal: AbortSignal | undefined;
}

/** Reads an address without the key, through the proxy that the environment names for it. Throws what `fetch` throws. */
export async function fetchPlainly(address: string, { headers, redirect, signal }: PlainRequest): Promise<PlainAnswer> {
  const proxies = findProxies(address, process.env);
  const init = { headers, redirect, signal: signal ?? null };
  if (proxies === undefined) return readAnswer(await fetch(address, init));
  const { EnvHttpProxyAgent, fetch: fetchThrough } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent(proxies);
  try {
    return await readAnswer(await fetchThrough(address, { ...init, dispatcher }));
  } finally {
    await dispatcher.destroy();
  }
}

async function readAnswer(answer: {
  readonly status: number;
  readonly headers: Iterable<[string, string]>;
  arrayBuffer(): Promise<ArrayBuffer>;
}): Promise<PlainAnswer> {
  const { status, headers } = answer;
  return { status, headers: new Headers([...headers]), bytes: new Uint8Array(await answer.arrayBuffer()) };
}
