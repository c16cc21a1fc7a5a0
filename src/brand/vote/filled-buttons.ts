import { isTag, type Element } from "domhandler";
import { differenceOf, hexOf, isNeutral } from "../color/contrast.ts";
import type { ComputedStyle } from "../css/computed-style.ts";
import { attributeOf, closest, isInside, parentOf, textLengthOf, textOf, wordsOf } from "../document.ts";
import { isButtonLike, shownElements } from "../page/site-page.ts";
import type { LookedAt } from "./surface-votes.ts";

/** A button that is filled with a color. */
export interface FilledButton {
  readonly element: Element;
  readonly style: ComputedStyle;
  readonly hex: string;
  /** How much it says about the brand: more for one that is called primary, less for one of several kinds. */
  readonly weight: number;
}

const STRONG_WORDS = /(?:^|[\s_-])(?:primary|cta|brand|hero|main)(?:$|[\s_-])/;
const WEAK_WORDS =
  /(?:^|[\s_-])(?:secondary|tertiary|ghost|outline|outlined|link|text|light|dark|black|white|gr[ae]y|neutral|default|muted|success|danger|warning|info|error|negative|positive|disabled|close|dismiss|cancel|reset|icon|toggle|toggler|copy|tab|chip|tag|badge|accordion|hamburger|menu|sale|cookie|consent)(?:$|[\s_-])/;

/** Buttons that are looked at on a page. */
const MAX_BUTTONS = 60;
const MAX_LINKS = 120;

/** The filled buttons of a page: those that the markup calls so, and links that look like one. */
export function findFilledButtons(looked: LookedAt): readonly FilledButton[] {
  const { page, look } = looked;
  const called = shownElements(page, look, { test: isButton, limit: MAX_BUTTONS });
  const links = shownElements(page, look, { test: isShortLink, limit: MAX_LINKS }).filter((link) =>
    isPadded(look.styleOf(link)),
  );
  const seen = new Set(called);
  return [...called, ...links].flatMap((element) => {
    const style = look.styleOf(element);
    const parent = parentOf(element);
    if (style.background === undefined || (style.background.alpha ?? 1) < 0.6 || parent === undefined) return [];
    const hex = hexOf(style.gradient?.stops[0]?.color ?? style.surface);
    if (differenceOf(hex, hexOf(look.styleOf(parent).surface)) < 8) return [];
    // Black and white are how many things look that are no buttons: they have to be called so.
    if (!seen.has(element) && isNeutral(hex)) return [];
    return [{ element, style, hex, weight: page.weight * weightOf(element) }];
  });
}

/** Least padding of a button, in CSS pixels. */
const LEAST_PADDING = { block: 4, inline: 8 };
const LONGEST_LABEL = 40;

function isPadded({ background, box }: ComputedStyle): boolean {
  return (
    background !== undefined && box.paddingBlock >= LEAST_PADDING.block && box.paddingInline >= LEAST_PADDING.inline
  );
}

/** A link with a few words and nothing but words and marks in it. */
function isShortLink(element: Element): boolean {
  if (element.name !== "a" || element.attribs["href"] === undefined || isButtonLike(element)) return false;
  const length = textLengthOf(element);
  return length > 1 && length <= LONGEST_LABEL && element.children.every((child) => !isTag(child) || isMark(child));
}

function isMark({ name }: Element): boolean {
  return ["span", "b", "strong", "em", "i", "svg", "small", "img"].includes(name);
}

function isButton(element: Element): boolean {
  return isButtonLike(element) && hasLabel(element) && attributeOf(element, "disabled") === undefined;
}

function hasLabel(element: Element): boolean {
  return textOf(element).length > 1 || (element.name === "input" && attributeOf(element, "value") !== "");
}

/** Classes of utility frameworks say how a thing looks, not what it is: `text-white`, `md:bg-red-700`. */
const UTILITY =
  /^(?:[\w-]+:.*|!?-?(?:text|bg|border|font|from|via|to|shadow|ring|rounded|p[xytrbl]?|m[xytrbl]?|w|h|min|max)-.*)$/;

function weightOf(element: Element): number {
  const words = wordsOf(element)
    .split(/\s+/)
    .filter((word) => !UTILITY.test(word))
    .join(" ");
  const type = attributeOf(element, "type")?.toLowerCase();
  if (WEAK_WORDS.test(words) || type === "reset" || isCurrentOfMenu(element)) return 0.25;
  if (STRONG_WORDS.test(words)) return isSubmit(element) ? 1 : 2;
  if (isSubmit(element)) return 0.5;
  return isInside(element, ["footer", "aside"]) ? 0.5 : 1;
}

/** What sends a form has the look of forms, which frameworks give; only what leads on has that of the brand. */
function isSubmit(element: Element): boolean {
  const type = attributeOf(element, "type")?.toLowerCase();
  if (element.name === "input") return type === "submit";
  return element.name === "button" && (type === "submit" || (type === undefined && isInside(element, ["form"])));
}

/** A mark on the page that one is on. */
function isCurrentOfMenu(element: Element): boolean {
  const item = parentOf(element)?.name === "li" ? parentOf(element) : undefined;
  const words = `${wordsOf(element)} ${item === undefined ? "" : wordsOf(item)}`;
  const isMarked =
    attributeOf(element, "aria-current") !== undefined || /\b(?:current|active|act|selected)\b/.test(words);
  return isMarked && closest(element, ({ name }) => name === "nav" || name === "ul") !== undefined;
}
