import { differenceOf } from "../../../src/brand/color/contrast.ts";
import type { BrandFindings, LogoFinding } from "../../../src/brand/findings.ts";
import type { CorpusSite, ExpectedColors } from "./corpus-site.ts";

/** Colors nearer than this (CIEDE2000) count as found. */
const SAME_COLOR = 5;

export interface Score {
  readonly site: string;
  /** What was looked for: `light primary`, `body font`, `logo`. */
  readonly value: string;
  readonly expected: string;
  readonly found: string;
  readonly isRight: boolean;
}

/** Compares what was found with what the site's package documents, value by value. */
export function scoreFindings(site: CorpusSite, findings: BrandFindings): readonly Score[] {
  const { light = {}, dark = {}, fonts = {}, logo } = site.expected;
  return [
    ...scoreColors(site, findings, { scheme: "light", expected: light }),
    ...scoreColors(site, findings, { scheme: "dark", expected: dark }),
    ...(["heading", "body", "mono"] as const).flatMap((role): Score[] => {
      const expected = fonts[role];
      if (expected === undefined) return [];
      const found = findings.fonts[role]?.family ?? "null";
      return [
        {
          site: site.name,
          value: `${role} font`,
          expected,
          found,
          isRight: found.toLowerCase() === expected.toLowerCase(),
        },
      ];
    }),
    scoreLogo(site, findings.logos, logo),
  ];
}

function scoreColors(
  site: CorpusSite,
  findings: BrandFindings,
  { scheme, expected }: { readonly scheme: "light" | "dark"; readonly expected: ExpectedColors },
): readonly Score[] {
  return (["background", "text", "link", "primary"] as const).flatMap((role): Score[] => {
    const hex = expected[role];
    if (hex === undefined) return [];
    const found = findings.colors[scheme]?.[role]?.hex ?? "null";
    const isRight = found !== "null" && differenceOf(found, hex) < SAME_COLOR;
    return [{ site: site.name, value: `${scheme} ${role}`, expected: hex, found, isRight }];
  });
}

function scoreLogo(site: CorpusSite, logos: readonly LogoFinding[], expected: string): Score {
  const logo = logos.find(({ kind }) => kind === "logo");
  const found = logo === undefined ? "none" : logo.source.kind === "svg" ? "svg" : logo.source.address;
  const isRight = expected === "none" || expected === "svg" ? found === expected : found.endsWith(expected);
  return { site: site.name, value: "logo", expected, found, isRight };
}

/** The scores as a table, a line per site, with every value that was missed written out. */
export function renderScores(scores: readonly Score[]): string {
  const sites = Map.groupBy(scores, ({ site }) => site);
  const lines = [...sites].map(([site, own]) => {
    const right = own.filter(({ isRight }) => isRight).length;
    const missed = own
      .filter(({ isRight }) => !isRight)
      .map(({ value, expected, found }) => `${value}: ${found} for ${expected}`);
    return `${site.padEnd(28)} ${String(right).padStart(2)}/${String(own.length).padEnd(2)} ${missed.join("; ")}`;
  });
  return [
    ...lines,
    "",
    `all values       ${renderShare(scores)}`,
    `primary          ${renderShare(scores.filter(isPrimary))}`,
    `false logos      ${scores.filter(isFalseLogo).length}`,
  ].join("\n");
}

export function isPrimary({ value }: Score): boolean {
  return value.endsWith("primary");
}

/** A picture that was taken for the logo and is not. A logo that was not found is no false one. */
export function isFalseLogo({ value, found, isRight }: Score): boolean {
  return value === "logo" && found !== "none" && !isRight;
}

export function shareRight(scores: readonly Score[]): number {
  return scores.filter(({ isRight }) => isRight).length / scores.length;
}

function renderShare(scores: readonly Score[]): string {
  return `${scores.filter(({ isRight }) => isRight).length} of ${scores.length} (${(shareRight(scores) * 100).toFixed(1)} %)`;
}
