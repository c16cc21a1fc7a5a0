import { LRUCache } from "lru-cache";
import { sha256 } from "../../base/hash.ts";
import type { Core } from "../host/core.ts";
import type { AnyResponse } from "../http/response.ts";
import { type HttpRequest, isFresh } from "../http/request.ts";
import { makeBytesCurrent } from "../resources/current-addresses.ts";
import { isTextType } from "../resources/file-type.ts";
import type { Asset } from "../store/assets.ts";
import { findRow } from "../store/rows.ts";
import type { BlobPart } from "../store/blobs.ts";
import { findLook } from "../look/look.ts";
import { plainPage } from "./plain-pages.ts";

/** Serves the bytes of an asset. Its address never gets other bytes, so it may be kept for ever. */
export type LibraryServer = (assetId: string, request: HttpRequest) => Promise<AnyResponse>;

/** Makes what serves the library of a host. */
export function createLibraryServer(core: Core): LibraryServer {
  const { store, account, settings } = core;
  const findMoved = createMovedTexts(core);
  return async (assetId, request): Promise<AnyResponse> => {
    const file = await findRow(store.database, "asset", { accountId: account.id, id: assetId });
    if (file === undefined) return plainPage(await findLook(core, { kind: "host" }), "notFound");
    const moved = await findMoved(file);
    const headers = {
      ...(settings.quirks.libraryHeaders === "opaque" ? OPAQUE_HEADERS : typedHeaders(file.contentType)),
      "Cache-Control": "public, max-age=31536000, immutable",
      "Accept-Ranges": "bytes",
      ETag: `"${file.hash}"`,
      ...(moved !== undefined && movedHeaders(moved)),
    };
    if (isFresh(request.headers.get("If-None-Match") ?? undefined, headers.ETag)) {
      return { status: 304, headers, body: undefined };
    }
    if (moved !== undefined) {
      const headersOfAll = { ...headers, "Content-Length": String(moved.byteLength) };
      return { status: 200, headers: headersOfAll, body: request.method === "HEAD" ? undefined : moved };
    }
    const range = parseRange(request.headers.get("Range"), file.size);
    if (range === "unsatisfiable") {
      return { status: 416, headers: { "Content-Range": `bytes */${file.size}` }, body: undefined };
    }
    // Nobody would read to its end, and so close, what is opened for the answer to `HEAD`.
    const body = request.method === "HEAD" ? undefined : await store.blobs.open(file.hash, range);
    if (range === undefined) {
      return { status: 200, headers: { ...headers, "Content-Length": String(file.size) }, body };
    }
    const length = String(range.end - range.start + 1);
    const part = { "Content-Length": length, "Content-Range": `bytes ${range.start}-${range.end}/${file.size}` };
    return { status: 206, headers: { ...headers, ...part }, body };
  };
}

/**
 * Reads a `Range` header of a file with so many bytes. `undefined` means the whole file, which is also the answer to
 * several ranges and to units other than bytes (RFC 9110, 14.2 allows it).
 */
function parseRange(header: string | null, size: number): BlobPart | "unsatisfiable" | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return undefined;
  return start >= size ? "unsatisfiable" : { start, end };
}

// The file is other bytes as soon as the service is reached elsewhere, which its address under a custom domain does not
// show.
function movedHeaders(bytes: Uint8Array): Readonly<Record<"ETag" | "Cache-Control" | "Accept-Ranges", string>> {
  return { ETag: `"${sha256(bytes)}"`, "Cache-Control": "no-cache", "Accept-Ranges": "none" };
}

const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/**
 * Finds the text of a file that names files or pages where the service is no longer reached, with the present
 * addresses; `undefined` for a file that is served as it is.
 */
function createMovedTexts({ store, addresses }: Core) {
  // Most files name nothing, and none is to be read twice to find that out.
  const unmoved = new LRUCache<string, true>({ max: 10_000 });
  return async ({ hash, contentType, size }: Pick<Asset, "hash" | "contentType" | "size">) => {
    if (!isTextType(contentType) || size > MAX_TEXT_BYTES || unmoved.has(hash)) return undefined;
    // What can't be read is explained where it is sent.
    const bytes = await store.blobs.read(hash).catch(() => undefined);
    if (bytes === undefined) return undefined;
    const current = makeBytesCurrent(bytes, "file", addresses);
    if (current !== bytes) return current;
    unmoved.set(hash, true);
    return undefined;
  };
}

const OPAQUE_HEADERS = { "Content-Type": "application/octet-stream" } as const;

function typedHeaders(contentType: string): Readonly<Record<string, string>> {
  return {
    "Content-Type": isTextType(contentType) ? `${contentType}; charset=utf-8` : contentType,
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    // Opened by itself, a drawing or any other XML could run scripts on the host of the pages.
    ...(/[/+]xml$/.test(contentType) && {
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }),
  };
}
