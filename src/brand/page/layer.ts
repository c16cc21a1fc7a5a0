import type { Rgb } from "culori";
import { isTag, type Element } from "domhandler";
import { nextElementSibling } from "domutils";
import { contrastOf, hexOf, READABLE_CONTRAST, readableOn } from "../color/contrast.ts";
import { parseColor } from "../color/css-color.ts";
import type { Gradient } from "../css/values.ts";
import { closest, descendantsOf, parentOf, textLengthOf, type PageDocument } from "../document.ts";
import type { Look } from "./look.ts";

/** Elements that site builders fill with color. */
export const BLOCKS = new Set([
  "div",
  "section",
  "nav",
  "header",
  "footer",
  "ul",
  "table",
  "tbody",
  "tr",
  "td",
  "center",
]);

/** The color behind an element, including that of overlays before it. */
export function groundBehind(element: Element, look: Look): Rgb {
  let layer: Element | undefined;
  closest(element, (around) => {
    layer = layerIn(around, look);
    // What is behind an overlay, its own style knows.
    return layer !== undefined || look.styleOf(around).background !== undefined || look.styleOf(around).isOverlay;
  });
  return look.styleOf(layer ?? element).surface;
}

/** The empty overlay before the content of an element without a color, with which site builders fill it. */
export function layerIn(element: Element, look: Look): Element | undefined {
  let layer = look.styleOf(element).background === undefined ? element.children.find(isTag) : undefined;
  while (layer !== undefined && isLayer(layer, look) && look.styleOf(layer).background === undefined)
    layer = layer.children.find(isTag);
  return layer !== undefined && isLayer(layer, look) ? layer : undefined;
}

/** An overlay of a specified size is a stripe or an ornament. */
function isLayer(element: Element, look: Look): boolean {
  const { isOverlay, isHidden, box } = look.styleOf(element);
  const isFilling = box.width === undefined && box.height === undefined && box.radius === 0;
  return BLOCKS.has(element.name) && isOverlay && !isHidden && isFilling && textLengthOf(element) === 0;
}

/** Maximum contrast of links that nobody can see. */
const UNSEEN = 1.5;

/**
 * A background for parts of a page that only a picture makes readable, since they have none of their own: that of the
 * site's text, or else black or white. Links that show a picture or are filled say nothing about it.
 */
export function groundOverPicture(parts: readonly Element[], { body }: PageDocument, look: Look): Rgb | undefined {
  const links = parts
    .flatMap(descendantsOf)
    .filter((element) => element.name === "a" && textLengthOf(element) > 0)
    .map((element) => ({ element, ...look.styleOf(element) }))
    .filter(({ isHidden, background }) => !isHidden && background === undefined);
  const [first] = links;
  const hasPicture = links.some(
    ({ element }) => closest(element, (around) => look.styleOf(around).pictures.length > 0) !== undefined,
  );
  const isUnseen = links.every(({ element, color }) => contrastOf(color, groundBehind(element, look)) < UNSEEN);
  if (first === undefined || hasPicture || !isUnseen) return undefined;
  const text = body && look.styleOf(body).color;
  return text !== undefined && contrastOf(first.color, text) >= READABLE_CONTRAST
    ? text
    : parseColor(readableOn(hexOf(first.color)), { scheme: look.scheme });
}

const LONGEST_GRADIENT = 1000;

/** Maximum depth of what is behind an overlay. */
const DEEPEST_BEHIND = 3;

/** The gradient that is the background of an element, for use in other style sheets. */
export function gradientBehind(element: Element, look: Look): Gradient | undefined {
  const isPainted = (around: Element) => look.styleOf(around).background !== undefined;
  const painted =
    (look.styleOf(element).isOverlay ? findCovered(element, isPainted) : undefined) ?? closest(element, isPainted);
  const gradient = painted && look.styleOf(painted).gradient;
  const isUsable = gradient !== undefined && gradient.text.length <= LONGEST_GRADIENT && !/[<>{};]/.test(gradient.text);
  return isUsable ? gradient : undefined;
}

/** The color behind an element that isn't opaque: of what it is laid over, or else of what is around it. */
export function surfaceBehind(element: Element, look: Look): Rgb {
  const { background, isOverlay } = look.styleOf(element);
  const isOpaque = background !== undefined && (background.alpha ?? 1) === 1;
  const covered =
    isOverlay && !isOpaque ? findCovered(element, (each) => look.styleOf(each).background !== undefined) : undefined;
  return look.styleOf(covered ?? parentOf(element) ?? element).surface;
}

/** What an overlay covers: the element after it, or the first one in that. */
function findCovered(overlay: Element, isPainted: (element: Element) => boolean): Element | undefined {
  let covered = nextElementSibling(overlay) ?? undefined;
  for (let depth = 0; covered !== undefined && depth < DEEPEST_BEHIND; depth += 1) {
    if (isPainted(covered)) return covered;
    covered = covered.children.find(isTag);
  }
  return undefined;
}
