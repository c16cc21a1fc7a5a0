import type { Core } from "../core.ts";
import type { Outcome } from "../http/answer.ts";
import type { HttpRequest } from "../http/request.ts";
import { isTextType } from "../resources/file-type.ts";
import { isFresh } from "../route-sets/read-conditions.ts";
import { findAssetFile } from "../store/assets.ts";
import { parseRange } from "./byte-range.ts";
import { findLook } from "../look/find-look.ts";
import { notFoundPage } from "./plain-pages.ts";

/** Serves the bytes of an asset. Its address never gets other bytes, so it may be kept for ever. */
export async function serveLibraryFile(core: Core, assetId: string, request: HttpRequest): Promise<Outcome> {
  const { store, account, settings } = core;
  const file = await findAssetFile(store.database, { accountId: account.id, id: assetId });
  if (file === undefined) return notFoundPage(await findLook(core, { kind: "host" }));
  const headers = {
    ...(settings.quirks.libraryHeaders === "opaque" ? OPAQUE_HEADERS : typedHeaders(file.contentType)),
    "Cache-Control": "public, max-age=31536000, immutable",
    "Accept-Ranges": "bytes",
    ETag: `"${file.hash}"`,
  };
  if (isFresh(request.headers.get("If-None-Match") ?? undefined, headers.ETag)) {
    return { status: 304, headers, body: undefined };
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
