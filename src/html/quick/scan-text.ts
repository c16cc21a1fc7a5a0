import { decodeHTML } from "entities/decode";
import { endOfTagName, lowerCase, skipSpace } from "./scan-tag.ts";

const EXCLAMATION = 0x21;
const SLASH = 0x2f;
const GREATER = 0x3e;
const QUESTION = 0x3f;

/** The next place at or behind `start` where a tag, a comment or the like begins; the end of the text if there is none. */
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

/** The place behind the comment whose `<!--` stands at `start`; `undefined` when it does not end. */
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

/** The place behind the `>` of the end tag whose name ends at `nameEnd`; `undefined` when it holds anything else. */
export function endOfEndTag(text: string, nameEnd: number): number | undefined {
  const end = skipSpace(text, nameEnd);
  return text.charCodeAt(end) === GREATER ? end + 1 : undefined;
}

/** Where the end tag of an element begins in which nothing else is markup; `undefined` when that can't be told. */
export function findRawEnd(text: string, start: number, name: string): number | undefined {
  for (let place = text.indexOf("</", start); place !== -1; place = text.indexOf("</", place + 2)) {
    const nameEnd = place + 2 + name.length;
    if (lowerCase(text.slice(place + 2, nameEnd)) !== name || endOfTagName(text, nameEnd) !== nameEnd) continue;
    return name === "script" && mayBeEscaped(text.slice(start, place)) ? undefined : place;
  }
  return undefined;
}

/** Between `<!--` and `-->` a script may hold another script with its end tag. */
function mayBeEscaped(script: string): boolean {
  return script.includes("<!--") && /<script/i.test(script);
}

/** Line breaks as the standard reads them. */
export function normalizeBreaks(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** Puts characters in place of references such as `&amp;`. */
export function decodeReferences(text: string): string {
  return text.includes("&") ? decodeHTML(text) : text;
}
