import { policyHash } from "../../html/fill-placeholders.ts";
import type { Addresses } from "./addresses.ts";

// What was published while the service ran at one loopback address holds that address, and is shown at another one as
// soon as the service gets other ports or a public address. See docs/decisions/0012.

const LOOPBACK = String.raw`https?://(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?`;
const LIBRARY = new RegExp(String.raw`${LOOPBACK}(?=/library/as_[0-9A-Za-z]{22}/)`, "g");
// Pages have no id in their addresses. So only the host that pages get by default counts, and only where an address
// begins: a text that explains such an address stays as it was written.
const PAGES_HOST = String.raw`http://127\.0\.0\.1(?::\d{1,5})?(?=/(?:p|blog)/[a-z0-9])`;
const PAGE_IN_HTML = new RegExp(String.raw`(?<=["'=])${PAGES_HOST}`, "g");
const PAGE_IN_FILE = new RegExp(String.raw`(?<=["'=>])${PAGES_HOST}`, "g");

/** A document in which addresses of the service's own files and pages may stand. */
export interface StoredText {
  readonly text: string;
  readonly kind: "html" | "file";
}

/**
 * A stored text with the present address of the service wherever it names a library file or a page of a service on
 * this machine. Content security policies allow the new address, and inline texts that changed keep their hashes right.
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

/** As `makeCurrent`, on bytes in UTF-8; the very same bytes when nothing in them changes. */
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
  /** Origins that the page loads nothing from now. */
  readonly former: ReadonlySet<string>;
  readonly origin: string;
  /** New hash by former hash. */
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
