import { constants } from "node:crypto";
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** How a proxy handles one request; `undefined` passes it on. */
export type Meddle = (exchange: Meddled) => Promise<void> | undefined;

export interface Meddled {
  /** 1 for the first request since `meddle` was set. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
  /** Size of the body. */
  readonly bytes: number;
  readonly answer: ServerResponse;
  /** Forwards the request, and returns the service's response without passing it on. */
  forward(): Promise<Forwarded>;
  /** Closes every connection; accepts new ones. */
  disconnect(): void;
  /** Closes every connection and refuses new ones until `open`. */
  shut(): void;
}

export interface Forwarded {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Buffer;
}

export interface Proxy {
  readonly url: string;
  /** Number of requests since `meddle` was set. */
  count(): number;
  meddle(work: Meddle): void;
  /** Accepts connections again after `shut`. */
  open(): Promise<void>;
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** Address of pages, to serve them at `/p/` beside the API, like hosts that report no other address. */
  readonly pagesUrl?: string;
  /** Certificate for TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

// A resumed session skips the certificate check.
const NEW_SESSIONS = { maxVersion: "TLSv1.2", secureOptions: constants.SSL_OP_NO_TICKET } as const;

/** Starts a proxy between a run and the service that simulates network faults. */
export async function startProxy(apiUrl: string, { pagesUrl = apiUrl, tls }: ProxyOptions = {}): Promise<Proxy> {
  let number = 0;
  let current: Meddle = () => undefined;
  const server = tls === undefined ? createServer(answerOne) : createTlsServer({ ...NEW_SESSIONS, ...tls }, answerOne);
  const port = await listen(server, 0);

  async function answerOne(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    number += 1;
    const own = number;
    // An incomplete request doesn't count.
    const body = await buffer(incoming).catch(() => undefined);
    if (body === undefined) return undefined;
    const [method, path] = [incoming.method ?? "", incoming.url ?? ""];
    const target = path.startsWith("/p/") ? pagesUrl : apiUrl;
    const forward = () => forwardRequest(incoming, { body, target });
    const disconnect = () => server.closeAllConnections();
    const work = current({
      ...{ number: own, method, path, bytes: body.length, answer },
      ...{ forward, disconnect, shut: () => shut(server) },
    });
    if (work !== undefined) return work;
    passOn(answer, await forward());
  }

  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    count: () => number,
    meddle(work) {
      number = 0;
      current = work;
    },
    async open() {
      if (!server.listening) await listen(server, port);
    },
    async close() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
}

function shut(server: Server): void {
  server.close();
  server.closeAllConnections();
}

export function passOn(answer: ServerResponse, { status, headers, bytes }: Forwarded): void {
  if (answer.destroyed) return;
  answer.writeHead(status, headers).end(bytes);
}

function forwardRequest(
  incoming: IncomingMessage,
  { body, target }: { readonly body: Buffer; readonly target: string },
): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const url = new URL(target + (incoming.url ?? ""));
    const headers = { ...incoming.headers, host: url.host };
    const outgoing = request(url, { method: incoming.method, headers }, async (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: await buffer(response) });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
