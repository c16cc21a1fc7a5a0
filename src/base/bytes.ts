/** A file that is read while it is sent, so that nobody holds it in memory. */
export interface FileBytes {
  /** Absolute path. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** A text that is the same for the same content and no other, such as its hash. */
  readonly digest: string;
}

/** Content that is at hand, or the file that holds it. */
export type Bytes = Uint8Array | FileBytes;

export function isFile(bytes: Bytes): bytes is FileBytes {
  return !(bytes instanceof Uint8Array);
}

/** In bytes. */
export function sizeOf(bytes: Bytes): number {
  return isFile(bytes) ? bytes.size : bytes.byteLength;
}
