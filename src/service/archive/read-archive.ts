import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { createGunzip } from "node:zlib";
import { createTarDecoder } from "modern-tar";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import {
  CHECKSUMS,
  damaged,
  MANIFEST,
  parseEnding,
  parseEntryName,
  parseManifest,
  parseRows,
  type Ending,
  type Manifest,
  type Row,
} from "./format.ts";

/** What a backup holds, piece by piece. */
export type Piece =
  | { readonly kind: "manifest"; readonly manifest: Manifest }
  | { readonly kind: "rows"; readonly table: string; readonly rows: readonly Row[] }
  | { readonly kind: "blob"; readonly hash: string; readonly bytes: Uint8Array };

// Far more than any part or file has; a compressed archive could else fill the memory.
const MAX_ENTRY_BYTES = 1024 * 1024 * 1024;

/**
 * Reads a backup: the manifest, then rows, then files. Throws `BACKUP_DAMAGED` when anything is changed, missing or cut,
 * which for a cut one only shows at its end.
 */
export async function* readArchive(path: string): AsyncGenerator<Piece> {
  const check = createCheck();
  try {
    for await (const { name, bytes } of readEntries(path)) {
      const piece = toPiece(name, bytes);
      check.note({ name, bytes }, piece);
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
    if (header.size > MAX_ENTRY_BYTES) throw damaged(`Its part ${header.name} is too large.`);
    yield { name: header.name, bytes: new Uint8Array(await new Response(body).arrayBuffer()) };
  }
}

function toPiece(name: string, bytes: Uint8Array): Piece | undefined {
  if (name === MANIFEST) return { kind: "manifest", manifest: parseManifest(textOf(bytes)) };
  if (name === CHECKSUMS) return undefined;
  const parsed = parseEntryName(name);
  if (parsed === undefined) throw damaged("It holds a part with an unknown name.");
  return parsed.kind === "blob" ? { ...parsed, bytes } : { ...parsed, rows: parseRows(textOf(bytes)) };
}

interface Check {
  note(entry: { readonly name: string; readonly bytes: Uint8Array }, piece: Piece | undefined): void;
  finish(): void;
}

/** Compares what is read with what the backup says of itself. */
function createCheck(): Check {
  let manifest: Manifest | undefined;
  let ending: Ending | undefined;
  const hashes = new Map<string, string>();
  const rows = new Map<string, number>();
  const blobs = new Set<string>();

  function noteBlob(hash: string, bytes: Uint8Array): void {
    if (sha256(bytes) !== hash) throw damaged(`The file ${hash} is not what it was.`);
    blobs.add(hash);
  }

  return {
    note({ name, bytes }, piece) {
      if (ending !== undefined || (manifest === undefined) !== (piece?.kind === "manifest")) {
        throw damaged("Its parts are not in order.");
      }
      if (piece === undefined) ending = parseEnding(textOf(bytes));
      else if (piece.kind === "manifest") manifest = piece.manifest;
      else if (piece.kind === "blob") noteBlob(piece.hash, bytes);
      else {
        hashes.set(name, sha256(bytes));
        rows.set(piece.table, (rows.get(piece.table) ?? 0) + piece.rows.length);
      }
    },
    finish() {
      if (manifest === undefined || ending === undefined) throw damaged("It ends too early.");
      compareRows({ manifest, ending }, { hashes, rows });
      if (blobs.size + ending.missingBlobs.length !== manifest.blobs) throw damaged("Files are missing in it.");
    },
  };
}

function compareRows(
  { manifest, ending }: { readonly manifest: Manifest; readonly ending: Ending },
  { hashes, rows }: { readonly hashes: ReadonlyMap<string, string>; readonly rows: ReadonlyMap<string, number> },
): void {
  const names = new Set([...hashes.keys(), ...Object.keys(ending.checksums)]);
  for (const name of names) {
    if (hashes.get(name) !== ending.checksums[name]) throw damaged(`Its part ${name} is not what it was.`);
  }
  const known = new Map(manifest.tables.map((table) => [table.name, table.rows]));
  for (const table of new Set([...known.keys(), ...rows.keys()])) {
    if ((rows.get(table) ?? 0) !== (known.get(table) ?? 0))
      throw damaged(`Rows of "${table}" are missing or too many.`);
  }
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
  // What a stream of the web throws says nothing of its own.
  const reason = error instanceof Error && error.message === "" ? messageOf(error.cause) : messageOf(error);
  return damaged(`${path} can't be read to its end: ${reason}`, error);
}
