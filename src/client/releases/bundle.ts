import { promisify } from "node:util";
import * as zlib from "node:zlib";
import type { Bytes } from "../../base/bytes.ts";
import { isLoopback } from "../transport/proxies.ts";
import { encodeBody, openBody, type EncodedBody } from "../transport/body.ts";
import { packTar } from "./tar.ts";

/** Content of a release: a page or a file, by its hash. */
export interface ReleaseContent {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  readonly bytes: Bytes;
}

/** Transfer encoding of a bundle. */
export type BundleEncoding = "zstd" | "gzip" | "identity";

/** A bundle as it is sent, and the headers that describe it. */
export interface EncodedBundle {
  readonly body: EncodedBody;
  readonly headers: Readonly<Record<string, string>>;
}

/** How to send content to a service: compressed as fast as possible, or uncompressed if the network costs nothing. */
export function encodingFor(baseUrl: string): BundleEncoding {
  if (isLoopback(new URL(baseUrl).hostname)) return "identity";
  return typeof zlib.zstdCompress === "function" ? "zstd" : "gzip";
}

/** @param contents what to pack, or a tar that already contains it */
export async function encodeBundle(
  contents: readonly ReleaseContent[] | Uint8Array,
  encoding: BundleEncoding,
): Promise<EncodedBundle> {
  const pieces =
    contents instanceof Uint8Array ? [contents] : packTar(contents.map(({ hash, bytes }) => ({ name: hash, bytes })));
  const tar = encodeBody("application/x-tar", pieces);
  if (encoding === "identity") return { body: tar, headers: {} };
  const bytes = openBody(tar);
  // Content read from disk is large, and sent uncompressed.
  if (!(bytes instanceof Uint8Array)) return { body: tar, headers: {} };
  const packed = await PACKERS[encoding](bytes);
  return { body: encodeBody(tar.contentType, [packed]), headers: { "content-encoding": encoding } };
}

// Higher levels cost far more time than the network saves.
const PACKERS = {
  zstd: (bytes: Uint8Array) =>
    promisify(zlib.zstdCompress)(bytes, { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } }),
  gzip: (bytes: Uint8Array) => promisify(zlib.gzip)(bytes, { level: 1 }),
} as const;
