import { createHash, hash } from "node:crypto";

/** Returns the SHA-256 of a text (as UTF-8) or of bytes, as 64 lowercase hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return hash("sha256", content);
}

/** Returns the SHA-256 of the concatenated parts, in the form of `sha256`. */
export function sha256OfParts(parts: Iterable<string | Uint8Array>): string {
  const all = createHash("sha256");
  for (const part of parts) all.update(part);
  return all.digest("hex");
}
