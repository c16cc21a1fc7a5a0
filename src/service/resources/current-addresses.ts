import { policyHash } from "../../html/fill-placeholders.ts";
import type { Addresses } from "./addresses.ts";

// Content published while the service ran at a loopback address contains that address, but is shown at another one once
// the service gets other ports or a public URL. See docs/decisions/0012.

const LOOPBACK = String.raw`https?://(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?`;
const LIBRARY = new RegExp(String.raw`${LOOPBACK}(?=/library/as_[0-9A-Za-z]{22}/)`, "g");
// Page URLs have no id. So only the default host of pages counts, and only at the start of a URL: prose about such a
// URL stays unchanged.
const PAGES_HOST = String.raw`http://127\.0\.0\.1(?::\d{1,5})?(?=/(?:p|blog)/[a-z0-9])`;
const PAGE_IN_HTML = new RegExp(String.raw`(?<=["'=])${PAGES_HOST}`, "g");
const PAGE_IN_FILE = new RegExp(String.raw`(?<=["'=>])${PAGES_HOST}`, "g");

/** A document that may contain URLs of the service's own files and pages. */
export interface StoredText {
  readonly text: string;
  readonly kind: "html" | "file";
}

/**
 * Replaces loopback URLs of library files and pages in a stored text with the service's current URL. Updates content
 * security policies, including the hashes of changed inline scripts and styles.
 */
export function makeCurrent({ text, kind }: StoredText, addresses: Pick<Addresses, "pagesUrl" | "libraryUrl">): string {
  const base = addresses.libraryUrl ?? addresses.pagesUrl;
  const former = new Set(text.match(LIBRARY));
  former.delete(base);
  const replace = (part: string) =>
    part.replace(LIBRARY, () => base).replace(kind === "html" ? PAGE_IN_HTML : PAGE_IN_FILE, () => base);
  const current = replace(text);
  if (kind === "file" || current === text) return current;
  return replacePolicies(current, { former, origin: new URL(base).origin, hashes: findMovedHashes(text, replace) });
}

/** Like `makeCurrent`, for UTF-8 bytes; returns the same object if nothing changes. */
export function makeBytesCurrent(
  bytes: Uint8Array<ArrayBuffer>,
  kind: StoredText["kind"],
  addresses: Pick<Addresses, "pagesUrl" | "libraryUrl">,
): Uint8Array<ArrayBuffer> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!HINTS.some((hint) => buffer.includes(hint))) return bytes;
  const text = buffer.toString("utf8");
  const current = makeCurrent({ text, kind }, addresses);
  return current === text ? bytes : Buffer.from(current);
}

const HINTS = ["://127.", "://localhost", "://[::1]"] as const;

const POLICY = /<meta\s(?=[^<>]*\bhttp-equiv\s*=\s*["']?content-security-policy\b)[^<>]*>/gi;

interface Moved {
  /** Origins that the page no longer loads from. */
  readonly former: ReadonlySet<string>;
  readonly origin: string;
  /** New hashes by old hash. */
  readonly hashes: ReadonlyMap<string, string>;
}

function replacePolicies(html: string, { former, origin, hashes }: Moved): string {
  return html.replace(POLICY, (element) =>
    element
      .replace(/https?:\/\/[^\s"';,/]+/g, (source) => (former.has(source) ? origin : source))
      .replace(/sha256-[A-Za-z0-9+/]{43}=/g, (hash) => hashes.get(hash) ?? hash),
  );
}

const INLINE = /<(script|style)(?=[\s>])(?:"[^"]*"|'[^']*'|[^'">])*>([^]*?)<\/\1/gi;

function findMovedHashes(html: string, replace: (text: string) => string): ReadonlyMap<string, string> {
  const hashes = new Map<string, string>();
  if (!html.includes("sha256-")) return hashes;
  for (const { 2: text = "" } of html.matchAll(INLINE)) {
    const current = replace(text);
    if (current !== text) hashes.set(policyHash({ html: text }), policyHash({ html: current }));
  }
  return hashes;
}
