import { hashHtml, insertOf, insertsOf, type FindInsert, type Insert, type PageHtml } from "./page-html.ts";
import { escapeAddress, ORIGINS, PLACEHOLDER } from "./placeholders.ts";

const TEXT_HASH = /imprint-sha256:([0-9a-f]{64})/g;

/** Placeholder in a content security policy for the hash of an inline text that itself contains placeholders. */
export function renderTextHashPlaceholder(text: PageHtml): string {
  return `imprint-sha256:${hashHtml(text)}`;
}

/**
 * Replaces the placeholders of assets with their addresses. `addressOf` returns the address for a hash, absolute or
 * relative to the page; its errors are passed on. A text without placeholders is returned unchanged.
 */
export function fillPlaceholders(text: string, addressOf: (hash: string) => string): string {
  return fillHtml({ html: text }, addressOf).html;
}

/** Like `fillPlaceholders`, but also fills the inserts of a page, which stay inserts. */
export function fillHtml(page: PageHtml, addressOf: (hash: string) => string): PageHtml {
  if (!page.html.includes("imprint-")) return page;
  const addresses = new Map<string, string>();
  const safeAddressOf = (hash: string): string => {
    const address = addresses.get(hash) ?? escapeAddress(addressOf(hash));
    addresses.set(hash, address);
    return address;
  };
  const findInsert = fillInserts(page.findInsert, safeAddressOf);
  const html = fillPolicy(page, (text) => ({ html: fillAddresses(text, safeAddressOf), findInsert }), safeAddressOf);
  return { html: fillAddresses(html, safeAddressOf), findInsert };
}

function fillInserts(find: FindInsert | undefined, addressOf: (hash: string) => string): FindInsert | undefined {
  if (find === undefined) return undefined;
  const filled = new Map<string, Insert>();
  return (hash) => {
    const known = filled.get(hash);
    if (known !== undefined) return known;
    const insert = find(hash);
    if (insert?.namesAssets !== true) return insert;
    const made = insertOf(fillAddresses(Buffer.from(insert.read()).toString(), addressOf));
    filled.set(hash, made);
    return made;
  };
}

function fillAddresses(text: string, addressOf: (hash: string) => string): string {
  return text.replace(PLACEHOLDER, (_, colon: string, hash: string) => {
    let address = addressOf(hash);
    // `:` has one character, `%3A` three, `%253A` five: each two more mean another level of percent-encoding.
    for (let length = colon.length; length > 1; length -= 2) {
      address = address.replaceAll("%", "%25").replaceAll("#", "%23");
    }
    return address;
  });
}

function fillPolicy(page: PageHtml, fill: (text: string) => PageHtml, addressOf: (hash: string) => string): string {
  const { html } = page;
  if (!html.includes("imprint-origins:") && !html.includes("imprint-sha256:")) return html;
  const inline = findInlineTexts(page);
  return html
    .replace(ORIGINS, (_, hashes: string) => {
      const origins = hashes.split("+").map((hash) => originOf(addressOf(hash)));
      return [...new Set(origins)].join(" ");
    })
    .replace(TEXT_HASH, (placeholder, hash: string) => {
      const source = inline.get(hash);
      return source === undefined ? placeholder : policyHash(fill(source));
    });
}

function originOf(address: string): string {
  const url = URL.parse(address);
  return url === null ? "'self'" : url.origin;
}

/** The hash of an inline script or style as in a content security policy, without quotes. */
export function policyHash(text: PageHtml): string {
  return `sha256-${Buffer.from(hashHtml(text), "hex").toString("base64")}`;
}

/** Whether part of a page references assets by placeholder. */
export function namesAssets(text: PageHtml): boolean {
  return text.html.includes("imprint-asset") || insertsOf(text).some((insert) => insert.namesAssets);
}

/** The texts of inline scripts and styles, by SHA-256. May contain more texts than there are such elements. */
function findInlineTexts({ html, findInsert }: PageHtml): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { index, 1: name = "" } of html.matchAll(/<(script|style)(?=[\s>])/gi)) {
    const tag = /<(?:"[^"]*"|'[^']*'|[^'">])*>/y;
    tag.lastIndex = index;
    const start = index + (tag.exec(html)?.[0].length ?? 0);
    // Inside an SVG, any tag may end the text.
    for (const ending of [new RegExp(`</${name}[\\s/>]`, "gi"), /</g]) {
      ending.lastIndex = start;
      const text = html.slice(start, ending.exec(html)?.index);
      const part = { html: text, findInsert };
      if (namesAssets(part)) texts.set(hashHtml(part), text);
    }
  }
  return texts;
}
