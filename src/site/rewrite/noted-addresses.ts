import { escapePattern } from "../../base/escape-pattern.ts";

const OWN = String.raw`(?<![\w$.])(?:(?:window|self|globalThis|document)\.)?location\.`;
const JOINED = String.raw`(?:\s*\+\s*|\}\$\{)`;
/** The page's path with its query, as routers and analytics note it. */
const NOTED = String.raw`${OWN}pathname${JOINED}${OWN}search\b(?:${JOINED}${OWN}hash\b)?`;
const SIGN = String.raw`\s*[!=]==?\s*`;
const TEXT = "[\"'`]\\/";
const METHOD = String.raw`\.(?:startsWith|endsWith|includes|indexOf|match)\(\s*${TEXT}`;
const COMPARED_OR_SHOWN = /["'`]\s*[!=]==?\s*[(`${]*$|\b(?:textContent|innerText|innerHTML)\s*\+?=[^;\n]*$/;
const NAMED = /(?:([\w$]+)\s*=\s*(?:\([^()]*\)\s*=>\s*)?|function\s+([\w$]+)\([^()]*\)\s*\{\s*return\s*)[^;,{}()=]*$/;

/**
 * Finds where a script takes the page's path together with its query. That is an address to go back to or to compare
 * with another one like it, unless the script also compares it with a text, or shows it.
 */
export function findNotedAddresses(text: string): readonly { readonly start: number; readonly end: number }[] {
  const compared = new RegExp(`^\`?\\s*\\)?(?:${SIGN}${TEXT}|${METHOD})`);
  return Array.from(text.matchAll(new RegExp(NOTED, "g")), ({ index: start, 0: found }) => {
    return { start, end: start + found.length };
  }).filter(({ start, end }) => {
    const before = text.slice(Math.max(0, start - 200), start);
    if (compared.test(text.slice(end, end + 100)) || COMPARED_OR_SHOWN.test(before)) return false;
    const [, kept, returned] = NAMED.exec(before) ?? [];
    const name = kept ?? returned;
    // A function's name is known outside its block.
    return name === undefined || !isCompared(name, returned === undefined ? restOfBlock(text, end) : text);
  });
}

function isCompared(variable: string, text: string): boolean {
  const name = String.raw`(?<![\w$.])${escapePattern(variable)}(?:\(\))?(?![\w$])`;
  return new RegExp(String.raw`${name}(?:${SIGN}${TEXT}|${METHOD})|["'\`]${SIGN}${name}`).test(text);
}

function restOfBlock(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (depth < 0) return text.slice(start, at);
  }
  return text.slice(start);
}
