import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { ImprintError, messageOf } from "../base/error.ts";
import { sha256 } from "../base/hash.ts";
import { decodeDeclared } from "../html/declared-encoding.ts";

const CHUNK_BYTES = 1024 * 1024;

/**
 * Reads a text file of the built site: UTF-8, or in the encoding that it declares, which is then declared as UTF-8.
 * Throws `PAGE_UNREADABLE` if it can't be read.
 */
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
      ...(isEncoding ? { hint: describeRemedy(path) } : {}),
    });
  }
}

function describeRemedy(path: string): string {
  if (/\.html?$/i.test(path)) {
    return 'Save the page as UTF-8, declare its encoding in it, such as `<meta charset="iso-8859-1">`, or list its route in `exclude`.';
  }
  if (!/\.css$/i.test(path)) return "Save the file as UTF-8.";
  return 'Save the style sheet as UTF-8, or declare its encoding at its start, such as `@charset "iso-8859-1";`.';
}

// One buffer serves all files: separate ones would accumulate faster than they are garbage-collected.
let buffer = Buffer.allocUnsafe(CHUNK_BYTES);

// Drops the byte order mark, which isn't part of the text.
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
    return decode(buffer.subarray(0, length));
  } finally {
    closeSync(file);
  }
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    // All texts are sent as UTF-8.
    const text = decodeDeclared(bytes);
    if (text === undefined) throw error;
    return text;
  }
}

interface ScannedFile {
  /** SHA-256 of the bytes. */
  readonly hash: string;
  readonly bytes: number;
  /** The beginning of the file as UTF-8, up to the requested size. */
  readonly start: string;
}

/**
 * Reads a file of the built site once, for its hash, its size, and its beginning. Large files are read in chunks.
 *
 * Throws `PAGE_UNREADABLE`.
 */
export function scanSiteFile(root: string, path: string, { startBytes }: { readonly startBytes: number }): ScannedFile {
  try {
    return scanFile(`${root}/${path}`, startBytes);
  } catch (error) {
    const problem = `${path} can't be read: ${messageOf(error)}.`;
    throw new ImprintError("PAGE_UNREADABLE", problem, { cause: error, location: { file: path } });
  }
}

function scanFile(path: string, startBytes: number): ScannedFile {
  const file = openSync(path, "r");
  try {
    const size = readSync(file, buffer, 0, buffer.length, null);
    const start = buffer.toString("utf8", 0, Math.min(size, startBytes));
    if (size < buffer.length) return { hash: sha256(buffer.subarray(0, size)), bytes: size, start };
    return { ...hashRest(file, size), start };
  } finally {
    closeSync(file);
  }
}

function hashRest(file: number, filled: number): { readonly hash: string; readonly bytes: number } {
  const digest = createHash("sha256");
  let bytes = 0;
  for (let size = filled; size > 0; size = readSync(file, buffer, 0, buffer.length, null)) {
    digest.update(buffer.subarray(0, size));
    bytes += size;
  }
  return { hash: digest.digest("hex"), bytes };
}
