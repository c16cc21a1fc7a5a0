import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import {
  createServer as createSocketServer,
  type AddressInfo,
  type Server as SocketServer,
  type Socket,
} from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A request as received by a test host. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** The response. A body that isn't text is sent as JSON. */
export interface Answered {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

export interface Host {
  readonly baseUrl: string;
  readonly received: readonly Received[];
}

/** Starts a real HTTP server on the loopback with the test's responses, until the test ends. */
export async function startHost(
  answer: (request: Received, count: number) => Answered | Promise<Answered>,
): Promise<Host> {
  const received: Received[] = [];
  const listener: RequestListener = async (request, response) => {
    const url = new URL(request.url ?? "", "http://host");
    const body = await buffer(request);
    const query = Object.fromEntries(url.searchParams);
    const whole = { method: request.method ?? "", path: url.pathname, query, headers: request.headers, body };
    received.push(whole);
    send(response, await answer(whole, received.length));
  };
  const server = createServer(listener);
  return { baseUrl: `http://127.0.0.1:${await listen(server)}`, received };
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: Answered): void {
  const isText = typeof body === "string";
  const given = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const contentType = isText ? "text/plain" : "application/json";
  response.writeHead(status, { "content-type": contentType, ...Object.fromEntries(given) });
  response.end(body === undefined ? undefined : isText ? body : JSON.stringify(body));
}

/** Starts a server that passes on each connection with its first request, for malformed responses. */
export async function startSocketHost(onRequest: (socket: Socket, request: string) => void): Promise<string> {
  const server = createSocketServer((socket) => {
    socket.on("error", () => {});
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (!isWhole(text)) return;
      onRequest(socket, text);
      text = "";
    });
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

function isWhole(request: string): boolean {
  const [head, body] = request.split("\r\n\r\n");
  const length = Number(/content-length: (\d+)/i.exec(head ?? "")?.[1] ?? 0);
  return body !== undefined && body.length >= length;
}

export async function listen(server: Server | SocketServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Returns a port that nothing listens on. */
export async function closedPort(): Promise<number> {
  const server = createSocketServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
