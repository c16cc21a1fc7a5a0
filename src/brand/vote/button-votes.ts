import type { Element } from "domhandler";
import { differenceOf, hexOf } from "../color/contrast.ts";
import { attributeOf, parentOf, textOf, wordsOf } from "../page/document.ts";
import { isButtonLike, shownElements } from "../page/site-page.ts";
import type { LookedAt } from "./surface-votes.ts";

/** A button that is filled with a color. */
export interface FilledButton {
  readonly hex: string;
  /** How much it says about the brand: more for one that is called primary, less for one of several kinds. */
  readonly weight: number;
}

const STRONG_WORDS = /(?:^|[\s_-])(?:primary|cta|brand|hero|main)(?:$|[\s_-])/;
const WEAK_WORDS =
  /(?:^|[\s_-])(?:secondary|tertiary|ghost|outline|outlined|link|text|light|dark|black|white|gr[ae]y|neutral|default|muted|success|danger|warning|info|error|negative|positive|disabled|close|dismiss|cancel|reset|icon|toggle|toggler|copy|tab|chip|tag|badge|accordion|hamburger|menu)(?:$|[\s_-])/;

/** The filled buttons of a page in document order. */
export function findFilledButtons({ page, look }: LookedAt): readonly FilledButton[] {
  const candidates = shownElements(page, look, { test: isButton, limit: 60 });
  return candidates.flatMap((element) => {
    const style = look.styleOf(element);
    const parent = parentOf(element);
    if (style.background === undefined || (style.background.alpha ?? 1) < 0.6 || parent === undefined) return [];
    const hex = hexOf(style.surface);
    if (differenceOf(hex, hexOf(look.styleOf(parent).surface)) < 8) return [];
    return [{ hex, weight: weightOf(element) }];
  });
}

function isButton(element: Element): boolean {
  return isButtonLike(element) && hasLabel(element) && attributeOf(element, "disabled") === undefined;
}

function hasLabel(element: Element): boolean {
  return textOf(element).length > 1 || (element.name === "input" && attributeOf(element, "value") !== "");
}

function weightOf(element: Element): number {
  const words = wordsOf(element);
  const type = attributeOf(element, "type")?.toLowerCase();
  if (WEAK_WORDS.test(words) || type === "reset") return 0.25;
  if (STRONG_WORDS.test(words)) return 2;
  return type === "submit" ? 1.25 : 1;
}
