import { sha256 } from "../base/hash.ts";

// A placeholder has only letters, digits, a hyphen and a colon, so it stands unchanged in an attribute, in `url()`, in
// JSON and in a script, and it is an absolute address of its own scheme that nothing resolves against a base. Inside
// the text of a `data:` address its colon is percent-encoded, which says how often the address has to be encoded.
const PLACEHOLDER = /imprint-asset(:|%(?:25)*3A)([0-9a-f]{64})/g;
const ORIGINS = /imprint-origins:([0-9a-f]{64}(?:\+[0-9a-f]{64})*)/g;
const TEXT_HASH = /imprint-sha256:([0-9a-f]{64})/g;

/** What stands for the address of an asset until it is known. */
export function renderPlaceholder(hash: string): string {
  return `imprint-asset:${hash}`;
}

/** What stands in a content security policy for the origins of assets, each once; `'self'` for the page's own. */
export function renderOriginsPlaceholder(hashes: readonly string[]): string {
  return `imprint-origins:${hashes.join("+")}`;
}

/** What stands in a content security policy for the hash of an inline text that holds placeholders itself. */
export function renderTextHashPlaceholder(text: string): string {
  return `imprint-sha256:${sha256(text)}`;
}

/** Hashes of the assets that a text names by placeholder, each once, in order of first use. */
export function findPlaceholders(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, , hash = ""]) => hash))];
}

/**
 * Puts the addresses of assets in place of their placeholders. `addressOf` gives the address for a hash, absolute or
 * relative to the page; what it throws comes through. A text without placeholders comes back unchanged.
 */
export function fillPlaceholders(text: string, addressOf: (hash: string) => string): string {
  if (!text.includes("imprint-")) return text;
  const addresses = new Map<string, string>();
  const safeAddressOf = (hash: string): string => {
    const address = addresses.get(hash) ?? escapeAddress(addressOf(hash));
    addresses.set(hash, address);
    return address;
  };
  return fillAddresses(fillPolicy(text, safeAddressOf), safeAddressOf);
}

function fillAddresses(text: string, addressOf: (hash: string) => string): string {
  return text.replace(PLACEHOLDER, (_, colon: string, hash: string) => {
    let address = addressOf(hash);
    // `:` is one character, `%3A` three, `%253A` five: one more percent-encoding for every two.
    for (let length = colon.length; length > 1; length -= 2) {
      address = address.replaceAll("%", "%25").replaceAll("#", "%23");
    }
    return address;
  });
}

/**
 * Percent-encodes what could end or change an attribute, `url()`, a JSON or script string, or a `srcset`. Browsers
 * take the result for the same address. `&copy` would be read as a character reference in an attribute but not in a
 * script; `&%63opy` is the same everywhere.
 */
function escapeAddress(address: string): string {
  return address
    .replace(/[^!-~]+|["'<>()\\`{}|^]/g, percentEncode)
    .replace(/^,|,$/g, percentEncode)
    .replace(/&(?=#)/g, percentEncode)
    .replace(/(?<=&)[a-zA-Z](?=[a-zA-Z0-9]*(?:[^a-zA-Z0-9=]|$))/g, percentEncode);
}

function percentEncode(characters: string): string {
  return Buffer.from(characters).toString("hex").toUpperCase().replace(/../g, "%$&");
}

function fillPolicy(text: string, addressOf: (hash: string) => string): string {
  if (!text.includes("imprint-origins:") && !text.includes("imprint-sha256:")) return text;
  const inline = findInlineTexts(text);
  return text
    .replace(ORIGINS, (_, hashes: string) => {
      const origins = hashes.split("+").map((hash) => originOf(addressOf(hash)));
      return [...new Set(origins)].join(" ");
    })
    .replace(TEXT_HASH, (placeholder, hash: string) => {
      const source = inline.get(hash);
      return source === undefined ? placeholder : policyHash(fillAddresses(source, addressOf));
    });
}

function originOf(address: string): string {
  const url = URL.parse(address);
  return url === null ? "'self'" : url.origin;
}

/** The hash of an inline script or style as a content security policy names it, without its quotes. */
export function policyHash(text: string): string {
  return `sha256-${Buffer.from(sha256(text), "hex").toString("base64")}`;
}

/** The texts of inline scripts and styles by their SHA-256. May hold more texts than there are such elements. */
function findInlineTexts(html: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { index, 1: name = "" } of html.matchAll(/<(script|style)(?=[\s>])/gi)) {
    const tag = /<(?:"[^"]*"|'[^']*'|[^'">])*>/y;
    tag.lastIndex = index;
    const start = index + (tag.exec(html)?.[0].length ?? 0);
    // Inside an SVG any tag may end the text.
    for (const ending of [new RegExp(`</${name}[\\s/>]`, "gi"), /</g]) {
      ending.lastIndex = start;
      const text = html.slice(start, ending.exec(html)?.index);
      if (text.includes("imprint-asset")) texts.set(sha256(text), text);
    }
  }
  return texts;
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
  return `data:${contentType};base64,${bytes.toString("base64")}`;
}
