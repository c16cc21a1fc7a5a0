import type { Element } from "domhandler";
import { differenceOf, hexOf, isNeutral } from "../color/contrast.ts";
import { parseColor } from "../color/css-color.ts";
import { attributeOf, isInside, parentOf, textOf, wordsOf } from "../document.ts";
import type { ColorFinding } from "../findings.ts";
import { isButtonLike, named, shownElements } from "../page/site-page.ts";
import type { LookedAt } from "./surface-votes.ts";
import { roundConfidence, sum, tallyColors, type ColorVote } from "./tally.ts";
import { findNamedColors } from "./variable-votes.ts";

/** What each kind of evidence weighs when all of it agrees. */
const WEIGHTS = { variable: 3, buttons: 2.6, link: 1.2, accentColor: 1, meta: 0.9, surface: 0.6, icon: 0.5 } as const;
/** Black, white and grays are rarely meant as the primary color: only names and buttons can say so, and count less. */
const NEUTRAL_SHARE = 0.55;
const LEAST_WEIGHT = 0.8;

interface PrimaryContext {
  readonly background: ColorFinding | null;
  readonly text: ColorFinding | null;
  readonly link: ColorFinding | null;
}

/** The brand's color. `null` when too little speaks for any. */
export function findPrimaryColor(pages: readonly LookedAt[], context: PrimaryContext): ColorFinding | null {
  const votes = [
    ...variableVotes(pages),
    ...buttonVotes(pages),
    ...linkVotes(context),
    ...elementVotes(pages, context),
    ...headVotes(pages),
  ].filter(({ hex }) => context.background === null || differenceOf(hex, context.background.hex) > 6);
  const results = tallyColors(votes);
  const [best, second] = results;
  if (best === undefined || best.weight < LEAST_WEIGHT) return null;
  const margin = 1 - 0.5 * ((second?.weight ?? 0) / best.weight);
  return {
    hex: best.hex,
    confidence: roundConfidence((1 - Math.exp(-best.weight / 2)) * margin),
    evidence: best.votes.map(({ words }) => words),
  };
}

function variableVotes(pages: readonly LookedAt[]): readonly ColorVote[] {
  const strengths = new Map<string, { readonly hex: string; readonly name: string; strength: number }>();
  for (const { name, hex, meaning, strength } of pages.flatMap(findNamedColors)) {
    if (meaning !== "primary" && meaning !== "accent") continue;
    const known = strengths.get(`${name} ${hex}`);
    if (known === undefined) strengths.set(`${name} ${hex}`, { hex, name, strength });
  }
  const named = [...strengths.values()].toSorted((a, b) => b.strength - a.strength || (a.name < b.name ? -1 : 1));
  return named.map(({ hex, name, strength }, index) => {
    // Several names for one color say it once.
    const isRepeated = named.slice(0, index).some((other) => differenceOf(other.hex, hex) < 4);
    const weight = WEIGHTS.variable * strength * (isRepeated ? 0.1 : 1) * (isNeutral(hex) ? NEUTRAL_SHARE : 1);
    return { hex, weight, words: name };
  });
}

function buttonVotes(pages: readonly LookedAt[]): readonly ColorVote[] {
  const buttons = pages.flatMap(findFilledButtons);
  const total = sum(buttons.map(({ weight }) => weight));
  return tallyColors(buttons.map((button) => ({ ...button, words: "" }))).map(({ hex, weight, votes }) => ({
    hex,
    weight: WEIGHTS.buttons * (weight / total) * (isNeutral(hex) ? NEUTRAL_SHARE : 1) * Math.min(1, 0.6 + weight / 4),
    words: votes.length === 1 ? "1 button" : `${votes.length} buttons`,
  }));
}

function linkVotes({ link, text }: PrimaryContext): readonly ColorVote[] {
  if (link === null || isNeutral(link.hex) || (text !== null && differenceOf(link.hex, text.hex) < 6)) return [];
  return [{ hex: link.hex, weight: WEIGHTS.link * Math.min(1, link.confidence + 0.1), words: "links" }];
}

function elementVotes(pages: readonly LookedAt[], { background }: PrimaryContext): readonly ColorVote[] {
  return pages.slice(0, 1).flatMap((looked) => [...surfaceVotes(looked, background), ...accentColorVotes(looked)]);
}

/** Large parts of the home page that are painted in a color. */
function surfaceVotes({ page, look }: LookedAt, background: ColorFinding | null): readonly ColorVote[] {
  const surfaces = shownElements(page, look, { test: named("header", "section", "footer", "nav", "div"), limit: 40 });
  const votes = surfaces.flatMap((element): ColorVote[] => {
    const { background: own, surface } = look.styleOf(element);
    const hex = hexOf(surface);
    if (own === undefined || isNeutral(hex) || hex === background?.hex) return [];
    const name = isInside(element, ["header", "nav"]) ? "header" : isInside(element, ["footer"]) ? "footer" : "section";
    return [{ hex, weight: 1, words: `color of a ${name}` }];
  });
  return tallyColors(votes)
    .slice(0, 2)
    .map(({ hex, votes: [first] }) => ({ hex, weight: WEIGHTS.surface, words: first?.words ?? "color of a section" }));
}

function accentColorVotes({ page, look }: LookedAt): readonly ColorVote[] {
  const { body } = page.document;
  const color = body === undefined ? undefined : look.styleOf(body).accentColor;
  if (color === undefined || isNeutral(color)) return [];
  return [{ hex: hexOf(color), weight: WEIGHTS.accentColor, words: "accent-color" }];
}

/** Colors that the page names in its head for the browser's own surfaces. */
function headVotes(pages: readonly LookedAt[]): readonly ColorVote[] {
  const [home] = pages;
  if (home === undefined) return [];
  const { page, look } = home;
  return page.document.elements.flatMap((element): ColorVote[] => {
    const isMeta = element.name === "meta";
    const name = attributeOf(element, "name")?.toLowerCase();
    const isMaskIcon = element.name === "link" && attributeOf(element, "rel")?.toLowerCase() === "mask-icon";
    if (!isMaskIcon && !(isMeta && (name === "theme-color" || name === "msapplication-tilecolor"))) return [];
    const media = attributeOf(element, "media") ?? "";
    if (/dark|light/.test(media) && !media.includes(look.scheme)) return [];
    const color = parseColor(attributeOf(element, isMeta ? "content" : "color") ?? "", { scheme: look.scheme });
    if (color === undefined || isNeutral(color)) return [];
    const weight = name === "theme-color" ? WEIGHTS.meta : WEIGHTS.icon;
    return [{ hex: hexOf(color), weight, words: name ?? "mask-icon" }];
  });
}

/** A button that is filled with a color. */
interface FilledButton {
  readonly hex: string;
  /** How much it says about the brand: more for one that is called primary, less for one of several kinds. */
  readonly weight: number;
}

const STRONG_WORDS = /(?:^|[\s_-])(?:primary|cta|brand|hero|main)(?:$|[\s_-])/;
const WEAK_WORDS =
  /(?:^|[\s_-])(?:secondary|tertiary|ghost|outline|outlined|link|text|light|dark|black|white|gr[ae]y|neutral|default|muted|success|danger|warning|info|error|negative|positive|disabled|close|dismiss|cancel|reset|icon|toggle|toggler|copy|tab|chip|tag|badge|accordion|hamburger|menu)(?:$|[\s_-])/;

/** The filled buttons of a page in document order. */
function findFilledButtons({ page, look }: LookedAt): readonly FilledButton[] {
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
