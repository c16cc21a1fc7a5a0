import { differenceOf } from "../color/contrast.ts";
import type { ColorFinding } from "../findings.ts";

/** Colors with a smaller difference (CIEDE2000) look the same to people. */
const SAME_COLOR = 4;

export interface ColorVote {
  readonly hex: string;
  readonly weight: number;
  /** Its description in the evidence: `--accent`, `theme-color`. */
  readonly words: string;
}

/** A vote that is enough to determine a color; `certainty` is from 0 to 1. */
export interface CertainVote extends ColorVote {
  readonly certainty: number;
}

interface ColorResult {
  readonly hex: string;
  readonly weight: number;
  readonly votes: readonly ColorVote[];
}

/** Adds up votes for colors that look the same, strongest color first. Its hex is that of its strongest vote. */
export function tallyColors(votes: readonly ColorVote[]): readonly ColorResult[] {
  const groups: ColorVote[][] = [];
  for (const vote of votes.toSorted((a, b) => b.weight - a.weight || (a.hex < b.hex ? -1 : 1))) {
    const group = groups.find(([first]) => first !== undefined && differenceOf(first.hex, vote.hex) < SAME_COLOR);
    if (group === undefined) groups.push([vote]);
    else group.push(vote);
  }
  return groups
    .flatMap((group) => {
      const hex = group[0]?.hex;
      return hex === undefined ? [] : [{ hex, weight: sum(group.map(({ weight }) => weight)), votes: group }];
    })
    .toSorted((a, b) => b.weight - a.weight || (a.hex < b.hex ? -1 : 1));
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Rounds the confidence to two digits; more would be false precision. */
export function roundConfidence(confidence: number): number {
  return Math.round(Math.min(0.99, Math.max(0, confidence)) * 100) / 100;
}

/** The best result's share of all votes, 0 to 1. */
export function shareOf(results: readonly ColorResult[]): number {
  const total = sum(results.map(({ weight }) => weight));
  return total === 0 ? 0 : (results[0]?.weight ?? 0) / total;
}

/** Returns the winning color. `certainty` applies if all votes agree; default: that of its most certain vote. */
export function findingOf(votes: readonly CertainVote[], certainty?: number): ColorFinding | null {
  const results = tallyColors(votes);
  const [best] = results;
  if (best === undefined) return null;
  const surest = Math.max(...votes.filter((vote) => best.votes.includes(vote)).map((vote) => vote.certainty));
  return {
    hex: best.hex,
    confidence: roundConfidence((certainty ?? surest) * (0.5 + shareOf(results) / 2)),
    evidence: countWords(best.votes.map(({ words }) => words)),
  };
}

/** Adds the number of pages to repeated words. */
function countWords(words: readonly string[]): readonly string[] {
  return [...Map.groupBy(words, (word) => word)].map(([word, { length }]) =>
    length === 1 ? word : `${word} (${length} pages)`,
  );
}
