import { decodeAttribute } from "../../base/decode-references.ts";
import type { HtmlAttribute } from "../tree.ts";

export interface StartTag {
  /** Lowercase. */
  readonly name: string;
  readonly attrs: readonly HtmlAttribute[];
  readonly isSelfClosing: boolean;
  readonly start: number;
  /** The position after its `>`. */
  readonly end: number;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const FORM_FEED = 0x0c;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const EXCLAMATION = 0x21;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const QUESTION = 0x3f;

// Limited because each name is compared with those before it.
const MAX_ATTRIBUTES = 64;

/**
 * Scans the start tag whose `<` is at `start`, followed by a letter. Returns `undefined` if it isn't terminated or has
 * more attributes than anyone writes.
 */
export function scanStartTag(text: string, start: number): StartTag | undefined {
  const nameEnd = endOfTagName(text, start + 1);
  const name = knownName(text.slice(start + 1, nameEnd));
  let attrs: HtmlAttribute[] | undefined;
  let position = nameEnd;
  let attributeEnd = nameEnd;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (code === GREATER) {
      // The slash in `<a href=/about/>` is part of the value.
      const isSelfClosing = text.charCodeAt(position - 1) === SLASH && position > attributeEnd;
      return { name, attrs: attrs ?? NO_ATTRIBUTES, isSelfClosing, start, end: position + 1 };
    }
    if (isSpace(code) || code === SLASH) {
      position += 1;
    } else {
      attrs ??= [];
      position = scanAttribute(text, position, attrs);
      attributeEnd = position;
      if (attrs.length > MAX_ATTRIBUTES) return undefined;
    }
  }
  return undefined;
}

const NO_ATTRIBUTES: readonly HtmlAttribute[] = [];

/** The position after the name of a tag. */
export function endOfTagName(text: string, start: number): number {
  let position = start;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (code === GREATER || code === SLASH || isSpace(code)) return position;
    position += 1;
  }
  return position;
}

/** Scans the attribute that begins at `start` into `attrs`, and returns the position after it. */
function scanAttribute(text: string, start: number, attrs: HtmlAttribute[]): number {
  const nameEnd = endOfAttributeName(text, start);
  const name = knownName(text.slice(start, nameEnd));
  const equals = skipSpace(text, nameEnd);
  if (text.charCodeAt(equals) !== EQUALS) {
    addAttribute(attrs, { name, value: "", start, end: nameEnd });
    return nameEnd;
  }
  const valueStart = skipSpace(text, equals + 1);
  const code = text.charCodeAt(valueStart);
  if (code === GREATER) {
    addAttribute(attrs, { name, value: "", start, end: nameEnd });
    return valueStart;
  }
  if (code !== DOUBLE_QUOTE && code !== SINGLE_QUOTE) {
    const end = endOfBareValue(text, valueStart);
    addAttribute(attrs, { name, value: decodeValue(text.slice(valueStart, end)), start, end });
    return end;
  }
  const quote = text.indexOf(code === DOUBLE_QUOTE ? '"' : "'", valueStart + 1);
  if (quote === -1) return text.length;
  addAttribute(attrs, { name, value: decodeValue(text.slice(valueStart + 1, quote)), start, end: quote + 1 });
  return quote + 1;
}

/** Adds an attribute; of two with the same name, the first wins. */
function addAttribute(attrs: HtmlAttribute[], attribute: HtmlAttribute): void {
  for (const { name } of attrs) if (name === attribute.name) return;
  attrs.push(attribute);
}

/** A name may begin with an equals sign but not contain one later. */
function endOfAttributeName(text: string, start: number): number {
  let position = start + 1;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (code === EQUALS || code === GREATER || code === SLASH || isSpace(code)) return position;
    position += 1;
  }
  return position;
}

function endOfBareValue(text: string, start: number): number {
  let position = start;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (code === GREATER || isSpace(code)) return position;
    position += 1;
  }
  return position;
}

