import { isFile, type Bytes } from "../../base/bytes.ts";
import { sha256 } from "../../base/hash.ts";
import { encodeBody, type EncodedBody } from "./body.ts";

/** One part of a multipart form: a text field, or a file. */
export type Part =
  | { readonly kind: "field"; readonly name: string; readonly text: string }
  | {
      readonly kind: "file";
      readonly name: string;
      readonly fileName: string;
      readonly contentType: string;
      readonly bytes: Bytes;
    };

/**
 * Encodes a form as `multipart/form-data`. The platform's encoder draws a random boundary; here the same form gives the
 * same bytes, which an idempotency key requires of a repeated request.
 */
export function encodeMultipart(parts: readonly Part[]): EncodedBody {
  const pieces = parts.map((part) => ({
    head: Buffer.from(`${headOf(part)}\r\n\r\n`),
    content: part.kind === "file" ? part.bytes : Buffer.from(part.text),
  }));
  // A boundary that is made from the content can't be found in it.
  const digests = pieces.map(({ head, content }) => sha256(head) + digestOf(content)).join("");
  const boundary = `imprint-${sha256(digests)}`;
  const lines = pieces.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n`),
    head,
    content,
    Buffer.from("\r\n"),
  ]);
  return encodeBody(`multipart/form-data; boundary=${boundary}`, [...lines, Buffer.from(`--${boundary}--\r\n`)]);
}

function digestOf(content: Bytes): string {
  return isFile(content) ? sha256(content.digest) : sha256(content);
}

function headOf(part: Part): string {
  const disposition = `Content-Disposition: form-data; name="${quotable(part.name)}"`;
  if (part.kind === "field") return disposition;
  const contentType = part.contentType.replace(/[^\x20-\x7e]/g, "");
  return `${disposition}; filename="${quotable(part.fileName)}"\r\nContent-Type: ${contentType}`;
}

// As browsers do it (WHATWG HTML, "multipart/form-data encoding algorithm").
function quotable(text: string): string {
  return text.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}
