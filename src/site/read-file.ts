import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { ImprintError, messageOf } from "../base/error.ts";

const CHUNK_BYTES = 1024 * 1024;

/** Reads a text of the built site. Throws `PAGE_UNREADABLE` when it can't be read or is not UTF-8. */
export function readSiteText(root: string, path: string): string {
  try {
    return readText(join(root, path));
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

// One buffer serves all texts: one for each would pile up faster than they are collected.
let buffer = Buffer.allocUnsafe(CHUNK_BYTES);

// The byte order mark is dropped, which is no part of the text.
const decoder = new TextDecoder("utf-8", { fatal: true });

function readText(path: string): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (buffer.length < size) buffer = Buffer.allocUnsafe(size);
    let length = 0;
    for (let read = -1; read !== 0 && length < size; length += read) {
      read = readSync(file, buffer, length, size - length, null);
    }
    return decoder.decode(buffer.subarray(0, length));
  } finally {
    closeSync(file);
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
