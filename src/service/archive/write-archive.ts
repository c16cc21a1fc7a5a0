import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { createTarPacker } from "modern-tar";
import { systemCodeOf } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import type { Blobs } from "../store/blobs.ts";
import { blobEntry, CHECKSUMS, formatRow, MANIFEST, rowsEntry, type Ending, type Manifest } from "./format.ts";
import type { OnProgress } from "./progress.ts";
import type { RowSource } from "./row-source.ts";

export interface ArchiveContent {
  readonly source: RowSource;
  readonly blobs: Pick<Blobs, "read">;
  readonly now: Date;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal | undefined;
}

/** What was written. */
export interface WrittenArchive {
  readonly manifest: Manifest;
  /** Files that records name and that were not there. */
  readonly missingBlobs: readonly string[];
}

type AddEntry = (name: string, bytes: Uint8Array) => Promise<void>;

const PART_BYTES = 4 * 1024 * 1024;

/** Writes all rows and files of a service to a new file that only its owner may read. */
export async function writeArchive(path: string, content: ArchiveContent): Promise<WrittenArchive> {
  const { readable, controller } = createTarPacker();
  const file = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
  const written = pipeline(Readable.fromWeb(readable), createGzip(), file, { signal: content.signal });
  // Whatever stops the writing stops the packing too, where it is waited for.
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
    // A full disk says more than that the packing could not go on.
    await written;
    throw error;
  }
}

async function pack(content: ArchiveContent, add: AddEntry): Promise<WrittenArchive> {
  const { source, now } = content;
  const { schemaVersion, tables, blobHashes } = source;
  const manifest: Manifest = {
    ...{ format: "imprint-backup", formatVersion: 1, createdAt: now.toISOString(), schemaVersion },
    tables: [...tables],
    blobs: blobHashes.length,
  };
  const tell = countProgress(manifest, content.onProgress);
  await add(MANIFEST, encode(manifest));
  const checksums = await packRows(source, { add, tell });
  const missingBlobs = await packBlobs(content, { add, tell });
  await add(CHECKSUMS, encode({ checksums, missingBlobs } satisfies Ending));
  return { manifest, missingBlobs };
}

interface Packing {
  readonly add: AddEntry;
  readonly tell: (done: { readonly rows?: number; readonly blobs?: number }) => void;
}

function countProgress(manifest: Manifest, onProgress: OnProgress): Packing["tell"] {
  const total = { rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0), blobs: manifest.blobs };
  let done = { rows: 0, blobs: 0 };
  return ({ rows = 0, blobs = 0 }) => {
    done = { rows: done.rows + rows, blobs: done.blobs + blobs };
    onProgress(done, total);
  };
}

async function packRows(source: RowSource, { add, tell }: Packing): Promise<Record<string, string>> {
  const checksums: Record<string, string> = {};
  for (const { name } of source.tables) {
    let part = 1;
    for await (const { text, rows } of partsOf(source.readRows(name))) {
      const entry = rowsEntry(name, part++);
      const bytes = new TextEncoder().encode(text);
      checksums[entry] = sha256(bytes);
      await add(entry, bytes);
      tell({ rows });
    }
  }
  return checksums;
}

/** Cuts rows into texts of some megabytes, so that memory holds one of them and not a table. */
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

async function packBlobs({ source, blobs }: ArchiveContent, { add, tell }: Packing): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const hash of source.blobHashes) {
    const bytes = await findBlob(blobs, hash);
    if (bytes === undefined) missing.push(hash);
    else await add(blobEntry(hash), bytes);
    tell({ blobs: 1 });
  }
  return missing;
}

/** A file that is as it was stored; `undefined` for one that is gone or that the disk has changed. */
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
