import { createServer, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** What a proxy does with one request: `undefined` passes it on. */
export type Meddle = (exchange: Meddled) => Promise<void> | undefined;

export interface Meddled {
  /** 1 for the first request since `meddle` was set. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly answer: ServerResponse;
  /** Has the service do what was asked, and gives its answer without passing it on. */
  forward(): Promise<Forwarded>;
}

export interface Forwarded {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Buffer;
}

export interface Proxy {
  readonly url: string;
  /** How many requests came since `meddle` was set. */
  count(): number;
  meddle(work: Meddle): void;
  close(): Promise<void>;
}

/** Stands between a run and the service, to do to single requests what networks do. */
export async function startProxy(target: string): Promise<Proxy> {
  let number = 0;
  let current: Meddle = () => undefined;
  const server = createServer(async (incoming, answer) => {
    number += 1;
    const body = await buffer(incoming);
    const forward = () => forwardRequest(incoming, { body, target });
    const meddled = { number, method: incoming.method ?? "", path: incoming.url ?? "", answer, forward };
    const work = current(meddled);
    if (work !== undefined) return work;
    passOn(answer, await forward());
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    count: () => number,
    meddle(work) {
      number = 0;
      current = work;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
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
