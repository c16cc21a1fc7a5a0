import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { isFile, sizeOf, type Bytes, type FileBytes } from "../../base/bytes.ts";
import { ImprintError, messageOf } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import { isJsonObject, parseJson } from "../../base/json.ts";

/** The body of a request; can be sent repeatedly. */
export interface EncodedBody {
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  readonly pieces: readonly Bytes[];
}

export function encodeBody(contentType: string, pieces: readonly Bytes[]): EncodedBody {
  return { contentType, pieces, size: pieces.reduce((sum, piece) => sum + sizeOf(piece), 0) };
}

/** Encodes a JSON body, without fields that are `undefined`. */
export function jsonBody(value: object): EncodedBody {
  return encodeBody("application/json", [Buffer.from(JSON.stringify(value))]);
}

/** Adds fields to a JSON body; a field that it has stays. */
export function withFields(body: EncodedBody, fields: object): EncodedBody {
  const [piece] = body.pieces;
  const sent = piece === undefined || isFile(piece) ? undefined : parseJson(Buffer.from(piece).toString());
  return isJsonObject(sent) ? jsonBody({ ...fields, ...sent }) : body;
}

/** One part of a multipart form: a text field or a file. */
export type Part =
  | { readonly kind: "field"; readonly name: string; readonly text: string }
  | {
      readonly kind: "file";
      readonly name: string;
      readonly fileName: string;
      readonly contentType: string;
      readonly bytes: Bytes;
    };

/**
 * Encodes a form as `multipart/form-data`. The platform's encoder uses a random boundary; here the same form always
 * gives the same bytes, which an idempotency key requires for a repeated request.
 */
export function encodeMultipart(parts: readonly Part[]): EncodedBody {
  const pieces = parts.map((part) => ({
    head: Buffer.from(`${headOf(part)}\r\n\r\n`),
    content: part.kind === "file" ? part.bytes : Buffer.from(part.text),
  }));
  // A boundary derived from the content can't occur in it.
  const digests = pieces.map(({ head, content }) => sha256(head) + digestOf(content)).join("");
  const boundary = `imprint-${sha256(digests)}`;
  const lines = pieces.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n`),
    head,
    content,
    Buffer.from("\r\n"),
  ]);
  return encodeBody(`multipart/form-data; boundary=${boundary}`, [...lines, Buffer.from(`--${boundary}--\r\n`)]);
}

function digestOf(content: Bytes): string {
  return isFile(content) ? sha256(content.digest) : sha256(content);
}

function headOf(part: Part): string {
  const disposition = `Content-Disposition: form-data; name="${quotable(part.name)}"`;
  if (part.kind === "field") return disposition;
  const contentType = part.contentType.replace(/[^\x20-\x7e]/g, "");
  return `${disposition}; filename="${quotable(part.fileName)}"\r\nContent-Type: ${contentType}`;
}

// As in browsers (WHATWG HTML, "multipart/form-data encoding algorithm").
function quotable(text: string): string {
  return text.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}

/** Returns what is sent: one buffer, unless a piece must be read. */
export function openBody({ pieces }: EncodedBody): Uint8Array | Readable {
  const inMemory = pieces.filter((piece): piece is Uint8Array => !isFile(piece));
  if (inMemory.length < pieces.length) return Readable.from(readPieces(pieces), { objectMode: false });
  const [first, ...rest] = inMemory;
  return first !== undefined && rest.length === 0 ? first : Buffer.concat(inMemory);
}

const CHUNK_BYTES = 256 * 1024;

async function* readPieces(pieces: readonly Bytes[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (isFile(piece)) yield* readFile(piece);
    else yield piece;
  }
}

async function* readFile({ path, size }: FileBytes): AsyncGenerator<Uint8Array> {
  const file = await open(path).catch((error: unknown) => Promise.reject(gone(path, error)));
  try {
    let left = size;
    while (left > 0) {
      // A separate buffer per piece, since the previous one may still be in transit.
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(left, CHUNK_BYTES)));
      if (bytesRead === 0) throw changed(path);
      left -= bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
    if ((await file.stat()).size !== size) throw changed(path);
  } finally {
    await file.close();
  }
}

const HINT = "Run again once nothing writes to the built site anymore.";

function gone(path: string, cause: unknown): ImprintError {
  return new ImprintError("ASSET_MISSING", `${path} can't be read: ${messageOf(cause)}.`, { cause, hint: HINT });
}

function changed(path: string): ImprintError {
  return new ImprintError("ASSET_MISSING", `${path} changed while it was sent.`, { hint: HINT });
}
