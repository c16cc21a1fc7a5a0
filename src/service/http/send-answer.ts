import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { toHttpAnswer, type Outcome } from "./answer.ts";
import { drainBody } from "./drain-body.ts";

/** Sends an answer; ends early and quietly when the one who asked has gone. */
export async function sendAnswer(outgoing: ServerResponse, outcome: Outcome): Promise<void> {
  const { status, headers, body } = toHttpAnswer(outcome);
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
