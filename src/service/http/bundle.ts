import { promisify } from "node:util";
import { gunzip, zstdDecompress } from "node:zlib";
import { ProblemError } from "./problem.ts";
import { tooLarge, type BodyLimit } from "./messages.ts";

/** A file of a bundle. */
export interface BundleEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const CODINGS = { zstd: promisify(zstdDecompress), gzip: promisify(gunzip) } as const;
// Larger chunks than Node's default, of which a bundle would have a hundred.
const CHUNK_BYTES = 256 * 1024;

/**
 * Reads a tar archive that contains only files (ustar), compressed or not. Throws `malformed_body` if it is truncated,
 * and the problem of `limit` if it is too large after decompression.
 */
export async function readBundle(
  body: Uint8Array<ArrayBuffer>,
  { contentEncoding, limit }: { readonly contentEncoding: string | null; readonly limit: BodyLimit },
): Promise<readonly BundleEntry[]> {
  return readTar(await decode(body, { contentEncoding, limit }));
}

async function decode(
  body: Uint8Array<ArrayBuffer>,
  { contentEncoding, limit }: { readonly contentEncoding: string | null; readonly limit: BodyLimit },
): Promise<Buffer> {
  const coding = contentEncoding?.trim().toLowerCase() ?? "";
  if (coding === "" || coding === "identity") return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (coding !== "zstd" && coding !== "gzip") {
    throw new ProblemError("unsupported_media_type", {
      detail: "Send a bundle uncompressed, or with `Content-Encoding: zstd` or `gzip`.",
      headers: { "Accept-Encoding": "zstd, gzip, identity" },
    });
  }
  try {
    return await CODINGS[coding](body, { maxOutputLength: limit.maxBytes, chunkSize: CHUNK_BYTES });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(limit);
    throw malformed(`The bundle can't be decompressed as ${coding}.`, error);
  }
}

const BLOCK = 512;
const REGULAR_FILE: ReadonlySet<string> = new Set(["0", "\0"]);

function readTar(tar: Buffer): readonly BundleEntry[] {
  const entries: BundleEntry[] = [];
  let at = 0;
  while (at + 2 * BLOCK <= tar.length) {
    const header = tar.subarray(at, at + BLOCK);
    if (isZero(header)) {
      // Some decoders accept truncated streams, so only the end-of-archive marker shows that it is complete.
      if (!isZero(tar.subarray(at + BLOCK, at + 2 * BLOCK))) break;
      return entries;
    }
    const name = textOf(header.subarray(0, 100));
    if (readOctal(header.subarray(148, 156)) !== sumOf(header)) throw malformed("A header of the archive is invalid.");
    if (!REGULAR_FILE.has(String.fromCharCode(header[156] ?? 0))) {
      throw malformed(`The archive may contain only files, but ${JSON.stringify(name)} is not a file.`);
    }
    const size = readOctal(header.subarray(124, 136));
    const start = at + BLOCK;
    if (start + size > tar.length) break;
    entries.push({ name, bytes: tar.subarray(start, start + size) });
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw malformed("The archive ended before it was complete.");
}

function isZero(block: Buffer): boolean {
  return block.every((byte) => byte === 0);
}

function textOf(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end === -1 ? field.length : end);
}

function readOctal(field: Buffer): number {
  const text = textOf(field).trim();
  if (!/^[0-7]+$/.test(text)) throw malformed("A header of the archive is invalid.");
  return Number.parseInt(text, 8);
}

// The checksum field itself counts as spaces.
function sumOf(header: Buffer): number {
  let sum = 8 * 0x20;
  for (let place = 0; place < BLOCK; place++) if (place < 148 || place >= 156) sum += header[place] ?? 0;
  return sum;
}

function malformed(detail: string, cause?: unknown): ProblemError {
  return new ProblemError("malformed_body", { detail, cause });
}
