import { LRUCache } from "lru-cache";
import { createGate } from "../../base/gate.ts";
import { sha256 } from "../../base/hash.ts";
import type { Core } from "../host/core.ts";
import { type AnyResponse, type HttpRequest, isFresh } from "../http/messages.ts";
import { makeBytesCurrent } from "../resources/current-addresses.ts";
import { isTextType } from "../resources/file-type.ts";
import type { Asset, AssetTable } from "../store/assets.ts";
import { findRow } from "../store/rows.ts";
import type { BlobPart } from "../store/blobs.ts";
import { findLook } from "../look/look.ts";
import { plainPage } from "./plain-pages.ts";

/** Serves the content of an asset. The content at its URL never changes, so it can be cached forever. */
export type LibraryServer = (address: LibraryAddress, request: HttpRequest) => Promise<AnyResponse>;

interface LibraryAddress {
  readonly assetId: string;
  readonly name: string;
}

export function createLibraryServer(core: Core): LibraryServer {
  const { store, account, settings } = core;
  const findShown = createShownTexts(core);
  return async ({ assetId, name }, request): Promise<AnyResponse> => {
    const file = await findRow(store.database, "asset", { accountId: account.id, id: assetId });
    if (file === undefined || !isNamed(file, name))
      return plainPage(await findLook(core, { kind: "host" }), "notFound");
    const shown = await findShown(file);
    const headers = {
      ...(settings.quirks.libraryHeaders === "opaque" ? OPAQUE_HEADERS : typedHeaders(file.contentType)),
      "Cache-Control": "public, max-age=31536000, immutable",
      "Accept-Ranges": "bytes",
      ETag: `"${file.hash}"`,
      ...shown.headers,
    };
    if (isFresh(request.headers.get("If-None-Match") ?? undefined, headers.ETag)) {
      return { status: 304, headers, body: undefined };
    }
    if (shown.bytes !== undefined) {
      const headersOfAll = { ...headers, "Content-Length": String(shown.bytes.byteLength) };
      return { status: 200, headers: headersOfAll, body: request.method === "HEAD" ? undefined : shown.bytes };
    }
    const range = isRangeAsked(request, headers.ETag) ? parseRange(request.headers.get("Range"), file.size) : undefined;
    if (range === "unsatisfiable") {
      return { status: 416, headers: { "Content-Range": `bytes */${file.size}` }, body: undefined };
    }
    // A body opened for `HEAD` would never be read, and thus never closed.
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
 * Whether an asset has or had the name. A script that loads adjacent files must not get itself instead, as it would run
 * again and again. A renamed asset keeps its old URLs, but its old names aren't stored.
 */
function isNamed({ name, createdAt, updatedAt }: AssetTable, asked: string): boolean {
  return asked === name || createdAt.getTime() !== updatedAt.getTime();
}

/** Whether the request is for a part of this version of the file (RFC 9110, 13.1.5 and 14.2). */
function isRangeAsked({ method, headers }: HttpRequest, tag: string): boolean {
  const ifRange = headers.get("If-Range");
  return method === "GET" && (ifRange === null || ifRange.trim() === tag);
}

/**
 * Parses a `Range` header for a file of this size. Returns `undefined` for the whole file, also for multiple ranges and
 * units other than bytes, as RFC 9110, 14.2 allows.
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

/** How to serve a file that isn't sent unchanged. */
interface ShownText {
  /** Content to send instead of the file; `undefined` for the file itself. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

const AS_IT_IS: ShownText = { bytes: undefined, headers: {} };
// It still works as an image.
const AS_DOWNLOAD: ShownText = { bytes: undefined, headers: { "Content-Disposition": "attachment" } };

function showInPlace(bytes: Uint8Array<ArrayBuffer>): ShownText {
  // The content changes if the service's URL or its SVG rules change, but the file's URL stays the same.
  const headers = { ETag: `"${sha256(bytes)}"`, "Cache-Control": "no-cache", "Accept-Ranges": "none" };
  return { bytes, headers };
}

const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/** Finds the content to serve for a text file: with the service's current URLs, and only the safe parts of SVG. */
function createShownTexts({ store, addresses }: Core) {
  // Most files are sent unchanged; this avoids reading them again to find out.
  const known = new LRUCache<string, ShownText>({
    maxSize: 2 * MAX_TEXT_BYTES,
    sizeCalculation: ({ bytes }) => (bytes?.byteLength ?? 0) + 200,
  });
  // Reading a large SVG file takes a second, so they are processed one at a time.
  const drawings = createGate(1);
  const base = addresses.libraryUrl ?? addresses.pagesUrl;

  async function read({ hash, contentType }: StoredText): Promise<ShownText> {
    const bytes = await store.blobs.read(hash);
    const current = makeBytesCurrent(bytes, "file", addresses);
    if (contentType !== SVG_TYPE) return current === bytes ? AS_IT_IS : showInPlace(current);
    const { cleanSvg } = await import("./clean-svg.ts");
    const cleaned = await cleanSvg(current, base);
    if (cleaned.kind === "unreadable") return AS_DOWNLOAD;
    if (cleaned.kind === "cleaned") return showInPlace(new TextEncoder().encode(cleaned.svg));
    return current === bytes ? AS_IT_IS : showInPlace(current);
  }

  async function readOnce(file: StoredText): Promise<ShownText> {
    const shown = known.get(file.hash) ?? (await read(file));
    known.set(file.hash, shown);
    return shown;
  }

  return async (file: StoredText): Promise<ShownText> => {
    const { hash, contentType, size } = file;
    if (!isTextType(contentType)) return AS_IT_IS;
    const isDrawing = contentType === SVG_TYPE;
    if (size > MAX_TEXT_BYTES) return isDrawing ? AS_DOWNLOAD : AS_IT_IS;
    try {
      return known.get(hash) ?? (await (isDrawing ? drawings.run(() => readOnce(file)) : readOnce(file)));
    } catch {
      // Unreadable files are handled where they are served.
      return isDrawing ? AS_DOWNLOAD : AS_IT_IS;
    }
  };
}

type StoredText = Pick<Asset, "hash" | "contentType" | "size">;

const SVG_TYPE = "image/svg+xml";

const OPAQUE_HEADERS = { "Content-Type": "application/octet-stream" } as const;

function typedHeaders(contentType: string): Readonly<Record<string, string>> {
  return {
    "Content-Type": isTextType(contentType) ? `${contentType}; charset=utf-8` : contentType,
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    // Opened directly, SVG or other XML could run scripts on the pages host.
    ...(/[/+]xml$/.test(contentType) && {
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }),
  };
}
