import { decodeReferences } from "../base/decode-references.ts";
import { escapePattern } from "../base/escape-pattern.ts";

export interface LostCharacter {
  readonly character: string;
  /** What readers see instead; `undefined`: it isn't visible. */
  readonly instead: string | undefined;
}

/** A visible non-ASCII character, which not every store keeps. */
const RARE = /[^\p{ASCII}\p{Z}\p{C}\p{M}]/u;
const ALL_RARE = new RegExp(RARE, "gu");

/** Content that some hosts remove from pages or never show. */
const UNSEEN = /<!--.*?-->|<(script|style|template|noscript|svg|form|iframe)\b.*?<\/\1>/gis;

/**
 * Finds the first character of a page's text that is missing from the page as shown. Hosts may change quotation marks,
 * so punctuation counts only if garbled text replaced it.
 */
export function findLostCharacter(sent: string, shown: string): LostCharacter | undefined {
  const text = textOf(sent);
  const everything = decodeReferences(shown).normalize("NFC");
  const lost = [...text.matchAll(ALL_RARE)].filter(([character]) => !everything.includes(character));
  const shownText = lost.length > 0 ? textOf(shown) : "";
  for (const { 0: character, index } of lost) {
    const instead = findInstead({ text, character, index }, shownText);
    if (/[?\uFFFD\u00C2\u00C3\u00E2\u00F0]/.test(instead ?? "") || /[\p{L}\p{N}\p{S}]/u.test(character)) {
      return { character, instead };
    }
  }
  return undefined;
}

/** Text that hosts which render templates would replace: `{{ name }}`, `{% if %}`. */
const TEMPLATE = /\{\{.*?\}\}|\{%.*?%\}/g;

/** Finds the first text of a page that a host took for a template. */
export function findLostTemplate(sent: string, shown: string): string | undefined {
  const templates = textOf(sent).match(TEMPLATE) ?? [];
  const text = templates.length > 0 ? textOf(shown) : "";
  return templates.find((template) => !text.includes(template));
}

export function hasTemplate(html: string): boolean {
  return textOf(html).match(TEMPLATE) !== null;
}

/** Code point of the rarest character in a page's text: 0 if it is all ASCII. */
export function rarityOf(html: string): number {
  const characters = textOf(html).match(ALL_RARE) ?? [];
  return characters.reduce((most, character) => Math.max(most, character.codePointAt(0) ?? 0), 0);
}

function textOf(html: string): string {
  const text = html.replace(UNSEEN, " ").replace(/<[^>]*>/g, " ");
  return decodeReferences(text).normalize("NFC").replace(/\s+/g, " ");
}

const AROUND = 16;
const LEAST_AROUND = /(?:[a-z\d].*){3}/i;

function findInstead(
  { text, character, index }: { readonly text: string; readonly character: string; readonly index: number },
  shown: string,
): string | undefined {
  const before = text.slice(Math.max(0, index - AROUND), index);
  const after = text.slice(index + character.length).slice(0, AROUND);
  if (!LEAST_AROUND.test(before + after)) return undefined;
  const [start, end] = [patternOf(before, shown), patternOf(after, shown)];
  const found = new RegExp(`${start}(.{1,12}?)${end}`, "u").exec(shown) ?? new RegExp(start + end, "u").exec(shown);
  return found === null ? undefined : (found[1] ?? "");
}

// An adjacent character may also be lost.
function patternOf(text: string, shown: string): string {
  return text.toWellFormed().replace(/[\s\S]/gu, (character) => {
    if (/[^\p{ASCII}]/u.test(character) && !shown.includes(character)) return ".{0,12}?";
    return escapePattern(character);
  });
}
