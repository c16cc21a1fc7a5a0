import { escapePattern } from "../base/escape-pattern.ts";
import { withoutComments } from "./page-parts.ts";
import { decodeReferences } from "../base/decode-references.ts";

const PIECE = /<script\b.*?<\/script>|<[^>]*>|[^<]+|</gis;
const LONG_NUMBER = /[\da-f]{6,}/gi;

/** Stands for a file address that is no longer known in a page as it was sent. */
export const UNKNOWN_ADDRESS = "imprint-unknown-address";

// A manual edit of all pages is between other content. Hosts insert where every page has a place for it.
const STARTS = /^(?:<!doctype|<html|<head|<body)\b/i;
const ENDS = /^(?:<head|<\/head|<body|<\/body|<\/html)\b/i;

/**
 * Finds what a host inserted at the start or end of a page, its head, or its body, in page order. Returns `undefined`
 * if anything else changed. Takes the page as sent and as shown.
 */
export function findInsertions(sent: string, shown: string): readonly string[] | undefined {
  const pieces = sent.match(PIECE) ?? [];
  const insertions: string[] = [];
  let [position, insertion] = [0, ""];
  for (const piece of [...(shown.match(PIECE) ?? []), ""]) {
    const isSent = isSamePiece(pieces[position] ?? "", piece);
    if (isSent && insertion !== "") {
      if (!isEdge(pieces, position)) return undefined;
      insertions.push(insertion);
    }
    if (isSent) position += 1;
    insertion = isSent ? "" : insertion + piece;
  }
  return position === pieces.length + 1 ? insertions : undefined;
}

/** Whether only whitespace separates a position from the start or end of the head, the body, or the page. */
function isEdge(pieces: readonly string[], position: number): boolean {
  const before = pieces.slice(0, position).findLast((piece) => piece.trim() !== "");
  const after = pieces.slice(position).find((piece) => piece.trim() !== "");
  return before === undefined || after === undefined || STARTS.test(before) || ENDS.test(after);
}

function isSamePiece(sent: string, shown: string): boolean {
  if (!sent.includes(UNKNOWN_ADDRESS)) return sent === shown;
  const [start = "", ...others] = sent.split(UNKNOWN_ADDRESS);
  return shown.startsWith(start) && shown.endsWith(others.at(-1) ?? "");
}

/** Removes what a host inserts into every page. Long numbers in it may differ: visit counters change on every visit. */
export function withoutInsertions(shown: string, insertions: readonly string[]): string {
  return insertions.reduce((html, insertion) => {
    const parts = insertion.split(LONG_NUMBER).map(escapePattern);
    return html.replace(new RegExp(parts.join("[\\da-fA-F]{6,}")), "");
  }, shown);
}

/** Whether a host only reserialized a page: attribute order, whitespace, quotes, and character references. */
export function isSameContent(sent: string, shown: string): boolean {
  const [before, after] = [normalize(sent), normalize(shown)];
  return before.length === after.length && before.every((piece, index) => piece === after[index]);
}

function normalize(html: string): readonly string[] {
  const pieces = withoutComments(html).match(PIECE) ?? [];
  return pieces.map((piece) => (/^<[a-z/!]/i.test(piece) ? normalizeTag(piece) : normalizeText(piece))).filter(Boolean);
}

function normalizeText(text: string): string {
  return decodeReferences(text).replace(/\s+/g, " ").trim();
}

function normalizeTag(tag: string): string {
  const [, name = "", rest = ""] = /^<(\/?[^\s/>]*)(.*?)\/?>$/s.exec(tag) ?? [];
  if (/^script$/i.test(name)) return tag.trim();
  const attributes = [...rest.matchAll(/([^\s=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s]+)))?/g)].map(
    ([, key = "", double, single, bare]) => `${key.toLowerCase()}=${decodeReferences(double ?? single ?? bare ?? "")}`,
  );
  return `<${[name.toLowerCase(), ...attributes.toSorted()].join(" ")}>`;
}
