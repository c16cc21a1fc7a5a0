import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { cutOff, tooLarge, type BodyLimit } from "../route-sets/read-body.ts";
import type { HttpRequest } from "./request.ts";

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
