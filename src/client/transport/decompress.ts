import { brotliDecompressSync, constants, gunzipSync, inflateSync } from "node:zlib";

/**
 * Decompresses a body of at most `maxBytes`; one in another encoding is returned as it is. A body that ends early is
 * read as far as it goes, as browsers do.
 *
 * @throws an error of zlib for a body that is invalid, or larger
 */
export function decompress(bytes: Uint8Array, encoding: string | undefined, maxBytes?: number): Uint8Array {
  if (bytes.length === 0) return bytes;
  const limit = maxBytes === undefined ? {} : { maxOutputLength: maxBytes };
  switch (encoding?.toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return gunzipSync(bytes, { ...limit, finishFlush: constants.Z_SYNC_FLUSH });
    case "deflate":
      return inflateSync(bytes, { ...limit, finishFlush: constants.Z_SYNC_FLUSH });
    case "br":
      return brotliDecompressSync(bytes, { ...limit, finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return bytes;
  }
}
