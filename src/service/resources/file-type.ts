import { isUtf8 } from "node:buffer";
import { fileTypeFromBuffer } from "file-type";
import { lookup } from "mrmime";
import { ProblemError } from "./problem-error.ts";

/**
 * The content type of a file, told by its bytes; only between kinds of text does its name decide. Throws
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
