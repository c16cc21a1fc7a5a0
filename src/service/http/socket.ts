import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { cutOff, tooLarge, type BodyLimit, type HttpRequest } from "./request.ts";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { toPlainResponse, type AnyResponse } from "./response.ts";
import type { Socket } from "node:net";

// What a URL parser would change nothing of. `.` begins a name here and no step in the tree of folders.
const PLAIN_TARGET = /^(?:\/(?!\.)[\w.~-]*)+(?:\?[!"$-~]*)?$/;
const PLAIN_HOST = /^[\w.-]+(?::\d{1,5})?$/;

/** Reads a request off its socket; `undefined` when its target or its host is not plain and needs a URL parser. */
export function findSocketRequest(incoming: IncomingMessage): HttpRequest | undefined {
  const { method = "", url: target = "", headers, socket } = incoming;
  const { host = "" } = headers;
  if (!PLAIN_TARGET.test(target) || !PLAIN_HOST.test(host)) return undefined;
  const mark = target.indexOf("?");
  return {
    method,
    host,
    scheme: "encrypted" in socket ? "https" : "http",
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? "" : target.slice(mark + 1),
    headers: { get: (name) => findHeader(headers, name) },
    readBody: (limit) => readSocketBody(incoming, limit),
  };
}

function findHeader(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return typeof value === "string" ? value : (value?.join(", ") ?? null);
}

async function readSocketBody(incoming: IncomingMessage, limit: BodyLimit): Promise<Uint8Array<ArrayBuffer>> {
  const { "content-length": declared, "transfer-encoding": encoding } = incoming.headers;
  if (declared === undefined && encoding === undefined) return new Uint8Array();
  if (Number(declared) > limit.maxBytes) throw tooLarge(limit);
  if (incoming.destroyed) throw cutOff(incoming.errored);
  return await new Promise((resolve, reject) => {
    const chunks: Buffer<ArrayBuffer>[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer<ArrayBuffer>) => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= limit.maxBytes) return;
      incoming.removeAllListeners("data").pause();
      reject(tooLarge(limit));
    });
    incoming.on("end", () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    );
    incoming.on("error", (error) => reject(cutOff(error)));
    incoming.on("close", () => {
      if (!incoming.complete) reject(cutOff(incoming.errored));
    });
  });
}

/** Sends an answer; ends early and quietly when the one who asked has gone. */
export async function sendResponse(outgoing: ServerResponse, outcome: AnyResponse): Promise<void> {
  const { status, headers, body } = toPlainResponse(outcome);
  if (!outgoing.req.complete) outgoing.once("finish", () => drainBody(outgoing.req));
  if (body instanceof ReadableStream) {
    outgoing.writeHead(status, headers);
    // Nobody is left to be told that the connection broke.
    return await pipeline(Readable.fromWeb(body), outgoing).catch(() => undefined);
  }
  const isSized = body === undefined || "Content-Length" in headers;
  outgoing.writeHead(status, isSized ? headers : { ...headers, "Content-Length": String(Buffer.byteLength(body)) });
  outgoing.end(body);
}

const MAX_MS = 500;
const MAX_BYTES = 1024 * 1024;

/**
 * Reads what is still on its way of a body that was answered before its end, so that a sender which looks at the answer
 * only then gets to see it. A long rest is cut off with the connection.
 */
export function drainBody(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  let rest = MAX_BYTES;
  const cut = () => incoming.socket.destroySoon();
  const timer = setTimeout(cut, MAX_MS);
  incoming.on("data", (chunk: Buffer) => {
    rest -= chunk.byteLength;
    if (rest < 0) cut();
  });
  incoming.once("close", () => clearTimeout(timer));
  incoming.resume();
}

/** Serves a request when it is its turn. */
export type Turns = (outgoing: ServerResponse, serve: () => void) => void;

/**
 * Lets the requests of one connection take turns. A client may send the next request before it has the last answer, and
 * then counts on the changes of the one before (RFC 9112, 9.3.2).
 */
export function createTurns(): Turns {
  const latest = new WeakMap<Socket, ServerResponse>();
  return (outgoing, serve) => {
    const { socket } = outgoing.req;
    const before = latest.get(socket);
    latest.set(socket, outgoing);
    if (before === undefined || before.writableEnded) serve();
    else before.once("close", serve);
  };
}
