import { onceEach } from "../../base/once-each.ts";
import { textOf, visitElements, type HtmlDocument } from "../../html/tree.ts";
import type { PageDraft } from "./page-draft.ts";
import type { Script } from "./scripts.ts";
import type { HasCharacter } from "./style-sheets.ts";

// Literal, `\u4e2d`, `\4e2d`, or `&#20013;`. Counting too many only keeps a font.
const CHARACTER = /[^\0-\x7f]|\\[ux]?\{?([0-9a-f]{2,6})|&#(?:x([0-9a-f]+)|(\d+))/giu;

const LAST_ASCII = 0x7f;

/**
 * Finds the characters that a page may show: those in its HTML, and those in the scripts it loads, which may show them
 * later. ASCII characters always count as used.
 */
export function createCharacterSet(draft: PageDraft, document: HtmlDocument): HasCharacter {
  const used = new Set(codePointsOf(draft.html));
  // Only the parser knows named references such as `&mdash;`.
  if (/&[a-z]/i.test(draft.html)) for (const point of codePointsOf(decodedTexts(document))) used.add(point);
  for (const path of draft.context.scripts.reach(draft.modules, draft.page.file)) {
    for (const point of codePointsOfScript(draft.context.scripts.fromFile(path, draft.page.file))) used.add(point);
  }
  const points = [...used];
  return (first, last) => first <= LAST_ASCII || points.some((point) => first <= point && point <= last);
}

function decodedTexts(document: HtmlDocument): string {
  const texts = [textOf(document.root)];
  visitElements(document, (element) => {
    for (const { value } of element.attrs) texts.push(value);
  });
  return texts.join("");
}

const codePointsOfScript = onceEach(({ text }: Script) => new Set(codePointsOf(text)));

function* codePointsOf(text: string): Generator<number> {
  for (const [character, escaped, hexadecimal, decimal] of text.matchAll(CHARACTER)) {
    if (decimal !== undefined) yield Number.parseInt(decimal, 10);
    else yield Number.parseInt(escaped ?? hexadecimal ?? "", 16) || (character.codePointAt(0) ?? 0);
  }
}
