import { decodeReferences } from "../base/decode-references.ts";
import { escapePattern } from "../base/escape-pattern.ts";

export interface LostCharacter {
  readonly character: string;
  /** What readers see there; `undefined`: nothing shows it. */
  readonly instead: string | undefined;
}

/** Whether not every store keeps a character: one beyond ASCII that readers see. */
const RARE = /[^\p{ASCII}\p{Z}\p{C}\p{M}]/u;
const ALL_RARE = new RegExp(RARE, "gu");

/** What some hosts take out of pages, or never show. */
const UNSEEN = /<!--.*?-->|<(script|style|template|noscript|svg|form|iframe)\b.*?<\/\1>/gis;

/**
 * The first character of a page's text that the page, as it is shown, has nowhere. A host may well write quotation marks
 * otherwise, so that a sign counts only if something broken stands in its place.
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

/** How rare the rarest character of a page's text is: 0 where it has ASCII only. */
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

// A character next to it may be lost, too.
function patternOf(text: string, shown: string): string {
  return text.toWellFormed().replace(/[\s\S]/gu, (character) => {
    if (/[^\p{ASCII}]/u.test(character) && !shown.includes(character)) return ".{0,12}?";
    return escapePattern(character);
  });
}
