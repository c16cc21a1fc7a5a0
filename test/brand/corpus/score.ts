import { differenceOf } from "../../../src/brand/color/contrast.ts";
import type { BrandFindings, LogoFinding } from "../../../src/brand/findings.ts";
import type { CorpusSite, ExpectedColors } from "./corpus-site.ts";

/** Colors closer than this (CIEDE2000) count as found. */
const SAME_COLOR = 5;

export interface Score {
  readonly site: string;
  /** Confidence of the extraction; `undefined` if it found nothing. */
  readonly confidence: number | undefined;
  /** The expected value's name: `light primary`, `body font`, `logo`. */
  readonly value: string;
  readonly expected: string;
  readonly found: string;
  readonly isRight: boolean;
}

type ScoredSite = Pick<CorpusSite, "name" | "expected">;

/** Compares the findings with the values that the site's package documents. */
export function scoreFindings(site: ScoredSite, findings: BrandFindings): readonly Score[] {
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
          confidence: findings.fonts[role]?.confidence,
          isRight: found.toLowerCase() === expected.toLowerCase(),
        },
      ];
    }),
    scoreLogo(site, findings.logos, logo),
  ];
}

function scoreColors(
  site: ScoredSite,
  findings: BrandFindings,
  { scheme, expected }: { readonly scheme: "light" | "dark"; readonly expected: ExpectedColors },
): readonly Score[] {
  const named = (["background", "text", "heading", "link", "primary"] as const).map((role) => {
    const { hex, confidence } = findings.colors[scheme]?.[role] ?? {};
    return { role, found: hex, confidence };
  });
  const filled = (["header", "button"] as const).map((role) => {
    const surface = findings.design?.surfaces.find((own) => own.part === role && own.scheme === scheme);
    return { role, found: surface?.background, confidence: undefined };
  });
  return [...named, ...filled].flatMap(({ role, found = "null", confidence }): Score[] => {
    const hex = expected[role];
    if (hex === undefined) return [];
    const isRight =
      found === "null" || hex === "none" ? found === "null" && hex === "none" : differenceOf(found, hex) < SAME_COLOR;
    return [{ site: site.name, value: `${scheme} ${role}`, expected: hex, found, confidence, isRight }];
  });
}

function scoreLogo(site: ScoredSite, logos: readonly LogoFinding[], expected: string): Score {
  const logo = logos.find(({ kind }) => kind === "logo");
  const found = logo === undefined ? "none" : logo.source.kind === "svg" ? "svg" : logo.source.address;
  const isRight = expected === "none" || expected === "svg" ? found === expected : found.endsWith(expected);
  return { site: site.name, value: "logo", expected, found, confidence: logo?.confidence, isRight };
}

/** Renders the scores as a table with one line per site, and lists every miss. */
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

/** Whether an image was mistaken for the logo. A logo that was not found doesn't count. */
export function isFalseLogo({ value, found, isRight }: Score): boolean {
  return value === "logo" && found !== "none" && !isRight;
}

export function shareRight(scores: readonly Score[]): number {
  return scores.filter(({ isRight }) => isRight).length / scores.length;
}

function renderShare(scores: readonly Score[]): string {
  return `${scores.filter(({ isRight }) => isRight).length} of ${scores.length} (${(shareRight(scores) * 100).toFixed(1)} %)`;
}

const STEPS = [0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1] as const;

/** Renders how often values are right by confidence, one line per step. */
export function renderCalibration(scores: readonly Score[]): string {
  const lines = STEPS.slice(0, -1).map((from, index) => {
    const to = STEPS[index + 1] ?? 1;
    const own = scores.filter(({ confidence = 0 }) => confidence >= from && confidence < to);
    const said = own.reduce((total, { confidence = 0 }) => total + confidence, 0) / Math.max(1, own.length);
    const right = own.filter(({ isRight }) => isRight).length;
    const share = own.length === 0 ? "-" : `${((right / own.length) * 100).toFixed(0)} %`;
    return `${from.toFixed(1)} to ${to.toFixed(1)}   ${String(own.length).padStart(4)} values   said ${(said * 100).toFixed(0).padStart(3)} %   right ${share}`;
  });
  return ["confidence", ...lines].join("\n");
}

/** Whether the extraction was confident about a value. */
export function isSaidSure({ confidence = 0 }: Score): boolean {
  return confidence >= 0.9;
}
