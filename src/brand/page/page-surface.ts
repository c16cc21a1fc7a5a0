import { isTag, type Element } from "domhandler";
import { differenceOf, hexOf } from "../color/contrast.ts";
import type { ComputedStyle } from "../css/computed-style.ts";
import { textLengthOf, type PageDocument } from "../document.ts";

const DEEPEST_WRAPPER = 8;

export interface PageSurface {
  /** The element whose background is visible behind the page. */
  readonly element: Element;
  readonly style: ComputedStyle;
  /** Whether the styles set it; if not, it is the browser's canvas. */
  readonly isDeclared: boolean;
  /** Whether the style is that of a section, because sections cover the element. */
  readonly isOfSections: boolean;
}

interface Styles {
  styleOf(element: Element): ComputedStyle;
}

/**
 * Finds the background of a page's text: that of the wrapper around it, of `body`, of `html`, or the bare canvas.
 * Whatever is visible beside the wrapper is decoration, at any window size.
 */
export function findPageSurface(page: PageDocument, look: Styles): PageSurface | undefined {
  if (page.html === undefined || page.body === undefined) return undefined;
  const { body } = page;
  let element = body;
  let style = look.styleOf(body);
  let isDeclared = isPainted(style) || isPainted(look.styleOf(page.html));
  let around = body;
  for (let depth = 0; depth < DEEPEST_WRAPPER; depth += 1) {
    const section = findCover(around, style, look);
    if (section !== undefined) return { element, style: section, isDeclared: true, isOfSections: true };
    const wrapper = findWrapper(around, body, look);
    if (wrapper === undefined) break;
    const inner = look.styleOf(wrapper.element);
    if (covers(wrapper, inner, { ground: style, isDeclared })) {
      element = wrapper.element;
      style = inner;
      isDeclared = true;
    }
    around = wrapper.element;
  }
  return { element, style, isDeclared, isOfSections: false };
}

/** If sections completely cover the background in other colors, finds the first one in the color with the most text. */
function findCover({ children }: Element, ground: ComputedStyle, look: Styles): ComputedStyle | undefined {
  const sections: { readonly style: ComputedStyle; readonly length: number }[] = [];
  for (const child of children) {
    if (!isTag(child) || BESIDE.has(child.name) || textLengthOf(child) === 0) continue;
    const style = look.styleOf(child);
    if (style.isHidden) continue;
    if (!isSection(style) || differenceOf(style.surface, ground.surface) < SAME) return undefined;
    sections.push({ style, length: textLengthOf(child) });
  }
  if (sections.length < 2) return undefined;
  const colors = Map.groupBy(sections, ({ style }) => hexOf(style.surface));
  const textIn = (own: typeof sections) => own.reduce((total, { length }) => total + length, 0);
  return [...colors.values()].toSorted((one, other) => textIn(other) - textIn(one))[0]?.[0]?.style;
}

/** Whether it is painted from edge to edge, which a card is not. */
function isSection({ background, gradient, box }: ComputedStyle): boolean {
  const isPlain = background !== undefined && gradient === undefined && (background.alpha ?? 1) === 1;
  return isPlain && box.radius === 0 && box.maxWidth === undefined;
}

const BESIDE = new Set(["header", "footer", "nav", "aside", "a", "script", "style", "dialog"]);
/** Minimum visible difference (CIEDE2000) between two sections. */
const SAME = 1;

function isPainted({ background, pictures }: ComputedStyle): boolean {
  return background !== undefined || pictures.length > 0;
}

interface Wrapper {
  readonly element: Element;
  /** Whether nothing else is shown beside it. */
  readonly isAlone: boolean;
}

/**
 * Minimum difference (CIEDE2000) from the surroundings if something is shown beside the wrapper; below that, it is a
 * card.
 */
const OTHER_GROUND = 12;

function covers(
  { element, isAlone }: Wrapper,
  { background, gradient }: ComputedStyle,
  { ground, isDeclared }: { readonly ground: ComputedStyle; readonly isDeclared: boolean },
): boolean {
  // An article or a form alone on a page is a card in front of the background, not the page.
  if (background === undefined || gradient !== undefined || (background.alpha ?? 1) < 0.9 || !GROUNDS.has(element.name))
    return false;
  if (isAlone || !isDeclared || ground.pictures.length > 0) return true;
  return differenceOf(background, ground.surface) >= OTHER_GROUND;
}

const GROUNDS = new Set(["div", "main", "table", "tbody", "tr", "td", "section", "center"]);
const WRAPPERS = new Set([...GROUNDS, "article", "form", "astro-island"]);
/** Minimum share of the page's text in a wrapper. */
const LEAST_SHARE = 0.7;

/** The child that contains everything displayed in the element, or nearly all of its text. */
function findWrapper(element: Element, body: Element, look: Styles): Wrapper | undefined {
  // Links beside the wrapper skip to the content.
  const children = element.children.filter(isTag).filter(({ name }) => name !== "a");
  const [largest] = children.toSorted((one, other) => textLengthOf(other) - textLengthOf(one));
  if (largest === undefined || !WRAPPERS.has(largest.name) || look.styleOf(largest).isHidden) return undefined;
  const isAlone = children.every((child) => child === largest || look.styleOf(child).isHidden);
  return isAlone || textLengthOf(largest) >= textLengthOf(body) * LEAST_SHARE
    ? { element: largest, isAlone }
    : undefined;
}
