import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Host } from "../host/handler.ts";
import { ProblemError } from "../http/problem.ts";
import type { Connection, RequestContext } from "../http/request-context.ts";
import { fromFetchRequest, toResponse, type AnyResponse } from "../http/messages.ts";
import type { Fault, Faults } from "./faults.ts";

/** Wraps a host to inject the faults that a test sets. */
export function injectFaults(host: Host, faults: Faults): Host {
  let running = 0;

  async function limit(serve: Serve): Promise<AnyResponse> {
    running++;
    try {
      if (faults.latencyMs > 0) await delay(faults.latencyMs);
      return await serve();
    } finally {
      running--;
    }
  }

  async function attempt(context: RequestContext, serve: Serve): Promise<AnyResponse> {
    try {
      if (running > faults.maxConcurrent) throw new ProblemError("unavailable", { headers: { "Retry-After": "1" } });
      return await serve();
    } catch (error) {
      if (error instanceof NoResponse) throw error;
      return await host.fail(error, context);
    }
  }

  return {
    find(asked) {
      const destination = host.find(asked);
      const { serve } = destination;
      // Faults need Fetch responses.
      if (serve === undefined || faults.areRuled) return { ...destination, serve: undefined };
      return {
        ...destination,
        serve: (request, context) => limit(() => attempt(context, () => serve(request, context))),
      };
    },
    async answer(request, context) {
      const plain = fromFetchRequest(request);
      const { serve, operation } = host.find(plain);
      const fault = faults.take({ method: plain.method, path: plain.path, operation });
      const site = { request, connection: context.connection };
      const response = await limit(async () => {
        const instead = fault && (await applyBefore(fault, site));
        if (instead !== undefined) return instead;
        const inner = fault === undefined ? context : withReset(context, fault);
        const served = await attempt(inner, () => serve?.(plain, inner) ?? host.answer(request, inner));
        return fault === undefined ? served : await applyAfter(fault, toResponse(served, plain), site);
      });
      return toResponse(response, plain);
    },
    fail(error, context) {
      if (!(error instanceof NoResponse)) return host.fail(error, context);
      const { connection } = context;
      if (connection === undefined) throw error.cause;
      connection.incoming.socket.destroy();
      return RESPONSE_ALREADY_SENT;
    },
  };
}

type Serve = () => AnyResponse | Promise<AnyResponse>;

/** Thrown if a fault suppresses the response: the connection is closed, and a call in process fails like `fetch`. */
class NoResponse extends Error {
  override readonly name = "NoResponse";

  constructor(cause: unknown = lostConnection()) {
    super("No response is sent.", { cause });
  }
}

function lostConnection(): TypeError {
  return new TypeError("fetch failed", {
    cause: Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }),
  });
}

/** Throws during the transaction, so that the change is rolled back. */
function withReset(context: RequestContext, fault: Fault): RequestContext {
  if (fault.kind !== "reset" || fault.when !== "before-commit") return context;
  return {
    ...context,
    beforeCommit() {
      throw new NoResponse();
    },
  };
}

interface FaultSite {
  readonly request: Request;
  readonly connection: Connection | undefined;
}

async function applyBefore(fault: Fault, { request, connection }: FaultSite): Promise<Response | undefined> {
  switch (fault.kind) {
    case "refuse":
      throw new NoResponse();
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

async function applyAfter(fault: Fault, response: Response, { connection }: FaultSite): Promise<Response> {
  switch (fault.kind) {
    case "reset":
      throw new NoResponse();
    case "truncate":
      return await truncate(response, connection);
    case "malformed-json":
      return new Response('{"data": [', { status: response.status, headers: withoutLength(response.headers) });
    default:
      return response;
  }
}

async function hang(request: Request, connection: Connection | undefined): Promise<Response> {
  if (connection === undefined) {
    const { signal } = request;
    if (!signal.aborted) await once(signal, "abort");
    throw new NoResponse(signal.reason);
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
