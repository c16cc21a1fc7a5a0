import type { Readable } from "node:stream";
import { FetchError } from "./fetch-error.ts";

export interface SizeLimit {
  readonly maxBytes: number;
  /** What becomes of a larger body: an error, or its beginning. */
  readonly whenLarger: "refuse" | "cut";
}

/** Reads a body as far as it may be, and never holds more of it than that. */
export async function readLimited(
  body: Readable,
  { maxBytes, whenLarger }: SizeLimit,
  declaredBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const isRefused = whenLarger === "refuse";
  if (isRefused && declaredBytes > maxBytes) {
    discard(body);
    throw tooLarge(maxBytes);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop destroys the stream, and with it the connection.
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError("The body is no stream of bytes.");
    size += chunk.byteLength;
    if (isRefused && size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
    if (size >= maxBytes && !isRefused) break;
  }
  return new Uint8Array(Buffer.concat(chunks)).slice(0, maxBytes);
}

/** Ends a body that nobody wants to read. */
export function discard(body: Readable): void {
  // Its end is an error to whoever listens; where nobody does, it would end the process.
  body.once("error", () => {});
  body.destroy();
}

function tooLarge(maxBytes: number): FetchError {
  return new FetchError("too-large", `The answer is larger than ${maxBytes} bytes.`);
}
