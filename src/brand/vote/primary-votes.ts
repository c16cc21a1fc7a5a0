import { pluralize } from "../../base/pluralize.ts";
import type { Element } from "domhandler";
import { contrastOf, differenceOf, hexOf, isNeutral } from "../color/contrast.ts";
import { parseColor } from "../color/css-color.ts";
import { attributeOf, closest, isInside, textHolderOf } from "../document.ts";
import type { ColorFinding } from "../findings.ts";
import { findLandmarks } from "../page/landmarks.ts";
import { named, shownElements, type SitePage } from "../page/site-page.ts";
import { findFilledButtons } from "./filled-buttons.ts";
import type { LookedAt } from "./surface-votes.ts";
import { roundConfidence, sum, tallyColors, type ColorVote } from "./tally.ts";
import { findNamedColors } from "./variable-votes.ts";

/** Weight of each kind of evidence if all of it agrees. */
const WEIGHTS = {
  variable: 3,
  buttons: 2.6,
  header: 1.3,
  link: 1.2,
  logo: 1.1,
  accentColor: 1,
  meta: 0.9,
  headings: 0.8,
  footer: 0.6,
  surface: 0.6,
  icon: 0.5,
} as const;
/**
 * Black, white, and grays are rarely the intended primary color. Only names and buttons can indicate them, and count
 * less.
 */
const NEUTRAL_SHARE = 0.55;
const LEAST_WEIGHT = 0.8;
/** Maximum difference (CIEDE2000) at which a gray counts as the text color. */
const NEAR_TEXT = 10;

interface PrimaryContext {
  readonly background: ColorFinding | null;
  readonly text: ColorFinding | null;
  readonly link: ColorFinding | null;
  /** Colors of the logo, strongest first. */
  readonly logoColors: readonly string[];
}

/** Finds the brand's color; `null` if there is too little evidence. */
export function findPrimaryColor(pages: readonly LookedAt[], context: PrimaryContext): ColorFinding | null {
  const votes = [
    ...variableVotes(pages, context),
    ...buttonVotes(pages),
    ...linkVotes(context),
    ...elementVotes(pages, context),
    ...headVotes(pages),
    ...context.logoColors.slice(0, 1).map((hex) => ({ hex, weight: WEIGHTS.logo, words: "logo" })),
  ].filter(({ hex }) => context.background === null || differenceOf(hex, context.background.hex) > 6);
  const [best, second] = rankColors(votes);
  if (best === undefined || best.weight < LEAST_WEIGHT) return null;
  const margin = 1 - 0.5 * ((second?.weight ?? 0) / best.weight);
  return {
    hex: best.hex,
    confidence: roundConfidence((1 - Math.exp(-best.weight / 2)) * margin),
    evidence: best.votes.map(({ words }) => words),
  };
}

/** Default colors of frameworks: Bootstrap 2 to 5, Foundation, Materialize, Semantic UI, Bulma, new.css, the browser. */
const DEFAULTS = (
  "#0d6efd #007bff #337ab7 #428bca #0088cc #1779ba #008cba #26a69a #ee6e73 #2185d0 #4183c4 #00d1b2 #485fc7 #3273dc " +
  "#1e87f0 #039be5 #0070f3 #3291ff #0000ee"
).split(" ");
/** Weight factor of a framework's default color if there are others. */
const DEFAULT_SHARE = 0.35;

/** Ranks the colors by their votes, strongest first. Chosen colors come before framework defaults. */
function rankColors(votes: readonly ColorVote[]): ReturnType<typeof tallyColors> {
  const results = tallyColors(votes);
  const isDefault = (hex: string) => DEFAULTS.some((known) => differenceOf(known, hex) < 1);
  const ranked = results.map((result) => ({
    result,
    weight: result.weight * (isDefault(result.hex) ? DEFAULT_SHARE : 1),
  }));
  return ranked.toSorted((a, b) => b.weight - a.weight).map(({ result }) => result);
}

function variableVotes(pages: readonly LookedAt[], { text }: PrimaryContext): readonly ColorVote[] {
  const strengths = new Map<string, { readonly hex: string; readonly name: string; strength: number }>();
  for (const { name, hex, meaning, strength } of pages.flatMap(findNamedColors)) {
    if (meaning !== "primary" && meaning !== "accent") continue;
    // Some themes call their text color `--primary`.
    if (isNeutral(hex) && text !== null && differenceOf(hex, text.hex) < NEAR_TEXT) continue;
    const known = strengths.get(`${name} ${hex}`);
    if (known === undefined) strengths.set(`${name} ${hex}`, { hex, name, strength });
  }
  const named = [...strengths.values()].toSorted((a, b) => b.strength - a.strength || (a.name < b.name ? -1 : 1));
  return named.map(({ hex, name, strength }, index) => {
    // Several names for the same color count once.
    const isRepeated = named.slice(0, index).some((other) => differenceOf(other.hex, hex) < 4);
    const weight = WEIGHTS.variable * strength * (isRepeated ? 0.1 : 1) * (isNeutral(hex) ? NEUTRAL_SHARE : 1);
    return { hex, weight, words: name };
  });
}

