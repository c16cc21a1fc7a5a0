// A placeholder has only letters, digits, a hyphen, and a colon, so it is valid unescaped in an attribute, `url()`,
// JSON, and scripts, and it is an absolute address with its own scheme that nothing resolves against a base. Inside the
// text of a `data:` address its colon is percent-encoded, which shows how often the address must be encoded.
export const PLACEHOLDER = /imprint-asset(:|%(?:25)*3A)([0-9a-f]{64})/g;
export const ORIGINS = /imprint-origins:([0-9a-f]{64}(?:\+[0-9a-f]{64})*)/g;

/** The address of an empty file, which causes no request: it stands for a file that the library doesn't take. */
export const EMPTY_ADDRESS = "data:,";

export function renderPlaceholder(hash: string): string {
  return `imprint-asset:${hash}`;
}

/** Placeholder in a content security policy for the origins of assets, each once; `'self'` for the page's own. */
export function renderOriginsPlaceholder(hashes: readonly string[]): string {
  return `imprint-origins:${hashes.join("+")}`;
}

/**
 * Percent-encodes everything that could end or change an attribute, `url()`, a JSON or script string, or a `srcset`.
 * Browsers treat the result as the same address. `&copy` would be a character reference in an attribute but not in a
 * script; `&%63opy` is the same everywhere.
 */
export function escapeAddress(address: string): string {
  return address
    .replace(/[^!-~]+|["'<>()\\`{}|^]/g, percentEncode)
    .replace(/^,|,$/g, percentEncode)
    .replace(/&(?=#)/g, percentEncode)
    .replace(/(?<=&)[a-zA-Z](?=[a-zA-Z0-9]*(?:[^a-zA-Z0-9=]|$))/g, percentEncode);
}

function percentEncode(characters: string): string {
  return Buffer.from(characters).toString("hex").toUpperCase().replace(/../g, "%$&");
}

/**
 * Creates a `data:` address for a text, with as little percent-encoding as browsers allow. Placeholders inside remain
 * placeholders: their colon is encoded too, so that the address inserted later is encoded like the text around it.
 */
export function textDataAddress(contentType: string, text: string): string {
  const encoded = text
    .replace(/[%#<\n\r\t\0]/g, percentEncode)
    .replaceAll("imprint-asset:", "imprint-asset%3A")
    // The URL parser strips trailing spaces and control characters.
    .replace(/[\0- ]+$/, (end) => end.replace(/[^]/g, percentEncode));
  return `data:${contentType};charset=utf-8,${encoded}`;
}

export function bytesDataAddress(contentType: string, bytes: Buffer): string {
  return base64DataAddress(contentType, bytes.toString("base64"));
}

export function base64DataAddress(contentType: string, base64: string): string {
  return `data:${contentType};base64,${base64}`;
}
