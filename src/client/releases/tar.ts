import { sizeOf, type Bytes } from "../../base/bytes.ts";

// A bundle is a tar of plain files (ustar), so that any tool can make or open one. Names are hashes, which always fit.

/** A file of a bundle. */
export interface TarEntry {
  /** At most 100 ASCII characters. */
  readonly name: string;
  readonly bytes: Bytes;
}

const BLOCK = 512;

/** A tar of the entries, in pieces: what has to be read from disk is read only while it is sent. */
export function packTar(entries: readonly TarEntry[]): readonly Bytes[] {
  const pieces = entries.flatMap(({ name, bytes }) => {
    const padding = Buffer.alloc(-sizeOf(bytes) & (BLOCK - 1));
    return [renderHead(name, sizeOf(bytes)), bytes, ...(padding.length === 0 ? [] : [padding])];
  });
  return [...pieces, Buffer.alloc(2 * BLOCK)];
}

/** Size of an entry in a tar, in bytes. */
export function tarredSize(bytes: number): number {
  return BLOCK + Math.ceil(bytes / BLOCK) * BLOCK;
}

function renderHead(name: string, size: number): Buffer {
  const head = Buffer.alloc(BLOCK);
  head.write(name, 0, 100, "latin1");
  // Mode, owner, group, size, time, then the checksum, which counts as eight spaces while it is taken.
  head.write("0000644\0" + "0000000\0".repeat(2), 100, "latin1");
  head.write(`${size.toString(8).padStart(11, "0")}\0${"0".repeat(11)}\0`, 124, "latin1");
  head.write("        0", 148, "latin1");
  head.write("ustar\x0000", 257, "latin1");
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return head;
}
