import type { Element } from "domhandler";
import { contrastOf, differenceOf, hexOf } from "../color/contrast.ts";
import { parseColor } from "../color/css-color.ts";
import type { ComputedStyle } from "../css/computed-style.ts";
import type { ColorFinding } from "../findings.ts";
import { closest, parentOf, PROSE_CLASSES, textLengthOf, textOf } from "../document.ts";
import { findPageSurface } from "../page/page-surface.ts";
import { createProbe, findContent, isButtonLike, isInPageFrame, shownElements } from "../page/site-page.ts";
import type { LookedAt } from "./surface-votes.ts";
import { findingOf, shareOf, tallyColors, type CertainVote, type ColorVote } from "./tally.ts";

/** Finds the color of links in running text; `null` if the styles leave the browser's default. */
export function findLinkColor(pages: readonly LookedAt[]): ColorFinding | null {
  const found = pages.flatMap((page) => voteForLink(page) ?? []);
  const strongest = Math.max(...found.map(({ certainty }) => certainty));
  return findingOf(
    found.filter(({ certainty }) => certainty > strongest - 0.3),
    strongest,
  );
}

function voteForLink(looked: LookedAt): CertainVote | undefined {
  const content = findContent(looked.page);
  if (content === undefined) return undefined;
  const real = voteOfRealLinks(looked);
  const probe = voteOfProbe(looked, content);
  // If all links in the text have another color than the general link rule, that rule comes from an underlying
  // framework.
  const isOverruled =
    real?.isAgreed === true && probe !== undefined && differenceOf(real.hex, probe.hex) >= OTHER_COLOR;
  return (isOverruled ? real : probe) ?? real ?? voteOfProse(looked, content) ?? voteOfPlain(looked, content);
}

/** Difference (CIEDE2000) at which two link colors count as different. */
const OTHER_COLOR = 4;

function voteOfProbe(looked: LookedAt, content: Element): CertainVote | undefined {
  const color = colorOfProbe(looked, content, ["p", "a"]);
  return color === undefined
    ? undefined
    : { hex: color, weight: looked.page.weight, words: "links in the content", certainty: 0.95 };
}

/** Color of a link at the end of the path; `undefined` if it looks like the surrounding text or an unstyled link. */
function colorOfProbe({ look }: LookedAt, parent: Element, path: readonly string[]): string | undefined {
  const link = createProbe(parent, path);
  const around = parentOf(link);
  const style = look.styleOf(link);
  const hex = hexOf(style.color);
  if (around === undefined || isBrowserLink(hex, style.usedScheme)) return undefined;
  return differenceOf(hex, hexOf(look.styleOf(around).color)) < 4 ? undefined : hex;
}

export function isBrowserLink(hex: string, scheme: "light" | "dark"): boolean {
  const color = parseColor("LinkText", { scheme });
  return color !== undefined && hexOf(color) === hex;
}

/** `isAgreed`: all links in running text have the color. */
function voteOfRealLinks({ page, look }: LookedAt): (CertainVote & { readonly isAgreed: boolean }) | undefined {
  const links = shownElements(page, look, { test: isTextLink, limit: 200 });
  const ground = findPageSurface(page.document, look)?.style.surface;
  const votes = links.flatMap((link): ColorVote[] => {
    const style = look.styleOf(link);
    const around = parentOf(link);
    const hex = hexOf(style.color);
    const isPlain = around === undefined || differenceOf(hex, hexOf(look.styleOf(around).color)) < 4;
    if (isPlain || isBrowserLink(hex, style.usedScheme) || contrastOf(style.color, style.surface) < 2) return [];
    // On a background of its own, a link is part of a bar or card; in a list without other text, part of a menu.
    if (ground !== undefined && contrastOf(style.color, ground) < 2) return [];
    return [{ hex, weight: textLengthOf(around) > textLengthOf(link) ? 1 : 0.25, words: "" }];
  });
  const results = tallyColors(votes);
  const best = results[0];
  if (best === undefined) return undefined;
  const words = `${best.votes.length} of ${links.length} links in the content`;
  const isAgreed = votes.every(({ hex, weight }) => weight < 1 || differenceOf(hex, best.hex) < OTHER_COLOR);
  return {
    hex: best.hex,
    weight: page.weight,
    words,
    certainty: 0.5 + 0.35 * shareOf(results),
    isAgreed: isAgreed && best.votes.some(({ weight }) => weight === 1),
  };
}

function isTextLink(element: Element): boolean {
  if (element.name !== "a" || element.attribs["href"] === undefined || isButtonLike(element) || isInPageFrame(element))
    return false;
  return (
    textOf(element) !== "" &&
    closest(element, ({ name }) => ["p", "li", "td", "dd", "blockquote"].includes(name)) !== undefined
  );
}

function voteOfProse(looked: LookedAt, content: Element): CertainVote | undefined {
  for (const name of PROSE_CLASSES) {
    const hex = colorOfProbe(looked, content, [`div.${name}`, "p", "a"]);
    if (hex !== undefined)
      return { hex, weight: looked.page.weight, words: `styles of links in .${name}`, certainty: 0.6 };
  }
  return undefined;
}

/** Links that intentionally have the text color: the browser's default color is overridden everywhere. */
function voteOfPlain({ page, look }: LookedAt, content: Element): CertainVote | undefined {
  const real = shownElements(page, look, { test: isInSentence, limit: 20 }).map(look.styleOf);
  const isChosen = ({ color, usedScheme }: ComputedStyle) => !isBrowserLink(hexOf(color), usedScheme);
  const style =
    [look.styleOf(createProbe(content, ["p", "a"]))].find(isChosen) ?? (real.every(isChosen) ? real[0] : undefined);
  if (style === undefined) return undefined;
  return { hex: hexOf(style.color), weight: page.weight, words: "links in the text color", certainty: 0.35 };
}

function isInSentence(element: Element): boolean {
  const around = parentOf(element);
  return isTextLink(element) && around !== undefined && textLengthOf(around) > textLengthOf(element);
}
