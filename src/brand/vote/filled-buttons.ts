import { isTag, type Element } from "domhandler";
import { differenceOf, hexOf, isNeutral } from "../color/contrast.ts";
import type { ComputedStyle } from "../css/computed-style.ts";
import {
  attributeOf,
  closest,
  isInside,
  isSameOrigin,
  parentOf,
  resolveAddress,
  textLengthOf,
  textOf,
  wordsOf,
} from "../document.ts";
import { isButtonLike, isInPageFrame, isPrompt, shownElements } from "../page/site-page.ts";
import type { LookedAt } from "./surface-votes.ts";

export interface FilledButton {
  readonly element: Element;
  readonly style: ComputedStyle;
  readonly hex: string;
  /** How strongly it indicates the brand color: more if it is named primary, less if it is one of several kinds. */
  readonly weight: number;
  /** Whether only its shape indicates a button: many black or white things aren't one. */
  readonly isUncertain: boolean;
}

const STRONG_WORDS = /(?:^|[\s_-])(?:primary|cta|brand|hero|main)(?:$|[\s_-])/;
const WEAK_WORDS =
  /(?:^|[\s_-])(?:secondary|tertiary|ghost|outline|outlined|link|text|default|muted|success|danger|warning|info|error|negative|positive|disabled|close|dismiss|cancel|reset|icon|toggle|toggler|copy|tab|chip|tag|badge|accordion|hamburger|menu|sale|cookie|consent)(?:$|[\s_-])/;
/** Names of grays. A button of another color is only named for its tone: `btn--dark` in dark green. */
const GRAY_WORDS = /(?:^|[\s_-])(?:light|dark|black|white|gr[ae]y|neutral)(?:$|[\s_-])/;

/** Maximum number of buttons checked per page. */
const MAX_BUTTONS = 60;
const MAX_LINKS = 120;

/** Finds the filled buttons of a page: those marked up as buttons, and links that look like one. */
export function findFilledButtons(looked: LookedAt): readonly FilledButton[] {
  const { page, look } = looked;
  const called = shownElements(page, look, { test: isButton, limit: MAX_BUTTONS });
  const links = shownElements(page, look, { test: isShortLink, limit: MAX_LINKS }).filter((link) =>
    isPadded(look.styleOf(link)),
  );
  const seen = new Set(called);
  return [...called, ...links].flatMap((element) => {
    const style = look.styleOf(element);
    if (isFloating(element, looked)) return [];
    const parent = parentOf(element);
    if (style.background === undefined || (style.background.alpha ?? 1) < 0.6 || parent === undefined) return [];
    const hex = hexOf(style.gradient?.stops[0]?.color ?? style.surface);
    if (differenceOf(hex, hexOf(look.styleOf(parent).surface)) < 8) return [];
    const isUncertain = !seen.has(element) && isNeutral(hex);
    return [{ element, style, hex, weight: page.weight * weightOf(element, hex), isUncertain }];
  });
}

/** Whether an element floats over the page and leads to another host: a messenger's button, in its colors. */
function isFloating(element: Element, { page, look }: LookedAt): boolean {
  const target = element.name === "a" ? resolveAddress(element.attribs["href"] ?? "", page.address) : undefined;
  if (target === undefined || isSameOrigin(target, page.address)) return false;
  return closest(element, (around) => look.styleOf(around).isFixed && !isInPageFrame(around)) !== undefined;
}

/** Minimum padding of a button, in CSS pixels. */
const LEAST_PADDING = { block: 4, inline: 8 };
/** Range of heights of a button, in CSS pixels. */
const HEIGHT = { least: 26, most: 80 };
const LONGEST_LABEL = 40;

function isPadded({ background, box }: ComputedStyle): boolean {
  if (background === undefined || box.paddingInline < LEAST_PADDING.inline) return false;
  const { height = 0, paddingBlock } = box;
  return paddingBlock >= LEAST_PADDING.block || (height >= HEIGHT.least && height <= HEIGHT.most);
}

function isShortLink(element: Element): boolean {
  if (element.name !== "a" || element.attribs["href"] === undefined || isButtonLike(element)) return false;
  const length = textLengthOf(element);
  return (
    length > 1 && length <= LONGEST_LABEL && labelOf(element).children.every((child) => !isTag(child) || isMark(child))
  );
}

/** The innermost of the blocks around a link's text: builders wrap every text. */
function labelOf(element: Element): Element {
  const [only, ...others] = element.children.filter(
    (child) => isTag(child) || (child.type === "text" && child.data.trim() !== ""),
  );
  const isBlock = only !== undefined && isTag(only) && ["div", "p"].includes(only.name);
  return isBlock && others.length === 0 ? labelOf(only) : element;
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

/** Utility classes describe how an element looks, not what it is: `text-white`, `md:bg-red-700`. */
const UTILITY =
  /^(?:[\w-]+:.*|!?-?(?:text|bg|border|font|from|via|to|shadow|ring|rounded|p[xytrbl]?|m[xytrbl]?|w|h|min|max)-.*)$/;

function weightOf(element: Element, hex: string): number {
  const words = wordsOf(element)
    .split(/\s+/)
    .filter((word) => !UTILITY.test(word))
    .join(" ")
    // In WordPress, this is the button itself.
    .replaceAll("button__link", "button");
  const type = attributeOf(element, "type")?.toLowerCase();
  if (
    WEAK_WORDS.test(words) ||
    (isNeutral(hex) && GRAY_WORDS.test(words)) ||
    type === "reset" ||
    isCurrentOfMenu(element) ||
    closest(element, isPrompt) !== undefined
  )
    return 0.25;
  if (STRONG_WORDS.test(words)) return isSubmit(element) ? 1 : 2;
  if (isSubmit(element)) return 0.5;
  return isInside(element, ["footer", "aside"]) ? 0.5 : 1;
}

/** Submit buttons often have a framework's form style; other buttons have the brand's. */
function isSubmit(element: Element): boolean {
  const type = attributeOf(element, "type")?.toLowerCase();
  if (element.name === "input") return type === "submit";
  return element.name === "button" && (type === "submit" || (type === undefined && isInside(element, ["form"])));
}

/** Whether an element marks the current page in a menu. */
function isCurrentOfMenu(element: Element): boolean {
  const item = parentOf(element)?.name === "li" ? parentOf(element) : undefined;
  const words = `${wordsOf(element)} ${item === undefined ? "" : wordsOf(item)}`;
  const isMarked =
    attributeOf(element, "aria-current") !== undefined || /\b(?:current|active|act|selected)\b/.test(words);
  return isMarked && closest(element, ({ name }) => name === "nav" || name === "ul") !== undefined;
}
