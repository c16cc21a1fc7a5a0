/** A file that is streamed from disk, so that it is never held in memory. */
export interface FileBytes {
  /** Absolute path. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Identifies the content, such as its hash. */
  readonly digest: string;
}

/** Content in memory, or a file that contains it. */
export type Bytes = Uint8Array | FileBytes;

export function isFile(bytes: Bytes): bytes is FileBytes {
  return !(bytes instanceof Uint8Array);
}

/** In bytes. */
export function sizeOf(bytes: Bytes): number {
  return isFile(bytes) ? bytes.size : bytes.byteLength;
}
