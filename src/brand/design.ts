import { isTag, type Element } from "domhandler";
import type { BrandDesign, BrandShape } from "../contract/brand-design.ts";
import { contrastOf, differenceOf, hexOf, readableOn } from "./color/contrast.ts";
import type { ComputedStyle } from "./css/computed-style.ts";
import { attributeOf, closest, isWords, parentOf, textHolderOf, textLengthOf } from "./document.ts";
import { findHomeLink, findLandmarks } from "./page/landmarks.ts";
import { BLOCKS, groundOverPicture, layerIn } from "./page/layer.ts";
import { looksOf, type Look } from "./page/look.ts";
import { findPageSurface } from "./page/page-surface.ts";
import { createProbe, findContent, isInPageFrame, shownElements, type SitePage } from "./page/site-page.ts";
import { findFilledButtons } from "./vote/filled-buttons.ts";
import { tallyColors } from "./vote/tally.ts";

type Surface = BrandDesign["surfaces"][number];

/** Fully rounded, as a number that every tool accepts. */
const PILL = 9999;

/** Extracts colors and measurements of the parts of the home page from its own styles. */
export function findDesign(home: SitePage, primary: string | undefined): BrandDesign | undefined {
  const { looks } = home;
  const usual = looks[looks.defaultScheme];
  if (usual === undefined || (home.sheets.length === 0 && home.isBare)) return undefined;
  const button = findButton(home, usual, primary);
  const card = findCard(home, usual);
  const { header, footer } = findLandmarks(home);
  const sign = findHomeLink(home.document, home.address);
  const parts = [
    ["header", header],
    ["footer", footer],
    ["button", button],
    ["card", card],
  ] as const;
  return {
    ...(looks.isFixed ? { scheme: looks.defaultScheme } : {}),
    surfaces: looksOf(looks).flatMap((look) =>
      parts.flatMap(([part, element]) =>
        element === undefined ? [] : [surfaceOf(part, element, { home, look, sign })],
      ),
    ),
    button: button && shapeOf(usual.styleOf(button)),
    card: card && shapeOf(usual.styleOf(card)),
    ...measureWrapper(home, usual),
    ...measureText(home, usual),
  };
}

function surfaceOf(
  part: Surface["part"],
  element: Element,
  { home, look, sign }: { readonly home: SitePage; readonly look: Look; readonly sign: Element | undefined },
): Surface {
  const isBand = part === "header" || part === "footer";
  const filling = isBand ? fillingBlock(element, look, sign) : element;
  const style = look.styleOf(layerIn(filling, look) ?? filling);
  const overPicture = part === "header" ? groundOverPicture([element], home.document, look) : undefined;
  const ground = overPicture ?? style.surface;
  const color = isBand ? textColorIn(element, look, ground) : look.styleOf(textHolderOf(element)).color;
  const background = hexOf(ground);
  // A part of only pictures may have any color of text.
  const text = contrastOf(color, ground) < SEEN ? readableOn(background) : hexOf(color);
  return { part, scheme: look.scheme, background, text, ...borderOf(style) };
}

/** Minimum contrast of text that visitors can see. */
const SEEN = 2;

function borderOf({ borderColor, box }: ComputedStyle): Pick<Surface, "border"> {
  return borderColor !== undefined && box.borderWidth > 0 ? { border: hexOf(borderColor) } : {};
}

/** Minimum share of a part's text in the block that fills it. */
const LEAST_SHARE = 0.7;

/**
 * Returns the block whose color is seen as that of the part: the part itself, or the one in it that contains the site's
 * home link or nearly all of the text.
 */
function fillingBlock(part: Element, look: Look, sign: Element | undefined): Element {
  const showsSign = (element: Element) => closest(sign ?? element, (around) => around === element) !== undefined;
  const isMost = (element: Element) => textLengthOf(element) >= textLengthOf(part) * LEAST_SHARE;
  const isFilling = sign !== undefined && showsSign(part) ? showsSign : isMost;
  let block: Element | undefined = part;
  while (block !== undefined && look.styleOf(block).background === undefined)
    block = block.children
      .filter(isTag)
      .find((child) => BLOCKS.has(child.name) && isFilling(child) && !look.styleOf(child).isHidden);
  return block === undefined || (block !== part && look.styleOf(block).box.radius > 0) ? part : block;
}

