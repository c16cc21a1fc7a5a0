import type { Rgb } from "culori";
import type { Element } from "domhandler";
import { composite, contrastOf, hexOf } from "../color/contrast.ts";
import { parseColor } from "../color/css-color.ts";
import type { ColorFinding } from "../findings.ts";
import { textHolderOf, textLengthOf, textOf } from "../document.ts";
import type { Look } from "../page/look.ts";
import { findPageSurface, type PageSurface } from "../page/page-surface.ts";
import { isInPageFrame, shownElements, type SitePage } from "../page/site-page.ts";
import { findingOf, shareOf, tallyColors, type CertainVote } from "./tally.ts";

export interface LookedAt {
  readonly page: SitePage;
  readonly look: Look;
}

/** Hard-to-read text isn't intended: minimum contrast at which `body`'s own color is kept. */
const LEAST_CONTRAST = 3;
/** Below this contrast, two backgrounds count as the same. */
const SAME_GROUND = 1.5;

/** Minimum share of running text in another color for that to be the site's text color. */
const MOST_OF_TEXT = 0.8;
/** Minimum length of that text, in characters. */
const ENOUGH_TEXT = 100;

export function findSurfaceColors(pages: readonly LookedAt[]): {
  readonly background: ColorFinding | null;
  readonly text: ColorFinding | null;
} {
  const surfaces = pages.flatMap(({ page, look }) => {
    const surface = findPageSurface(page.document, look);
    return surface === undefined ? [] : [{ page, look, surface }];
  });
  const hasStyles = pages.some(({ page }) => page.sheets.length > 0);
  // Visitors see the browser's canvas only if the pages are styled and complete.
  const seen = surfaces.filter(({ page, surface }) => surface.isDeclared || (hasStyles && !page.isBare));
  return {
    background: findingOf(
      seen.map(({ page, surface }) => ({
        hex: hexOf(surface.style.surface),
        weight: page.weight,
        words: backgroundWords(surface),
        certainty: certaintyOf(surface),
      })),
    ),
    text: findingOf(seen.map(voteForText)),
  };
}

function certaintyOf({ isDeclared, style }: PageSurface): number {
  if (!isDeclared) return 0.55;
  if (style.pictures.length > 0) return 0.75;
  return style.gradient === undefined ? 0.97 : 0.6;
}

function backgroundWords({ element, isDeclared, isOfSections, style }: PageSurface): string {
  if (!isDeclared) return "no background is set: the browser's canvas";
  const name = isOfSections ? "the sections" : element.name === "body" ? "body" : "the wrapper of the page";
  return style.gradient === undefined ? `background of ${name}` : `main color of the gradient of ${name}`;
}

function voteForText(context: LookedAt & { readonly surface: PageSurface }): CertainVote {
  const { page, look, surface } = context;
  const background = surface.style.surface;
  const own = composite(surface.style.color, background);
  const isOwnSet = hexOf(own) !== hexOf(canvasText(surface.style.usedScheme));
  const isReadable = contrastOf(own, background) >= LEAST_CONTRAST;
  const paragraphs = shownElements(page, look, { test: isParagraph, limit: 60 })
    .map((element) => ({ element, style: look.styleOf(textHolderOf(element)) }))
    .filter(
      ({ style: { color, surface } }) =>
        contrastOf(color, surface) >= LEAST_CONTRAST && contrastOf(surface, background) < SAME_GROUND,
    );
  const results = tallyColors(
    paragraphs.map(({ element, style }) => ({ hex: hexOf(style.color), weight: textLengthOf(element), words: "" })),
  );
  const best = results[0];
  const isOverruled =
    best !== undefined && best.hex !== hexOf(own) && best.weight >= ENOUGH_TEXT && shareOf(results) >= MOST_OF_TEXT;
  if (isOwnSet && isReadable && !isOverruled)
    return { hex: hexOf(own), weight: page.weight, words: "color of body", certainty: 0.95 };
  if (best !== undefined && best.hex !== hexOf(own)) {
    const words = `color of ${best.votes.length} of ${paragraphs.length} paragraphs`;
    return { hex: best.hex, weight: page.weight, words, certainty: 0.5 + 0.4 * shareOf(results) };
  }
  const words = "no color is set: the browser's text color";
  return { hex: hexOf(own), weight: page.weight, words, certainty: isReadable ? 0.55 : 0.2 };
}

function canvasText(scheme: "light" | "dark"): Rgb {
  return parseColor("CanvasText", { scheme }) ?? { mode: "rgb", r: 0, g: 0, b: 0 };
}

function isParagraph(element: Element): boolean {
  return ["p", "li"].includes(element.name) && textOf(element).length > 20 && !isInPageFrame(element);
}
