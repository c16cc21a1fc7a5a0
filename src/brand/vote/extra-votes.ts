import { differenceOf } from "../color/contrast.ts";
import type { ColorFinding } from "../findings.ts";
import type { LookedAt } from "./surface-votes.ts";
import { roundConfidence, tallyColors } from "./tally.ts";
import { findNamedColors } from "./variable-votes.ts";

/**
 * A role for which only names of custom properties speak. `null` when no name does, or when the color is one of those
 * that already have a role.
 */
export function findNamedRole(
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
