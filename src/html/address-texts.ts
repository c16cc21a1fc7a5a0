import { parseJson } from "../base/json.ts";
import { applyEdits, type Edit } from "./edits.ts";

/** An address in a `srcset`, with its position in the attribute value. */
interface SrcsetAddress {
  readonly address: string;
  readonly start: number;
  readonly end: number;
}

/** Finds the addresses of a `srcset` as specified by the HTML standard: commas inside an address belong to it. */
export function findSrcsetAddresses(srcset: string): readonly SrcsetAddress[] {
  const addresses: SrcsetAddress[] = [];
  let position = 0;
  while (true) {
    const start = skip(srcset, position, /[\s,]*/y);
    if (start >= srcset.length) return addresses;
    const end = skip(srcset, start, /\S+/y);
    const address = srcset.slice(start, end).replace(/,+$/, "");
    addresses.push({ address, start, end: start + address.length });
    const hasDescriptor = address.length === end - start;
    position = hasDescriptor ? skip(srcset, end, /(?:\([^)]*\)?|[^,(])*/y) : end;
  }
}

function skip(text: string, position: number, pattern: RegExp): number {
  pattern.lastIndex = position;
  return position + (pattern.exec(text)?.[0].length ?? 0);
}

// What follows each address of a list that scripts read.
const DESCRIPTORS = /^(?:\s+[\d.]+[wxh])*[\s,]*$/;

/**
 * Replaces the addresses of a text that is a `srcset`: whole addresses, or those from the root, with widths or
 * densities. Returns `undefined` if it isn't one, or nothing is replaced.
 */
export function replaceSrcset(text: string, replace: (address: string) => string | undefined): string | undefined {
  if (!/^\s*(?:\/|https?:)/.test(text) || !/\s[\d.]+[wxh]\s*(?:,|$)/.test(text)) return undefined;
  const addresses = findSrcsetAddresses(text);
  const isList = addresses.every(({ address, end }, index) => {
    return looksLikeAddress(address) && DESCRIPTORS.test(text.slice(end, addresses[index + 1]?.start));
  });
  if (!isList) return undefined;
  const edits = addresses.flatMap(({ address, start, end }): Edit[] => {
    const replacement = replace(address);
    return replacement === undefined ? [] : [{ start, end, text: replacement }];
  });
  return edits.length === 0 ? undefined : applyEdits(text, edits);
}

const ATTRIBUTE =
  /(\s(?:src|srcset|href|xlink:href|poster|style|data(?:-[\w-]+)?)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'<>]+)/gi;
const STYLE_ADDRESS = /(?<=\burl\(\s*(?:["']|&quot;|&#39;)?)(?:\/|https?:)(?:(?!&quot;|&#39;)[^\s"'()<>])+/gi;

const MARKDOWN_ADDRESS = /(?<=\]\()(?:\/|https?:)[^\s()<>"]+(?=[)\s])/gi;

/**
 * Replaces the addresses in HTML, in its attributes, and in images and links of Markdown: whole addresses, and those
 * from the root. Returns `undefined` if the text contains neither, or nothing is replaced.
 */
export function replaceMarkup(text: string, replace: (address: string) => string | undefined): string | undefined {
  const isHtml = /<[a-z]/i.test(text);
  if (!isHtml && !text.includes("](")) return undefined;
  const place = (written: string): string | undefined => {
    const address = written.replaceAll("&amp;", "&");
    return looksLikeAddress(address) ? replace(address)?.replaceAll("&", "&amp;") : undefined;
  };
  const marked = text.replace(MARKDOWN_ADDRESS, (address) => place(address) ?? address);
  const replaced = !isHtml
    ? marked
    : marked.replace(ATTRIBUTE, (_, start: string, written: string) => {
        const [quote = ""] = /^["']/.exec(written) ?? [];
        const value = written.slice(quote.length, written.length - quote.length);
        const styled = (): string => value.replace(STYLE_ADDRESS, (address) => place(address) ?? address);
        return start + quote + (place(value) ?? replaceSrcset(value, place) ?? styled()) + quote;
      });
  return replaced === text ? undefined : replaced;
}

interface MetaRefresh {
  readonly seconds: number;
  readonly address: string;
  /** The content before and after the address, so that only the address is replaced. */
  readonly before: string;
  readonly after: string;
}

/** Parses the `content` of a refresh to another address; `undefined` if it only reloads or can't be parsed. */
export function parseMetaRefresh(content: string): MetaRefresh | undefined {
  const match = /^(\s*(\d*)[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(["']?))(.*)$/is.exec(content);
  const [, before = "", seconds = "", quote = "", rest = ""] = match ?? [];
  if (match === null || rest.trim() === "") return undefined;
  const end = quote === "" || !rest.includes(quote) ? rest.trimEnd().length : rest.indexOf(quote);
  return { seconds: Number(seconds), address: rest.slice(0, end), before, after: rest.slice(end) };
}

/**
 * Replaces strings in a JSON text and keeps every other character. `replace` gets the decoded string, the nearest
 * preceding key, and the position, and returns the new string or `undefined` to keep it. Keys aren't replaced.
 */
export function replaceJsonStrings(
  json: string,
  replace: (value: string, key: string | undefined, index: number) => string | undefined,
): string {
  const edits: Edit[] = [];
  let key: string | undefined;
  for (const { index, 0: literal, 1: colon } of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) {
    const source = colon === undefined ? literal : literal.slice(0, -colon.length);
    if (colon !== undefined) {
      key = parseString(source);
      continue;
    }
    const value = parseString(source);
    const replacement = value === undefined ? undefined : replace(value, key, index);
    if (replacement === undefined || replacement === value) continue;
    edits.push({ start: index, end: index + source.length, text: renderString(replacement, source) });
  }
  return applyEdits(json, edits);
}

/** Whether a text in JSON may be an address: absolute, or from the root of the site. A file's name may have spaces. */
export function looksLikeAddress(text: string): boolean {
  return /^(?:(?:\/(?!\/)|https?:\/\/)\S*|\/(?![/ ])[^\t\n\r<>"{}]*\.[a-z0-9]{2,11})$/i.test(text);
}

function parseString(literal: string): string | undefined {
  // Not always JSON, such as a script with single quotes: left unchanged.
  const value = parseJson(literal);
  return typeof value === "string" ? value : undefined;
}

/** Inside `<script>`, `<` must not begin an end tag, and some serializers escape slashes. */
function renderString(value: string, source: string): string {
  const rendered = JSON.stringify(value).replaceAll("<", "\\u003c");
  return source.includes("\\/") ? rendered.replaceAll("/", "\\/") : rendered;
}
