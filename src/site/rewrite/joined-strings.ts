import type { Edit } from "../../html/edits.ts";
import { markComputed } from "./script-places.ts";

interface Appended {
  /** With `*` for values. */
  readonly text: string;
  readonly end: number;
  /** The quotes of the string in which the text ends. */
  readonly quote?: string;
}

const PLUS = /\s*\+\s*/y;
const LITERAL = /(["'`])((?:[^"'`\\\n]|(?!\1)["'`]|\\.)*)\1/y;
const NAME = /(?:[+-]|new\s+)?[\w$]+/y;
const MEMBER = /\s*\??\.\s*[\w$]+|\?\.(?=[[(])/y;
// Longer expressions aren't parts of an address.
const MAX_VALUE = 300;

/**
 * Reads what a script appends to the string that ends here, up to a character that can't be part of it: `+ (wide ? "b" :
 * "a") + ".png"` is `*.png`.
 */
export function readAppended(script: string, start: number, last: RegExp): Appended | undefined {
  let [text, end] = ["", start];
  for (;;) {
    const operand = skip(PLUS, script, end);
    if (operand === undefined) break;
    LITERAL.lastIndex = operand;
    const [literal, quote = "", content = ""] = LITERAL.exec(script) ?? [];
    const next = skipValue(script, operand);
    if (next === undefined) break;
    // A string from which something is read is a value: `"1".padStart(3, "0")`.
    const isText = literal !== undefined && next === operand + literal.length;
    const within = isText ? content.search(last) : -1;
    if (within !== -1) {
      return { text: markComputed(text + content.slice(0, within)), end: operand + 1 + within, quote };
    }
    text += isText ? content : "*";
    end = next;
  }
  return end === start ? undefined : { text: markComputed(text), end };
}

const JOINT = /(["'`])\s*\+\s*(?!["'`\s])/g;

/** Finds the values between two strings of the same quotes, with the quotes: `" + id + "` in `"photo-" + id + ".png"`. */
export function findJoints(script: string): readonly Omit<Edit, "text">[] {
  return Array.from(script.matchAll(JOINT)).flatMap(({ index: start, 0: opening, 1: quote = "" }) => {
    let end = skipValue(script, start + opening.length);
    while (end !== undefined) {
      const next = skip(PLUS, script, end);
      if (next === undefined) return [];
      if (script[next] === quote) return [{ start, end: next + 1 }];
      end = skipValue(script, next);
    }
    return [];
  });
}

function skip(pattern: RegExp, script: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(script) ? pattern.lastIndex : undefined;
}

/** Returns the end of a name, a literal, or an expression in brackets, with what is read from or called on it. */
export function skipValue(script: string, start: number): number | undefined {
  let end = skip(NAME, script, start) ?? skip(LITERAL, script, start) ?? skipBrackets(script, start);
  while (end !== undefined) {
    const next = skip(MEMBER, script, end) ?? (script[end] === "{" ? undefined : skipBrackets(script, end));
    if (next === undefined) return end;
    end = next;
  }
  return undefined;
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

export function skipBrackets(script: string, start: number): number | undefined {
  if (CLOSING[script.charAt(start)] === undefined) return undefined;
  const open: string[] = [];
  for (let at = start; at < Math.min(script.length, start + MAX_VALUE); at += 1) {
    const character = script.charAt(at);
    const closing = CLOSING[character];
    if (closing !== undefined) open.push(closing);
    else if (character === open.at(-1)) open.pop();
    else if (/["'`]/.test(character)) {
      const next = skip(LITERAL, script, at);
      if (next === undefined) return undefined;
      at = next - 1;
    }
    if (open.length === 0) return at + 1;
  }
  return undefined;
}
