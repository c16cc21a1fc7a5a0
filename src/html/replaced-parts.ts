// Hosts with a template of their own put the contents of pages into it.
import { decodeReferences } from "../base/decode-references.ts";
import { addressesIn } from "./own-parts.ts";

const LANGUAGE = /<html\s(?:[^>]*\s)?lang\s*=\s*["']?([^"'\s>]+)/i;
const TITLE = /<title[^>]*>([^<]*)/i;
const CANONICAL = /<link\s(?=[^>]*\brel\s*=\s*["']?canonical\b)[^>]*>/gi;
const PRE = /<pre\b[^>]*>.*?<\/pre/gis;
const WORD = /[\p{L}\p{N}]+/gu;

/** Whether readers get a page with another language than it was sent with. */
export function lacksLanguage(sent: string, shown: string): boolean {
  const [own, there] = [sent, shown].map((html) => LANGUAGE.exec(html)?.[1]?.toLowerCase());
  return own !== undefined && own !== there;
}

/** Whether readers get a page with a title that has no word of its own. */
export function lacksTitle(sent: string, shown: string): boolean {
  const [own = [], there = []] = [sent, shown].map((html) => {
    return (
      decodeReferences(TITLE.exec(html)?.[1] ?? "")
        .toLowerCase()
        .match(WORD) ?? []
    );
  });
  const known = new Set(there);
  // A store may lose characters of all words.
  return own.some((word) => /^[a-z0-9]+$/.test(word)) && !own.some((word) => known.has(word));
}

/** Whether a page is shown with a canonical address that is neither the one that it was sent with, nor its own. */
export function lacksCanonical(sent: string, shown: string, address: string | undefined): boolean {
  const [own, there] = [readCanonicals(sent, address), readCanonicals(shown, address)];
  return there.some((each) => !own.includes(each) && each !== normalAddress(address ?? "", undefined));
}

function readCanonicals(html: string, base: string | undefined): readonly string[] {
  return addressesIn(html, CANONICAL).map((address) => normalAddress(address, base));
}

function normalAddress(address: string, base: string | undefined): string {
  return (URL.parse(address, base)?.href ?? address).replace(/\/$/, "");
}

/** Whether code on a page is shown with fewer lines than it was sent with. */
export function lacksLineBreaks(sent: string, shown: string): boolean {
  const countLines = (html: string) => (html.match(PRE) ?? []).join("").match(/\n|<br\b/gi)?.length ?? 0;
  return countLines(shown) < countLines(sent);
}
