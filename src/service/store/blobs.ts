import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { systemCodeOf } from "../../base/error.ts";
import { writeWhole } from "../../disk/write-whole.ts";

/**
 * Files by the SHA-256 of their bytes, in a folder or in a bucket (`s3-blobs.ts`). Derived files, which can be
 * generated again, are named by the file's hash with a suffix and don't outlive the file.
 */
export interface Blobs {
  /** Stores bytes atomically. Storing them again changes nothing. */
  write(hash: string, bytes: Uint8Array): Promise<void>;
  /** Reads all bytes. Throws an error with the code `ENOENT` if the blob doesn't exist. */
  read(hash: string): Promise<Uint8Array<ArrayBuffer>>;
  open(hash: string, part?: BlobPart): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>>;
  /** Deletes blobs that are not in use and were not written during the last hour. */
  sweep(isUsed: (hash: string) => Promise<boolean>, now: Date): Promise<void>;
}

/** A part of a blob; both bounds are inclusive. */
export interface BlobPart {
  readonly start: number;
  readonly end: number;
}

/** A blob is written before its record, and must not be swept as unused in between. */
export const SWEEP_AGE_MS = 60 * 60 * 1000;

const STREAMED_BYTES = 1024 * 1024;

/** Opens the blob folder and creates it if missing. */
export async function openBlobs(folder: string): Promise<Blobs> {
  const temporary = join(folder, "incoming");
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  return {
    async write(hash, bytes) {
      const path = pathOf(folder, hash);
      if (await touch(path)) return;
      await mkdir(join(folder, hash.slice(0, 2)), { recursive: true, mode: 0o700 });
      await writeWhole(path, bytes, { mode: 0o600, draft: join(temporary, randomUUID()) });
    },
    async read(hash) {
      return await readFile(pathOf(folder, hash));
    },
    async open(hash, part) {
      const file = await open(pathOf(folder, hash));
      const size = part === undefined ? (await file.stat()).size : part.end - part.start + 1;
      if (size > STREAMED_BYTES) return Readable.toWeb(file.createReadStream(part));
      try {
        const bytes = new Uint8Array(size);
        await file.read(bytes, { position: part?.start ?? 0 });
        return bytes;
      } finally {
        await file.close();
      }
    },
    async sweep(isUsed, now) {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const isOld = () => wasWrittenBefore(path, now.getTime() - SWEEP_AGE_MS);
        // It may have been stored again during the check.
        if ((await isOld()) && !(await isUsed(hashOf(entry.name))) && (await isOld())) await rm(path, { force: true });
      }
    },
  };
}

/** Returns the hash of the file that is stored under this name, or from which the stored file was derived. */
export function hashOf(name: string): string {
  return name.slice(0, 64);
}

function pathOf(folder: string, hash: string): string {
  return join(folder, hash.slice(0, 2), hash);
}

async function wasWrittenBefore(path: string, time: number): Promise<boolean> {
  try {
    return (await stat(path)).mtimeMs < time;
  } catch (error) {
    // It was moved into place, or another process deleted it.
    if (systemCodeOf(error) === "ENOENT") return false;
    throw error;
  }
}

async function touch(path: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(path, now, now);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return false;
    throw error;
  }
}
