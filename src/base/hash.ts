import { createHash, hash } from "node:crypto";

/** SHA-256 of a text (as UTF-8) or of bytes, as 64 lower-case hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return hash("sha256", content);
}

/** SHA-256 of what parts make together, as `sha256` gives it. */
export function sha256OfParts(parts: Iterable<string | Uint8Array>): string {
  const all = createHash("sha256");
  for (const part of parts) all.update(part);
  return all.digest("hex");
}