/** The color of most links in a part, since most of its text is links; without links, that of its text. */
function textColorIn(part: Element, look: Look, ground: ComputedStyle["surface"]): ComputedStyle["color"] {
  const groundOf = (surface: ComputedStyle["surface"]) =>
    hexOf(surface) === hexOf(look.styleOf(part).surface) ? ground : surface;
  const seenIn = (test: (element: Element) => boolean) =>
    findIn(part, test)
      .map((element) => look.styleOf(element))
      .filter(
        ({ background, color, surface }) => background === undefined && contrastOf(color, groundOf(surface)) >= SEEN,
      );
  const links = seenIn((element) => element.name === "a" && attributeOf(element, "href") !== undefined);
  const words = links.length > 0 ? links : seenIn(({ children }) => children.some(isWords));
  const [best] = tallyColors(words.map(({ color }) => ({ hex: hexOf(color), weight: 1, words: "" })));
  return words.find(({ color }) => hexOf(color) === best?.hex)?.color ?? look.styleOf(part).color;
}

function findIn(part: Element, test: (element: Element) => boolean): readonly Element[] {
  const found: Element[] = [];
  const open = [...part.children];
  for (let node = open.pop(); node !== undefined && found.length < 30; node = open.pop()) {
    if (node.type !== "tag") continue;
    if (textLengthOf(node) > 0 && test(node)) found.push(node);
    open.push(...node.children);
  }
  return found;
}

/** How much more a button in the site's primary color counts: others may be a tool's or an advertiser's. */
const IN_PRIMARY = 1.5;

function findButton(page: SitePage, look: Look, primary: string | undefined): Element | undefined {
  const found = findFilledButtons({ page, look }).filter(({ style }) => style.box.paddingInline > 0);
  const certain = found.filter(({ isUncertain }) => !isUncertain);
  const buttons = certain.length > 0 ? certain : found.filter(({ element }) => !isInPageFrame(element));
  const isAlike = (hex: string, other: string | undefined) => other !== undefined && differenceOf(hex, other) < 4;
  const [best] = tallyColors(
    buttons.map(({ hex, weight }) => ({ hex, weight: weight * (isAlike(hex, primary) ? IN_PRIMARY : 1), words: "" })),
  );
  return buttons.find(({ hex }) => isAlike(hex, best?.hex))?.element;
}

const MAX_CARDS = 80;
const LEAST_CARD_TEXT = 10;
const MOST_CARD_TEXT = 1000;

/** Finds a box that is among others of its kind and looks like a card. */
function findCard(page: SitePage, look: Look): Element | undefined {
  const boxes = shownElements(page, look, { test: isRepeated, limit: MAX_CARDS });
  return boxes.find((element) => {
    const style = look.styleOf(element);
    const { box, background, surface } = style;
    const around = parentOf(element);
    const isFilled =
      background !== undefined && around !== undefined && differenceOf(surface, look.styleOf(around).surface) >= 1;
    const isOutlined = box.borderWidth > 0 && box.radius > 0;
    return (
      (isFilled || isOutlined || box.shadow !== undefined) && Number.isFinite(box.radius) && box.paddingInline < 80
    );
  });
}

function isRepeated(element: Element): boolean {
  const classes = attributeOf(element, "class");
  const length = textLengthOf(element);
  if (classes === undefined || !["div", "li", "article", "section", "a"].includes(element.name)) return false;
  if (length < LEAST_CARD_TEXT || length > MOST_CARD_TEXT || isInPageFrame(element)) return false;
  const siblings = parentOf(element)?.children ?? [];
  return siblings.some((other) => other !== element && other.type === "tag" && other.attribs["class"] === classes);
}

