// A placeholder has only letters, digits, a hyphen and a colon, so it stands unchanged in an attribute, in `url()`, in
// JSON and in a script, and it is an absolute address of its own scheme that nothing resolves against a base. Inside
// the text of a `data:` address its colon is percent-encoded, which says how often the address has to be encoded.
export const PLACEHOLDER = /imprint-asset(:|%(?:25)*3A)([0-9a-f]{64})/g;
export const ORIGINS = /imprint-origins:([0-9a-f]{64}(?:\+[0-9a-f]{64})*)/g;

/** What stands for the address of an asset until it is known. */
export function renderPlaceholder(hash: string): string {
  return `imprint-asset:${hash}`;
}

/** What stands in a content security policy for the origins of assets, each once; `'self'` for the page's own. */
export function renderOriginsPlaceholder(hashes: readonly string[]): string {
  return `imprint-origins:${hashes.join("+")}`;
}

/**
 * Percent-encodes what could end or change an attribute, `url()`, a JSON or script string, or a `srcset`. Browsers
 * take the result for the same address. `&copy` would be read as a character reference in an attribute but not in a
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
 * A `data:` address for a text, with as little percent-encoding as browsers allow. Placeholders inside stay
 * placeholders: their colon is encoded too, so that the address put in later is encoded like the text around it.
 */
export function textDataAddress(contentType: string, text: string): string {
  const encoded = text
    .replace(/[%#<\n\r\t\0]/g, percentEncode)
    .replaceAll("imprint-asset:", "imprint-asset%3A")
    // The URL parser strips spaces and control characters from the end.
    .replace(/[\0- ]+$/, (end) => end.replace(/[^]/g, percentEncode));
  return `data:${contentType};charset=utf-8,${encoded}`;
}

/** A `data:` address for bytes. */
export function bytesDataAddress(contentType: string, bytes: Buffer): string {
  return base64DataAddress(contentType, bytes.toString("base64"));
}

export function base64DataAddress(contentType: string, base64: string): string {
  return `data:${contentType};base64,${base64}`;
}
