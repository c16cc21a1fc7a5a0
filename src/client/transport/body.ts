import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { isFile, sizeOf, type Bytes, type FileBytes } from "../../base/bytes.ts";
import { ImprintError, messageOf } from "../../base/error.ts";

/** The body of a request, as often as it has to be sent. */
export interface EncodedBody {
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  readonly pieces: readonly Bytes[];
}

export function encodeBody(contentType: string, pieces: readonly Bytes[]): EncodedBody {
  return { contentType, pieces, size: pieces.reduce((sum, piece) => sum + sizeOf(piece), 0) };
}

/** What goes over the line: one buffer, unless a piece has to be read. */
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
      // A buffer of its own for each piece: the one before may still be on the way.
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

const HINT = "Run again when nothing writes to the built site any more.";

function gone(path: string, cause: unknown): ImprintError {
  return new ImprintError("ASSET_MISSING", `${path} can't be read: ${messageOf(cause)}.`, { cause, hint: HINT });
}

function changed(path: string): ImprintError {
  return new ImprintError("ASSET_MISSING", `${path} changed while it was sent.`, { hint: HINT });
}
