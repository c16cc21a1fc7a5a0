import type { Element } from "domhandler";
import { contrastOf, differenceOf, hexOf, READABLE_CONTRAST } from "../color/contrast.ts";
import type { ComputedStyle } from "../css/computed-style.ts";
import { descendantsOf, textHolderOf, textLengthOf } from "../document.ts";
import type { BrandFindings, ColorFinding, SchemeColors } from "../findings.ts";
import { findPageSurface } from "../page/page-surface.ts";
import { createProbe, findContent, isInPageFrame, isPrompt, shownElements } from "../page/site-page.ts";
import type { LookedAt } from "./surface-votes.ts";
import { findingOf, tallyColors, type CertainVote } from "./tally.ts";

/** Levels of headings, each with its weight: the largest heading is what people remember. */
const LEVELS = [
  ["h1", 3],
  ["h2", 2],
  ["h3", 1],
] as const;
const MOST_HEADINGS = 12;

/** Finds the color of headings on the background of the page; `null` if none is readable there. */
export function findHeadingColor(pages: readonly LookedAt[]): ColorFinding | null {
  return findingOf(pages.flatMap(voteForHeading));
}

/** Removes the color of headings if it is that of the text in every scheme: then headings have no color of their own. */
export function distinguishHeadings(colors: BrandFindings["colors"]): BrandFindings["colors"] {
  const isDistinct = (own: SchemeColors | null) => {
    const [heading, text] = [own?.heading ?? null, own?.text ?? null];
    return heading !== null && text !== null && differenceOf(heading.hex, text.hex) >= OTHER_COLOR;
  };
  if (isDistinct(colors.light) || isDistinct(colors.dark)) return colors;
  const plain = (own: SchemeColors | null) => own && { ...own, heading: null };
  return { light: plain(colors.light), dark: plain(colors.dark) };
}

/** Minimum difference (CIEDE2000) between the colors of headings and text for people to notice it. */
const OTHER_COLOR = 4;

function voteForHeading(looked: LookedAt): readonly CertainVote[] {
  const { page, look } = looked;
  const ground = findPageSurface(page.document, look)?.style.surface;
  const content = findContent(page);
  if (ground === undefined || content === undefined) return [];
  const isReadable = (style: ComputedStyle) =>
    contrastOf(style.surface, ground) < SAME_GROUND && contrastOf(style.color, style.surface) >= leastContrast(style);
  const votes = LEVELS.flatMap(([level, weight]): CertainVote[] => {
    const test = (element: Element) => element.name === level && isOfContent(element);
    const styles = shownElements(page, look, { test, limit: MOST_HEADINGS })
      .map((element) => look.styleOf(textHolderOf(element)))
      .filter(isReadable);
    const [best] = tallyColors(styles.map(({ color }) => ({ hex: hexOf(color), weight: 1, words: "" })));
    return best === undefined
      ? []
      : [{ hex: best.hex, weight: weight * page.weight, words: `${level} elements`, certainty: 0.9 }];
  });
  if (votes.length > 0) return votes;
  const style = look.styleOf(createProbe(content, ["h2"]));
  return isReadable(style)
    ? [{ hex: hexOf(style.color), weight: page.weight, words: "styles of h2", certainty: 0.6 }]
    : [];
}

/** Below this contrast, two backgrounds count as the same. */
const SAME_GROUND = 1.5;

/** A heading of the page itself whose text isn't a link, which has a color of its own. */
function isOfContent(element: Element): boolean {
  const length = textLengthOf(element);
  const isLink = () => descendantsOf(element).some((each) => each.name === "a" && textLengthOf(each) === length);
  return length > 0 && !isInPageFrame(element) && !isPrompt(element) && !isLink();
}

/** Minimum contrast of large text, and the sizes from which text is large, in CSS pixels (WCAG 2, 1.4.3). */
const LARGE = { contrast: 3, size: 24, boldSize: 18.66 };

function leastContrast({ fontSize, fontWeight }: ComputedStyle): number {
  return fontSize >= (fontWeight >= 700 ? LARGE.boldSize : LARGE.size) ? LARGE.contrast : READABLE_CONTRAST;
}
