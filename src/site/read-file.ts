import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { ImprintError, messageOf } from "../base/error.ts";

const CHUNK_BYTES = 1024 * 1024;

/** Reads a text of the built site. Throws `PAGE_UNREADABLE` when it can't be read or is not UTF-8. */
export function readSiteText(root: string, path: string): string {
  try {
    // Drops the byte order mark too, which is no part of the text.
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(join(root, path)));
  } catch (error) {
    const isEncoding =
      error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA";
    const reason = isEncoding ? "it is not UTF-8" : messageOf(error);
    throw new ImprintError("PAGE_UNREADABLE", `${path} can't be read: ${reason}.`, {
      cause: error,
      location: { file: path },
    });
  }
}

/** SHA-256 of a file's bytes. Large files are read piece by piece. */
export function hashSiteFile(root: string, path: string): string {
  const digest = createHash("sha256");
  const file = openSync(join(root, path), "r");
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
      digest.update(chunk.subarray(0, size));
    }
  } finally {
    closeSync(file);
  }
  return digest.digest("hex");
}