function buttonVotes(pages: readonly LookedAt[]): readonly ColorVote[] {
  const buttons = pages.flatMap(findFilledButtons).filter(({ isUncertain }) => !isUncertain);
  // If all buttons are weak, they don't get the full weight.
  const total = Math.max(1, sum(buttons.map(({ weight }) => weight)));
  return tallyColors(buttons.map((button) => ({ ...button, words: "" }))).map(({ hex, weight, votes }) => ({
    hex,
    weight: WEIGHTS.buttons * (weight / total) * (isNeutral(hex) ? NEUTRAL_SHARE : 1) * Math.min(1, 0.4 + weight / 4),
    words: votes.length === 1 ? "1 button" : `${votes.length} buttons`,
  }));
}

function linkVotes({ link, text }: PrimaryContext): readonly ColorVote[] {
  if (link === null || isNeutral(link.hex) || (text !== null && differenceOf(link.hex, text.hex) < 6)) return [];
  return [{ hex: link.hex, weight: WEIGHTS.link * Math.min(1, link.confidence + 0.1), words: "links" }];
}

function elementVotes(pages: readonly LookedAt[], { background }: PrimaryContext): readonly ColorVote[] {
  return pages
    .slice(0, 1)
    .flatMap((looked) => [...surfaceVotes(looked, background), ...accentColorVotes(looked), ...headingVotes(looked)]);
}

function headingVotes({ page, look }: LookedAt): readonly ColorVote[] {
  const headings = shownElements(page, look, { test: named("h1", "h2", "h3"), limit: 20 });
  const colors = headings
    .map((element) => look.styleOf(textHolderOf(element)))
    .filter(({ color, surface }) => !isNeutral(color) && contrastOf(color, surface) >= 2)
    .map(({ color }) => ({ hex: hexOf(color), weight: 1, words: "" }));
  const [best] = tallyColors(colors);
  if (best === undefined) return [];
  const share = best.weight / headings.length;
  return [{ hex: best.hex, weight: WEIGHTS.headings * share, words: `color of ${pluralize(best.weight, "heading")}` }];
}

const SURFACES = ["header", "section", "footer", "nav", "div", "table", "td"];

/** Votes for the colors of large parts of the home page. */
function surfaceVotes({ page, look }: LookedAt, background: ColorFinding | null): readonly ColorVote[] {
  const surfaces = shownElements(page, look, { test: named(...SURFACES), limit: 60 });
  const votes = surfaces.flatMap((element): (ColorVote & { readonly part: SurfacePart })[] => {
    const { background: own, surface } = look.styleOf(element);
    const hex = hexOf(surface);
    if (own === undefined || isNeutral(hex) || hex === background?.hex) return [];
    const part = partOf(element, page);
    return [{ hex, weight: WEIGHTS[part], part, words: `color of the ${part === "surface" ? "sections" : part}` }];
  });
  return (["header", "footer", "surface"] as const).flatMap((part) =>
    tallyColors(votes.filter((vote) => vote.part === part))
      .slice(0, part === "surface" ? 2 : 1)
      .flatMap(({ votes: [first] }) => first ?? []),
  );
}

type SurfacePart = "header" | "footer" | "surface";

function partOf(element: Element, page: SitePage): SurfacePart {
  if (isInside(element, ["footer"])) return "footer";
  if (isInside(element, ["header", "nav"])) return "header";
  const { header, footer } = findLandmarks(page);
  const isIn = (landmark: Element | undefined) => closest(element, (ancestor) => ancestor === landmark) !== undefined;
  return header !== undefined && isIn(header) ? "header" : footer !== undefined && isIn(footer) ? "footer" : "surface";
}

function accentColorVotes({ page, look }: LookedAt): readonly ColorVote[] {
  const { body } = page.document;
  const color = body === undefined ? undefined : look.styleOf(body).accentColor;
  if (color === undefined || isNeutral(color)) return [];
  return [{ hex: hexOf(color), weight: WEIGHTS.accentColor, words: "accent-color" }];
}

/** Colors declared in the page's head for browser UI. */
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
