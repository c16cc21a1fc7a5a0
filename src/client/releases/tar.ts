import { sizeOf, type Bytes } from "../../base/bytes.ts";

// A bundle is a tar of regular files (ustar), so that any tool can create or open one. Names are hashes, which always
// fit.

/** A file of a bundle. */
export interface TarEntry {
  /** At most 100 ASCII characters. */
  readonly name: string;
  readonly bytes: Bytes;
}

const BLOCK = 512;
/** The two blocks that end a tar, in bytes. */
export const TAR_END = 2 * BLOCK;

/** Packs entries as a tar in pieces: what must be read from disk is read only while it is sent. */
export function packTar(entries: readonly TarEntry[]): readonly Bytes[] {
  const pieces = entries.flatMap(({ name, bytes }) => {
    const padding = Buffer.alloc(-sizeOf(bytes) & (BLOCK - 1));
    return [renderHead(name, sizeOf(bytes)), bytes, ...(padding.length === 0 ? [] : [padding])];
  });
  return [...pieces, Buffer.alloc(TAR_END)];
}

/** A tar in memory that is filled entry by entry and then reused, so that successive bundles share the same memory. */
export interface TarBuffer {
  /** Copies an entry into the tar and returns its bytes there. */
  add(name: string, bytes: Uint8Array): Uint8Array;
  /** Returns the complete tar, valid until the next entry. */
  end(): Uint8Array;
  clear(): void;
}

/** @param maxBytes of all entries, as counted by `tarredSize` */
export function createTarBuffer(maxBytes: number): TarBuffer {
  const buffer = Buffer.allocUnsafe(maxBytes + TAR_END);
  let size = 0;
  return {
    add(name, bytes) {
      const [start, end] = [size + BLOCK, size + BLOCK + bytes.length];
      buffer.set(renderHead(name, bytes.length), size);
      buffer.set(bytes, start);
      size += tarredSize(bytes.length);
      buffer.fill(0, end, size);
      return buffer.subarray(start, end);
    },
    end: () => buffer.fill(0, size, size + TAR_END).subarray(0, size + TAR_END),
    clear: () => void (size = 0),
  };
}

/** Size of an entry in a tar, in bytes. */
export function tarredSize(bytes: number): number {
  return BLOCK + Math.ceil(bytes / BLOCK) * BLOCK;
}

function renderHead(name: string, size: number): Buffer {
  // From the pool that small buffers share, which `Buffer.alloc` doesn't use.
  const head = Buffer.allocUnsafe(BLOCK).fill(0);
  head.write(name, 0, 100, "latin1");
  // Mode, owner, group, size, and time, then the checksum, which is computed with eight spaces in its place.
  head.write("0000644\0" + "0000000\0".repeat(2), 100, "latin1");
  head.write(`${size.toString(8).padStart(11, "0")}\0${"0".repeat(11)}\0`, 124, "latin1");
  head.write("        0", 148, "latin1");
  head.write("ustar\x0000", 257, "latin1");
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return head;
}
