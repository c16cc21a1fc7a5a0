import { isUtf8 } from "node:buffer";
import { fileTypeFromBuffer } from "file-type";
import { lookup } from "mrmime";
import { ProblemError } from "../http/problem.ts";

/**
 * The content type of a file, detected in its bytes; only between kinds of text does its name decide. Throws
 * `unsupported_asset_type` for HTML, which has to be published as a page, and `image_unreadable` for a file that is
 * named like an image and is none.
 */
export async function detectContentType(name: string, bytes: Uint8Array): Promise<string> {
  const named = lookup(name);
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

/** The name of the element that a document starts with, as far as it matters here. */
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
  throw new ProblemError("image_unreadable", { detail: `${name} is not the image that its name says.` });
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
 * The size of an image in pixels, read from its header: nothing is decoded, so a small file with huge dimensions costs
 * nothing. Throws `image_unreadable` or `image_too_many_pixels`.
 */
export async function readImageSize(
  contentType: string,
  { name, bytes, maxPixels }: { readonly name: string; readonly bytes: Uint8Array; readonly maxPixels: number },
): Promise<ImageSize> {
  if (!DECODED_TYPES.has(contentType)) return UNKNOWN;
  const { default: sharp } = await import("sharp");
  const { width, height } = await sharp(bytes, { limitInputPixels: false, failOn: "error" })
    .metadata()
    .catch((error: unknown) => {
      throw new ProblemError("image_unreadable", { detail: `${name} can't be decoded.`, cause: error });
    });
  if (width * height > maxPixels) {
    throw new ProblemError("image_too_many_pixels", {
      detail: `${name} has ${width} × ${height} pixels; at most ${millionsOf(maxPixels)} in total are allowed. Make it smaller first.`,
    });
  }
  return { width, height };
}
