import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { onTestFinished } from "vitest";

/** How a client reaches the server. */
export interface Target {
  readonly url: string;
  readonly apiKey: string;
}

const identity = { name: "test", version: "1" };

/** A client of SDK v2, which uses protocol version 2026-07-28. */
export async function connectV2({ url, apiKey }: Target): Promise<Client> {
  const client = new Client(identity, { versionNegotiation: { mode: "auto" } });
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: headersOf(apiKey) });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** A client of SDK v1, which starts with the handshake of 2025. */
export async function connectV1({ url, apiKey }: Target): Promise<ClientV1> {
  const client = new ClientV1(identity);
  const transport = new TransportV1(new URL("/mcp", url), { requestInit: headersOf(apiKey) });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

function headersOf(apiKey: string): RequestInit {
  return { headers: { Authorization: `Bearer ${apiKey}` } };
}

/** Sends a raw request, without a client. */
export async function post(
  { url, apiKey }: { readonly url: string; readonly apiKey?: string },
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return await fetch(new URL("/mcp", url), {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** Returns the message for a tool call of clients of 2025. */
export function toolCall(name: string, given: object = {}) {
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
}
