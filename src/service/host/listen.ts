import type { Socket } from "node:net";
import { randomUUID } from "node:crypto";
import { createServer, IncomingMessage, ServerResponse, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { callbackify } from "node:util";
import { getRequestListener, RequestError } from "@hono/node-server";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import type { FindContext } from "../domains/certificates.ts";
import type { HostHandler } from "./handler.ts";
import { findSocketRequest, sendResponse, type AnyResponse, toProblemResponse } from "../http/messages.ts";
import { endSlowPeers, type Pace } from "./slow-peers.ts";
import { ProblemError } from "../http/problem.ts";

/** An open port. */
export interface Listener {
  readonly port: number;
  /** Sets the request handler; before that, requests get 503. */
  serve(handler: HostHandler): void;
  /** Stops accepting connections, waits `graceMs` for running requests (default: 0), then closes all connections. */
  close(graceMs?: number): Promise<void>;
}

export interface ListenOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly hostname: string;
  /** @default ALLOWANCE */
  readonly allowance?: Allowance;
  /** Enables TLS, with a certificate per name. */
  readonly findContext?: FindContext;
}

/** Time limits for clients, in milliseconds. */
export interface Allowance {
  readonly headersTimeout: number;
  /** How often the limits are checked. */
  readonly connectionsCheckingInterval: number;
  /** For everything after the headers. */
  readonly pace: Pace;
}

// Node's defaults let a client that sends one header byte at a time occupy its socket for more than a minute.
const ALLOWANCE: Allowance = {
  headersTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
  pace: { windowMs: 10_000, bytesPerWindow: 10 * 1024 },
};
const MAX_CONNECTIONS = 2_000;
// A keep-alive connection is idle once its last response was sent.
const IDLE_LOOK_MS = 20;

/** Listens on a port. Throws `PORT_TAKEN`, or `OPTIONS_INVALID` if this machine doesn't permit it. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { port, hostname, findContext } = options;
  const { pace, ...timeouts } = options.allowance ?? ALLOWANCE;
  const allowance = { ...timeouts, requestTimeout: 0 };
  let handler: HostHandler = NOT_READY;
  const listener = getRequestListener(
    (request, env) => {
      const { incoming, outgoing } = env;
      if (!(incoming instanceof IncomingMessage) || !(outgoing instanceof ServerResponse)) {
        throw new TypeError("Only HTTP/1.1 is served.");
      }
      return handler.fetch(request, { incoming, outgoing });
    },
    // The globals belong to the program that embeds the service.
    { overrideGlobalObjects: false, errorHandler: refuseBroken },
  );
  const takeTurn = createTurns();
  const running = new Set<ServerResponse>();
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    running.add(outgoing);
    outgoing.once("close", () => running.delete(outgoing));
    takeTurn(outgoing, () => {
      if (namesTwoHosts(incoming))
        return void send(Promise.resolve(refuseBroken(new RequestError("Two Host headers."))), outgoing);
      const request = findSocketRequest(incoming);
      const outcome = request && handler.findAnswer(request, { incoming, outgoing });
      void (outcome === undefined ? listener(incoming, outgoing) : send(outcome, outgoing));
    });
  };
  const server =
    findContext === undefined
      ? createServer(allowance, onRequest)
      : createSecureServer({ ...allowance, SNICallback: callbackify(findContext) }, onRequest);
  server.maxConnections = MAX_CONNECTIONS;
  server.once("close", endSlowPeers(running, pace));
  await bind(server, { port, hostname });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    serve(next) {
      handler = next;
    },
    close: (graceMs = 0) => closeServer(server, { running, graceMs }),
  };
}

const NOT_READY: HostHandler = {
  fetch: async () => new Response(null, { status: 503, headers: { "Retry-After": "1" } }),
  findAnswer: () => undefined,
};

async function send(coming: Promise<AnyResponse>, outgoing: ServerResponse): Promise<void> {
  try {
    await sendResponse(outgoing, await coming);
  } catch {
    // A response that can't be sent, such as one with a line break in a header, must not crash the process.
    outgoing.destroy();
  }
}

/** A proxy may use a different one of them (RFC 9112, 3.2). */
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === "host").length > 1;
}

/** Responds to malformed requests: an invalid request target or Host header. */
function refuseBroken(error: unknown): Response {
  const problem =
    error instanceof RequestError
      ? new ProblemError("invalid_params", { detail: "The request target or the Host header is not valid." })
      : new ProblemError("internal", { cause: error });
  return toProblemResponse(problem, randomUUID());
}

async function bind(server: Server, { port, hostname }: ListenOptions): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port, host: hostname }, () => {
        server.off("error", reject);
        resolve();
      });
    });
  } catch (error) {
    const where = `Port ${port} on ${hostname}`;
    if (systemCodeOf(error) === "EADDRINUSE") {
      throw new ImprintError("PORT_TAKEN", `${where} is taken.`, { cause: error });
    }
    throw new ImprintError("OPTIONS_INVALID", `${where} can't be used for listening: ${messageOf(error)}.`, {
      cause: error,
      hint: "The host must be an address of this machine; ports below 1024 require elevated privileges.",
    });
  }
}

interface Closing {
  readonly running: ReadonlySet<ServerResponse>;
  readonly graceMs: number;
}

async function closeServer(server: Server, { running, graceMs }: Closing): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const closeUnused = () => {
    // Browsers open connections in advance, which Node doesn't count as idle.
    if (running.size === 0) server.closeAllConnections();
    else server.closeIdleConnections();
  };
  closeUnused();
  const looking = setInterval(closeUnused, IDLE_LOOK_MS);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(looking);
  clearTimeout(grace);
}

/** Runs a request in order. */
type Turns = (outgoing: ServerResponse, serve: () => void) => void;

/**
 * Runs the requests of a connection in order. A client may pipeline requests, and then relies on the changes of the
 * previous one (RFC 9112, 9.3.2).
 */
function createTurns(): Turns {
  const latest = new WeakMap<Socket, ServerResponse>();
  return (outgoing, serve) => {
    const { socket } = outgoing.req;
    const before = latest.get(socket);
    latest.set(socket, outgoing);
    if (before === undefined || before.writableEnded) serve();
    else before.once("close", serve);
  };
}
