import { createReadStream, createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { createGunzip, createGzip } from "node:zlib";
import { createTarDecoder, createTarPacker } from "modern-tar";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import type { Blobs } from "../store/blobs.ts";
import {
  CHECKSUMS,
  damaged,
  formatRow,
  MANIFEST,
  parseEnding,
  parseEntryName,
  parseManifest,
  parseRows,
  rowsEntry,
  totalOf,
  type Ending,
  type Manifest,
  type OnProgress,
  type Row,
  type RowSource,
} from "./format.ts";

export interface ArchiveContent {
  readonly source: RowSource;
  readonly blobs: Pick<Blobs, "read">;
  readonly now: Date;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal | undefined;
}

/** A written backup. */
export interface WrittenArchive {
  readonly manifest: Manifest;
  /** Referenced files that were missing. */
  readonly missingBlobs: readonly string[];
}

const PART_BYTES = 4 * 1024 * 1024;

/** Writes all rows and files of a service to a new file that only its owner can read. */
export async function writeArchive(path: string, content: ArchiveContent): Promise<WrittenArchive> {
  const { readable, controller } = createTarPacker();
  const file = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
  const written = pipeline(Readable.fromWeb(readable), createGzip(), file, { signal: content.signal });
  // Whatever stops writing also stops packing, where the error is handled.
  written.catch(() => {});
  try {
    const packed = await pack(content, async (name, bytes) => {
      const writer = controller.add({ name, size: bytes.byteLength, mode: 0o600, mtime: content.now }).getWriter();
      await writer.write(bytes);
      await writer.close();
    });
    controller.finalize();
    await written;
    return packed;
  } catch (error) {
    controller.error(error);
    // The write error, such as a full disk, is more informative than the packing error.
    await written;
    throw error;
  }
}

async function pack(
  { source, blobs, now, onProgress }: ArchiveContent,
  add: (name: string, bytes: Uint8Array) => Promise<void>,
): Promise<WrittenArchive> {
  const { schemaVersion, tables, blobHashes } = source;
  const manifest: Manifest = {
    format: "imprint-backup",
    formatVersion: 1,
    createdAt: now.toISOString(),
    schemaVersion,
    tables: [...tables],
    blobs: blobHashes.length,
  };
  const total = totalOf(manifest);
  const done = { rows: 0, blobs: 0 };
  const checksums: Record<string, string> = {};
  const missingBlobs: string[] = [];
  await add(MANIFEST, encode(manifest));
  for (const { name } of tables) {
    let part = 1;
    for await (const { text, rows } of partsOf(source.readRows(name))) {
      const entry = rowsEntry(name, part++);
      const bytes = new TextEncoder().encode(text);
      checksums[entry] = sha256(bytes);
      await add(entry, bytes);
      done.rows += rows;
      onProgress({ ...done }, total);
    }
  }
  for (const hash of blobHashes) {
    const bytes = await findBlob(blobs, hash);
    if (bytes === undefined) missingBlobs.push(hash);
    else await add(`blobs/${hash}`, bytes);
    done.blobs++;
    onProgress({ ...done }, total);
  }
  await add(CHECKSUMS, encode({ checksums, missingBlobs } satisfies Ending));
  return { manifest, missingBlobs };
}

/** Splits rows into chunks of a few megabytes, so that memory holds one chunk instead of a table. */
async function* partsOf(
  rows: ReturnType<RowSource["readRows"]>,
): AsyncGenerator<{ readonly text: string; readonly rows: number }> {
  let lines: string[] = [];
  let length = 0;
  for await (const row of rows) {
    const line = formatRow(row);
    lines.push(line);
    length += line.length;
    if (length < PART_BYTES) continue;
    yield { text: lines.join(""), rows: lines.length };
    [lines, length] = [[], 0];
  }
  if (lines.length > 0) yield { text: lines.join(""), rows: lines.length };
}

/** Reads a file and verifies its hash; `undefined` if it is missing or damaged. */
async function findBlob(blobs: Pick<Blobs, "read">, hash: string): Promise<Uint8Array | undefined> {
  try {
    const bytes = await blobs.read(hash);
    return sha256(bytes) === hash ? bytes : undefined;
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** A piece of a backup. */
export type Piece =
  | { readonly kind: "manifest"; readonly manifest: Manifest }
  | { readonly kind: "rows"; readonly table: string; readonly rows: readonly Row[] }
  | { readonly kind: "blob"; readonly hash: string; readonly bytes: Uint8Array };

// Far more than any entry needs; otherwise, a compressed archive could exhaust the memory.
const MAX_ENTRY_BYTES = 1024 * 1024 * 1024;

/**
 * Reads a backup: the manifest, then rows, then files. Throws `BACKUP_DAMAGED` if anything is altered, missing or
 * truncated; truncation shows only at the end.
 */
export async function* readArchive(path: string): AsyncGenerator<Piece> {
  const check = createCheck();
  try {
    for await (const { name, bytes } of readEntries(path)) {
      const piece = toPiece(name, bytes);
      check.note(name, bytes, piece);
      if (piece !== undefined) yield piece;
    }
  } catch (error) {
    throw asDamage(error, path);
  }
  check.finish();
}

async function* readEntries(path: string): AsyncGenerator<{ readonly name: string; readonly bytes: Uint8Array }> {
  const gunzip = createGunzip();
  createReadStream(path)
    .on("error", (error) => gunzip.destroy(error))
    .pipe(gunzip);
  const stream: ReadableStream<Uint8Array> = Readable.toWeb(gunzip);
  for await (const { header, body } of stream.pipeThrough(createTarDecoder({ strict: true }))) {
    if (header.size > MAX_ENTRY_BYTES) throw damaged(`Entry ${header.name} is too large.`);
    yield { name: header.name, bytes: new Uint8Array(await new Response(body).arrayBuffer()) };
  }
}

function toPiece(name: string, bytes: Uint8Array): Piece | undefined {
  if (name === MANIFEST) return { kind: "manifest", manifest: parseManifest(textOf(bytes)) };
  if (name === CHECKSUMS) return undefined;
  const parsed = parseEntryName(name);
  if (parsed === undefined) throw damaged("It has an entry with an unknown name.");
  return parsed.kind === "blob" ? { ...parsed, bytes } : { ...parsed, rows: parseRows(textOf(bytes)) };
}

/** Compares the entries with the manifest and checksums. */
function createCheck() {
  let manifest: Manifest | undefined;
  let ending: Ending | undefined;
  const hashes = new Map<string, string>();
  const rows = new Map<string, number>();
  const blobs = new Set<string>();
  return {
    note(name: string, bytes: Uint8Array, piece: Piece | undefined): void {
      if (ending !== undefined || (manifest === undefined) !== (piece?.kind === "manifest")) {
        throw damaged("Its entries are out of order.");
      }
      if (piece === undefined) ending = parseEnding(textOf(bytes));
      else if (piece.kind === "manifest") manifest = piece.manifest;
      else if (piece.kind === "rows") {
        hashes.set(name, sha256(bytes));
        rows.set(piece.table, (rows.get(piece.table) ?? 0) + piece.rows.length);
      } else {
        if (sha256(bytes) !== piece.hash) throw damaged(`The file ${piece.hash} was altered.`);
        blobs.add(piece.hash);
      }
    },
    finish(): void {
      if (manifest === undefined || ending === undefined) throw damaged("It is truncated.");
      for (const name of new Set([...hashes.keys(), ...Object.keys(ending.checksums)])) {
        if (hashes.get(name) !== ending.checksums[name]) throw damaged(`Entry ${name} was altered or is missing.`);
      }
      const known = new Map(manifest.tables.map((table) => [table.name, table.rows]));
      for (const table of new Set([...known.keys(), ...rows.keys()])) {
        if ((rows.get(table) ?? 0) === (known.get(table) ?? 0)) continue;
        throw damaged(`The number of rows of "${table}" doesn't match.`);
      }
      if (blobs.size + ending.missingBlobs.length !== manifest.blobs) throw damaged("Files are missing.");
    },
  };
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function asDamage(error: unknown, path: string): ImprintError {
  if (error instanceof ImprintError) return error;
  const code = systemCodeOf(error);
  if (code === "ENOENT" || code === "EACCES" || code === "EISDIR") {
    return new ImprintError("USAGE", `${path} can't be read: ${messageOf(error)}`, { cause: error });
  }
  // Errors of web streams often have no message of their own.
  const reason = error instanceof Error && error.message === "" ? messageOf(error.cause) : messageOf(error);
  return damaged(`${path} can't be read completely: ${reason}`, error);
}
