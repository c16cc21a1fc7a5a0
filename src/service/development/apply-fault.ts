import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Connection } from "../http/request-context.ts";
import type { AnyResponse } from "../http/response.ts";
import type { Fault } from "./fault-rules.ts";

export interface FaultSite {
  readonly request: Request;
  readonly connection: Connection | undefined;
}

/** Does what a fault does before anything is served; gives an answer when it takes the place of the service's. */
export async function applyBefore(fault: Fault, { request, connection }: FaultSite): Promise<Response | undefined> {
  switch (fault.kind) {
    case "refuse":
      return dropConnection(connection);
    case "hang":
      return await hang(request, connection);
    case "delay":
      await delay(fault.ms);
      return undefined;
    case "status":
      return new Response(fault.body ?? null, {
        status: fault.status,
        headers: fault.retryAfterSeconds === undefined ? {} : { "Retry-After": String(fault.retryAfterSeconds) },
      });
    case "redirect":
      return new Response(null, { status: fault.status ?? 302, headers: { Location: fault.location } });
    default:
      return undefined;
  }
}

/** Does what a fault does to an answer that is ready to be sent. */
export async function applyAfter(fault: Fault, response: Response, { connection }: FaultSite): Promise<Response> {
  switch (fault.kind) {
    case "reset":
      return dropConnection(connection);
    case "truncate":
      return await truncate(response, connection);
    case "malformed-json":
      return new Response('{"data": [', { status: response.status, headers: withoutLength(response.headers) });
    default:
      return response;
  }
}

/** Closes the connection without an answer; in process the call fails as `fetch` does. */
export function dropConnection(connection: Connection | undefined): Response {
  if (connection === undefined) {
    throw new TypeError("fetch failed", { cause: Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }) });
  }
  connection.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** Whether nothing, or not all of the answer, went out. */
export function isDropped(outcome: AnyResponse): boolean {
  return outcome === RESPONSE_ALREADY_SENT;
}

async function hang(request: Request, connection: Connection | undefined): Promise<Response> {
  if (connection === undefined) {
    const { signal } = request;
    if (!signal.aborted) await once(signal, "abort");
    throw signal.reason;
  }
  if (!connection.outgoing.destroyed) await once(connection.outgoing, "close");
  return RESPONSE_ALREADY_SENT;
}

async function truncate(response: Response, connection: Connection | undefined): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  if (connection === undefined) {
    return new Response(brokenStream(half), { status: response.status, headers: response.headers });
  }
  const { outgoing, incoming } = connection;
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    "content-length": bytes.length,
  });
  outgoing.write(half, () => incoming.socket.destroy());
  return RESPONSE_ALREADY_SENT;
}

function brokenStream(start: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(start);
    },
    pull(controller) {
      controller.error(new TypeError("terminated"));
    },
  });
}

function withoutLength(headers: Headers): Headers {
  const copy = new Headers(headers);
  copy.delete("Content-Length");
  return copy;
}
