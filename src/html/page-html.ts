import { sha256, sha256OfParts } from "../base/hash.ts";

// A long text that many pages share, such as a font as a `data:` address, is a placeholder in their HTML: it is read
// when a page is hashed or sent, and kept for the next page. Hashes and sizes are those of the complete HTML.
const INSERT = /imprint-insert:([0-9a-f]{64})/g;

/** A long text shared by many pages. */
export interface Insert {
  /** Size in bytes. */
  readonly bytes: number;
  readonly read: () => Uint8Array;
  /** Whether it references assets by placeholder. */
  readonly namesAssets: boolean;
}

export type FindInsert = (hash: string) => Insert | undefined;

/** All or part of an HTML page, with placeholders for inserts. */
export interface PageHtml {
  readonly html: string;
  /** Absent if it has no inserts. */
  readonly findInsert?: FindInsert | undefined;
}

/** Placeholder for an insert, by the SHA-256 of its source. */
export function renderInsert(hash: string): string {
  return `imprint-insert:${hash}`;
}

export function renderHtml(page: PageHtml): string {
  const parts = partsOf(page);
  return parts.length === 1 ? page.html : Buffer.concat(parts.map(bytesOf)).toString();
}

/** Renders the complete HTML as UTF-8. */
export function encodeHtml(page: PageHtml): Buffer {
  const parts = partsOf(page);
  return parts.length === 1 ? Buffer.from(page.html) : Buffer.concat(parts.map(bytesOf));
}

/** Size of the complete HTML in bytes. */
export function sizeOfHtml(page: PageHtml): number {
  return partsOf(page).reduce(
    (sum, part) => sum + (typeof part === "string" ? Buffer.byteLength(part) : part.bytes),
    0,
  );
}

export function hashHtml(page: PageHtml): string {
  const parts = partsOf(page);
  if (parts.length === 1) return sha256(page.html);
  return sha256OfParts(readParts(parts));
}

// One at a time, so that they needn't all be in memory.
function* readParts(parts: readonly (string | Insert)[]): Generator<string | Uint8Array> {
  for (const part of parts) yield typeof part === "string" ? part : part.read();
}

export function insertsOf(page: PageHtml): readonly Insert[] {
  return partsOf(page).filter((part) => typeof part !== "string");
}

function partsOf({ html, findInsert }: PageHtml): readonly (string | Insert)[] {
  if (findInsert === undefined || !html.includes("imprint-insert:")) return [html];
  const parts: (string | Insert)[] = [];
  let position = 0;
  for (const match of html.matchAll(INSERT)) {
    const insert = findInsert(match[1] ?? "");
    if (insert === undefined) continue;
    parts.push(html.slice(position, match.index), insert);
    position = match.index + match[0].length;
  }
  return [...parts, html.slice(position)];
}

function bytesOf(part: string | Insert): Uint8Array {
  return typeof part === "string" ? Buffer.from(part) : part.read();
}

/** Storage for long texts that pages share. */
export interface Inserts {
  readonly find: FindInsert;
  /** Stores bytes as base64 and returns the placeholder. `hash` is their SHA-256; they may be read again. */
  addBase64(hash: string, source: { readonly bytes: number; readonly read: () => Buffer }): string;
  /** Stores a text and returns its placeholder; a short one is returned as is. */
  addText(text: string): string;
}

// Maximum size of cached content that can be read again.
const HELD_BYTES = 16 * 1024 * 1024;
const SHORT_LENGTH = 4096;

export function createInserts(): Inserts {
  const inserts = new Map<string, Insert>();
  const held = new Map<string, Uint8Array>();
  let heldBytes = 0;

  function hold(hash: string, made: Uint8Array): Uint8Array {
    held.set(hash, made);
    heldBytes += made.byteLength;
    for (const [other, { byteLength }] of held) {
      if (heldBytes <= HELD_BYTES) break;
      held.delete(other);
      heldBytes -= byteLength;
    }
    return made;
  }

  return {
    find: (hash) => inserts.get(hash),
    addBase64(hash, { bytes, read }) {
      const make = () => Buffer.from(read().toString("base64"), "latin1");
      inserts.set(hash, {
        bytes: Math.ceil(bytes / 3) * 4,
        read: () => held.get(hash) ?? hold(hash, make()),
        namesAssets: false,
      });
      return renderInsert(hash);
    },
    addText(text) {
      if (text.length < SHORT_LENGTH) return text;
      const hash = sha256(text);
      if (!inserts.has(hash)) inserts.set(hash, insertOf(text));
      return renderInsert(hash);
    },
  };
}

export function insertOf(text: string): Insert {
  const bytes = Buffer.from(text);
  return {
    bytes: bytes.byteLength,
    read: () => bytes,
    namesAssets: text.includes("imprint-asset"),
  };
}
