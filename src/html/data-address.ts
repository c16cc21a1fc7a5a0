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
  return `data:${contentType};base64,${bytes.toString("base64")}`;
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
