import { isUtf8 } from "node:buffer";
import { fileTypeFromBuffer } from "file-type";
import { lookup } from "mrmime";
import { ProblemError } from "../http/problem.ts";

/**
 * Detects the content type of a file from its bytes; the name decides only between text types. Throws
 * `unsupported_asset_type` for HTML, which must be published as a page, and `image_unreadable` for a file with an
 * image's name but other content.
 */
export async function detectContentType(name: string, bytes: Uint8Array): Promise<string> {
  const named = lookup(name);
  if (bytes.byteLength === 0 && named?.startsWith("image/") === true) {
    throw new ProblemError("image_unreadable", { detail: `${name} is empty.` });
  }
  const detected = (await fileTypeFromBuffer(bytes))?.mime;
  if (!isText(bytes)) return detected ?? refuseBrokenImage(name, named) ?? "application/octet-stream";
  const text = new TextDecoder().decode(bytes.subarray(0, 64 * 1024));
  const root = findRoot(text);
  if (root === "svg") return "image/svg+xml";
  if (root === "html" || named === "text/html" || named === "application/xhtml+xml") {
    throw new ProblemError("unsupported_asset_type", { detail: `${name} is an HTML document; publish it as a page.` });
  }
  if (named !== undefined && isTextType(named)) return named;
  return detected ?? refuseBrokenImage(name, named) ?? "text/plain";
}

export function isTextType(type: string): boolean {
  return type.startsWith("text/") || /[/+](?:json|xml|javascript)$/.test(type);
}

function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

/** Returns a document's root element, as far as it matters here. */
function findRoot(text: string): "svg" | "html" | undefined {
  const start = text.replace(
    /^\uFEFF?(?:\s+|<\?[^>]*>|<!--[\s\S]*?-->|<!doctype(?!\s+html)(?:[^>[]|\[[\s\S]*?\])*>)+/i,
    "",
  );
  if (/^<svg[\s>/]/i.test(start)) return "svg";
  return /^(?:<!doctype\s+html|<html|<head|<body)[\s>/]/i.test(start) ? "html" : undefined;
}

function refuseBrokenImage(name: string, named: string | undefined): undefined {
  if (named?.startsWith("image/") !== true) return undefined;
  throw new ProblemError("image_unreadable", { detail: `${name} is not an image, despite its name.` });
}

const SHOWN_TYPES: ReadonlySet<string> = new Set([
  ...["image/apng", "image/avif", "image/bmp", "image/gif", "image/jpeg", "image/png", "image/svg+xml", "image/webp"],
  ...["image/vnd.microsoft.icon", "image/x-icon"],
]);

/** Whether all current browsers show images of a type. They don't show photos of phones in HEIC, or TIFF. */
export function isShownByBrowsers(contentType: string): boolean {
  return SHOWN_TYPES.has(contentType);
}

export interface ImageSize {
  readonly width: number | null;
  readonly height: number | null;
}

const UNKNOWN: ImageSize = { width: null, height: null };

const DECODED_TYPES: ReadonlySet<string> = new Set([
  "image/apng",
  "image/avif",
  "image/gif",
  "image/jpeg",
  "image/png",
  "image/tiff",
  "image/webp",
]);

function millionsOf(count: number): string {
  return count < 1_000_000 ? String(count) : `${count / 1_000_000} million`;
}

/**
 * Reads the size of an image in pixels from its header. Nothing is decoded, so a small file with huge dimensions is
 * harmless. Throws `image_unreadable` or `image_too_many_pixels`.
 */
export async function readImageSize(
  contentType: string,
  { name, bytes, maxPixels }: { readonly name: string; readonly bytes: Uint8Array; readonly maxPixels: number },
): Promise<ImageSize> {
  if (!DECODED_TYPES.has(contentType)) return UNKNOWN;
  const { default: sharp } = await import("sharp");
  // Browsers rotate photos by their metadata.
  const { width, height } = await sharp(bytes, { limitInputPixels: false, failOn: "error" })
    .metadata()
    .then(({ autoOrient }) => autoOrient)
    .catch((error: unknown) => {
      throw new ProblemError("image_unreadable", { detail: `${name} can't be decoded.`, cause: error });
    });
  if (width * height > maxPixels) {
    throw new ProblemError("image_too_many_pixels", {
      detail: `${name} has ${width} × ${height} pixels; the maximum is ${millionsOf(maxPixels)} in total. Resize it first.`,
    });
  }
  return { width, height };
}
