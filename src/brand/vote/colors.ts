import { differenceOf } from "../color/contrast.ts";
import type { ColorFinding, SchemeColors, SchemeName } from "../findings.ts";
import type { SitePage } from "../page/site-page.ts";
import { findHeadingColor } from "./heading-votes.ts";
import { findLinkColor } from "./link-votes.ts";
import { findPrimaryColor } from "./primary-votes.ts";
import { findSurfaceColors, type LookedAt } from "./surface-votes.ts";
import { roundConfidence, tallyColors } from "./tally.ts";
import { findNamedColors } from "./variable-votes.ts";

/** Finds the colors of a scheme; `null` if the home page doesn't have it. */
export function findColors(
  pages: readonly SitePage[],
  scheme: SchemeName,
  logoColors: readonly string[] = [],
): SchemeColors | null {
  const looked = pages.flatMap((page): LookedAt[] => {
    const look = page.looks[scheme];
    return look === undefined ? [] : [{ page, look }];
  });
  if (looked[0] === undefined || looked[0].page !== pages[0]) return null;
  const { background, text } = findSurfaceColors(looked);
  const link = findLinkColor(looked);
  const primary = findPrimaryColor(looked, { background, text, link, logoColors });
  return {
    background,
    text,
    heading: findHeadingColor(looked),
    link,
    primary,
    accent: findNamedRole(looked, "accent", [primary, background, text]),
    surface: findNamedRole(looked, "surface", [background]),
    border: findNamedRole(looked, "border", [background, text]),
  };
}

/**
 * Finds a role that only names of custom properties indicate. Returns `null` if none does, or if the color already has
 * a role.
 */
function findNamedRole(
  pages: readonly LookedAt[],
  meaning: "accent" | "surface" | "border",
  taken: readonly (ColorFinding | null)[],
): ColorFinding | null {
  const named = pages.flatMap(findNamedColors).filter((color) => color.meaning === meaning);
  const unique = [...new Map(named.map((color) => [`${color.name} ${color.hex}`, color])).values()];
  const results = tallyColors(unique.map(({ hex, strength, name }) => ({ hex, weight: strength, words: name })));
  const best = results[0];
  if (best === undefined || best.weight < 0.4) return null;
  const distance = meaning === "accent" ? 10 : 1;
  if (taken.some((color) => color !== null && differenceOf(color.hex, best.hex) < distance)) return null;
  return {
    hex: best.hex,
    confidence: roundConfidence(0.9 * Math.min(1, best.weight)),
    evidence: best.votes.map(({ words }) => words),
  };
}
