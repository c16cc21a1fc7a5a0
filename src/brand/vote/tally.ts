import { differenceOf } from "../color/contrast.ts";

/** Colors nearer than this (CIEDE2000) are one color to a person. */
const SAME_COLOR = 4;

/** Something that speaks for a color. */
export interface ColorVote {
  readonly hex: string;
  readonly weight: number;
  /** What it is, for the evidence: `--accent`, `theme-color`. */
  readonly words: string;
}

export interface ColorResult {
  readonly hex: string;
  readonly weight: number;
  readonly votes: readonly ColorVote[];
}

/** Adds up votes for colors that look the same; the strongest color first, its hex that of its strongest vote. */
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

/** Confidence with two digits: more would be pretence. */
export function roundConfidence(confidence: number): number {
  return Math.round(Math.min(0.99, Math.max(0, confidence)) * 100) / 100;
}

/** The share of all votes that the best result has, 0 to 1. */
export function shareOf(results: readonly ColorResult[]): number {
  const total = sum(results.map(({ weight }) => weight));
  return total === 0 ? 0 : (results[0]?.weight ?? 0) / total;
}
