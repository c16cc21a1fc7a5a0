/** The encoding that a page, a style sheet, or a feed declares. */
const DECLARED =
  /(?:<meta\s[^>]*?charset\s*=\s*["']?\s*|^@charset\s+["']|^<\?xml\s[^>]*?encoding\s*=\s*["'])([\w.:-]+)/i;
// Browsers look for it only here.
const DECLARED_WITHIN_BYTES = 1024;

/**
 * Decodes a text that isn't UTF-8: in the encoding of its response's `Content-Type`, or else in the one that it
 * declares, which is then declared as UTF-8. Returns `undefined` if there is none, or if it doesn't fit.
 */
export function decodeDeclared(bytes: Uint8Array, contentType = ""): string | undefined {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, DECLARED_WITHIN_BYTES));
  const [, declared = ""] = DECLARED.exec(start) ?? [];
  const [, label = ""] = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType) ?? [];
  const text = decodeAs(label, bytes) ?? decodeAs(declared, bytes);
  return text?.replace(DECLARED, (found: string) => `${found.slice(0, -declared.length)}utf-8`);
}

/** Decodes an encoding with a label of the Encoding Standard; `undefined` if it isn't one, or doesn't fit. */
function decodeAs(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