function decodeValue(raw: string): string {
  return decodeAttribute(normalizeBreaks(raw));
}

/** The first position at or after `start` that isn't whitespace. */
export function skipSpace(text: string, start: number): number {
  let position = start;
  while (isSpace(text.charCodeAt(position))) position += 1;
  return position;
}

function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === TAB || code === FORM_FEED || code === CARRIAGE_RETURN;
}

/** Converts a name to lowercase; common names share one string, which is fast to compare. */
function knownName(written: string): string {
  return KNOWN_NAMES.get(written) ?? lowerCase(written);
}

const KNOWN_NAMES: ReadonlyMap<string, string> = new Map(
  [
    "a abbr article aside b body br button code dd details div dl dt em figcaption figure footer form g h1 h2 h3 h4 h5",
    "h6 head header hr html i img input label li line link main meta nav ol option p path picture pre rect script",
    "section select small source span strong style sub summary sup svg symbol table tbody td template text th thead",
    "time title tr ul use",
    "action alt aria-controls aria-current aria-expanded aria-hidden aria-label aria-labelledby as async charset class",
    "content cx cy d data-astro-prefetch datetime decoding defer disabled fetchpriority fill for height href",
    "http-equiv id lang loading method name placeholder property rel role sizes src srcset stroke stroke-linecap",
    "stroke-linejoin stroke-width tabindex target transform type value viewbox width x xmlns y",
  ].flatMap((line) => line.split(" ").map((name) => [name, name])),
);

/** Only ASCII letters have case here. */
export function lowerCase(name: string): string {
  return /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name;
}

/**
 * The next position at or after `start` where markup begins, such as a tag or a comment; the end of the text if there
 * is none.
 */
export function findMarkup(text: string, start: number): number {
  for (let place = text.indexOf("<", start); place !== -1; place = text.indexOf("<", place + 1)) {
    const code = text.charCodeAt(place + 1);
    if (isLetter(code) || code === SLASH || code === EXCLAMATION || code === QUESTION) return place;
  }
  return text.length;
}

export function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** The position after the comment whose `<!--` is at `start`; `undefined` if it isn't terminated. */
export function endOfComment(text: string, start: number): number | undefined {
  const content = start + "<!--".length;
  if (text.charCodeAt(content) === GREATER) return content + 1;
  if (text.startsWith("->", content)) return content + 2;
  for (let place = text.indexOf("--", content); place !== -1; place = text.indexOf("--", place + 1)) {
    const code = text.charCodeAt(place + 2);
    if (code === GREATER) return place + 3;
    if (code === EXCLAMATION && text.charCodeAt(place + 3) === GREATER) return place + 4;
  }
  return undefined;
}

/** The position after the `>` of the end tag whose name ends at `nameEnd`; `undefined` if it contains anything else. */
export function endOfEndTag(text: string, nameEnd: number): number | undefined {
  const end = skipSpace(text, nameEnd);
  return text.charCodeAt(end) === GREATER ? end + 1 : undefined;
}

/** The position of the end tag of a raw text element; `undefined` if that is uncertain. */
export function findRawEnd(text: string, start: number, name: string): number | undefined {
  for (let place = text.indexOf("</", start); place !== -1; place = text.indexOf("</", place + 2)) {
    const nameEnd = place + 2 + name.length;
    if (lowerCase(text.slice(place + 2, nameEnd)) !== name || endOfTagName(text, nameEnd) !== nameEnd) continue;
    return name === "script" && mayBeEscaped(text.slice(start, place)) ? undefined : place;
  }
  return undefined;
}

/** Between `<!--` and `-->`, a script may contain another script with its end tag. */
function mayBeEscaped(script: string): boolean {
  return script.includes("<!--") && /<script/i.test(script);
}

/** Normalizes line breaks as the standard requires. */
export function normalizeBreaks(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}
