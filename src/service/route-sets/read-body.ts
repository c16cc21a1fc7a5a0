import { ProblemError } from "../resources/problem-error.ts";

export interface BodyLimit {
  readonly maxBytes: number;
  /** The problem to answer with when the body is larger. */
  readonly code: "body_too_large" | "page_too_large" | "post_too_large" | "asset_too_large";
}

/** Reads a body whole; one that is too large is refused as soon as that is known, whether its length was told or not. */
export async function readBody(request: Request, limit: BodyLimit): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get("Content-Length");
  try {
    if (declared !== null && !request.headers.has("Transfer-Encoding")) {
      if (Number(declared) > limit.maxBytes) throw tooLarge(limit);
      return new Uint8Array(await request.arrayBuffer());
    }
    return request.body === null ? new Uint8Array() : await readStream(request.body, limit);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw cutOff(error);
  }
}

async function readStream(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  limit: BodyLimit,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > limit.maxBytes) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** The problem of a body beyond its limit. */
export function tooLarge({ maxBytes, code }: BodyLimit): ProblemError {
  return new ProblemError(code, { detail: `The body may have at most ${maxBytes} bytes.` });
}

/** The problem of a body that never came whole. */
export function cutOff(cause: unknown): ProblemError {
  return new ProblemError("malformed_body", { detail: "The body ended before it was complete.", cause });
}