function shapeOf({ box }: ComputedStyle): BrandShape {
  const round = (length: number): number => Math.round(Math.min(PILL, length) * 10) / 10;
  const isPlain = box.shadow === undefined || box.shadow.length > 300 || /[<>{};\\]|url\(/i.test(box.shadow);
  return {
    radius: round(box.radius),
    borderWidth: round(box.borderWidth),
    paddingBlock: round(box.paddingBlock),
    paddingInline: round(box.paddingInline),
    ...(isPlain ? {} : { shadow: box.shadow }),
  };
}

/** Range of widths in which the page itself can be a box, in CSS pixels. */
const WRAPPER = { least: 600, most: 1800 };
/** Minimum difference (CIEDE2000) for the area around a page to count as another color. */
const OTHER_GROUND = 3;

/** Measures the box that contains the page, if another color is visible beside it. */
function measureWrapper({ document, looks }: SitePage, usual: Look): Pick<BrandDesign, "wrapper"> {
  const box = findPageSurface(document, usual)?.element;
  if (box === undefined || box === document.body) return {};
  const widths: number[] = [];
  closest(box, (element) => {
    const { maxWidth, width } = usual.styleOf(element).box;
    widths.push(...[maxWidth, width].filter((own) => own !== undefined));
    return element === document.body;
  });
  const width = Math.min(...widths.filter((own) => own >= WRAPPER.least));
  const grounds = looksOf(looks).flatMap((look): NonNullable<BrandDesign["wrapper"]>["grounds"] => {
    const { element, style } = findPageSurface(document, look) ?? {};
    const around = element && parentOf(element);
    if (style === undefined || around === undefined || element === document.body) return [];
    const background = look.styleOf(around).surface;
    if (differenceOf(background, style.surface) < OTHER_GROUND) return [];
    return [{ scheme: look.scheme, background: hexOf(background), ...borderOf(style) }];
  });
  if (grounds.length === 0 || width > WRAPPER.most) return {};
  return { wrapper: { ...shapeOf(usual.styleOf(box)), width: Math.round(width), grounds } };
}

/** Range of widths of a column of running text, in CSS pixels. */
const COLUMN = { least: 380, most: 1000 };

function measureText(
  page: SitePage,
  look: Look,
): Pick<BrandDesign, "textWidth" | "textSize" | "headingSizes" | "headingWeight"> {
  const content = findContent(page);
  if (content === undefined) return { headingSizes: [] };
  const findShown = (name: string, least: number) => {
    const test = (element: Element) =>
      element.name === name && textLengthOf(element) > least && !isInPageFrame(element);
    return shownElements(page, look, { test, limit: 1 })[0];
  };
  const paragraph = findShown("p", 60) ?? createProbe(content, ["p"]);
  let width: number | undefined;
  closest(paragraph, (element) => {
    const { maxWidth, includesPadding, paddingInline } = look.styleOf(element).box;
    if (maxWidth === undefined) return false;
    const own = includesPadding ? maxWidth - 2 * paddingInline : maxWidth;
    if (own >= COLUMN.least && own <= COLUMN.most) width = Math.min(own, width ?? own);
    return false;
  });
  const headings = ["h1", "h2", "h3", "h4"].map((name) => {
    const first = findShown(name, 0);
    return { isShown: first !== undefined, style: look.styleOf(first ?? createProbe(content, [name])) };
  });
  const sizes = headings.map(({ style }) => Math.round(style.fontSize * 10) / 10);
  const headingWeight = headings.find(({ isShown }) => isShown)?.style.fontWeight;
  const textSize = Math.round(look.styleOf(paragraph).fontSize * 10) / 10;
  return {
    ...(width === undefined ? {} : { textWidth: Math.round(width) }),
    textSize,
    headingSizes: sizes,
    ...(headingWeight === undefined ? {} : { headingWeight: Math.round(headingWeight) }),
  };
}
