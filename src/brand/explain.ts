import { COLOR_ROLES, FONT_ROLES } from "./findings.ts";
import type { BrandFindings, ColorRole, FontRole, SchemeName } from "./findings.ts";

export type ExplainedRole = ColorRole | FontRole | "logo";

/** Everything that can be explained, in the order in which a kit is read. */
export const EXPLAINED_ROLES: readonly ExplainedRole[] = [...COLOR_ROLES, ...FONT_ROLES, "logo"];

/** Why a value is what it is, a line each: the value, how sure it is, and what speaks for it. */
export function explainBrand(findings: BrandFindings, role: ExplainedRole): readonly string[] {
  if (role === "logo") return explainLogos(findings);
  return isFontRole(role) ? explainFont(findings, role) : explainColor(findings, role);
}

function isFontRole(role: ExplainedRole): role is FontRole {
  return FONT_ROLES.some((known) => known === role);
}

function explainColor({ colors, defaultScheme }: BrandFindings, role: ColorRole): readonly string[] {
  const schemes: readonly SchemeName[] = defaultScheme === "light" ? ["light", "dark"] : ["dark", "light"];
  return schemes.flatMap((scheme) => {
    const ofScheme = colors[scheme];
    if (ofScheme === null) return [`${role} (${scheme}): the site has no ${scheme} scheme.`];
    const color = ofScheme[role];
    if (color === null) return [`${role} (${scheme}): nothing on the pages speaks for one.`];
    return [`${role} (${scheme}): ${color.hex}, ${percent(color.confidence)} sure`, ...listEvidence(color.evidence)];
  });
}

function explainFont({ fonts }: BrandFindings, role: FontRole): readonly string[] {
  const font = fonts[role];
  if (font === null) return [`${role} font: the styles leave the browser's own.`];
  return [
    `${role} font: ${font.family}, ${percent(font.confidence)} sure`,
    ...listEvidence([...font.evidence, `weights ${font.weights.join(", ")}`, `written as ${font.stack}`]),
  ];
}

function explainLogos({ logos }: BrandFindings): readonly string[] {
  if (logos.length === 0) return ["logo: no picture links to the home page or is called a logo, and no icon is named."];
  return logos.flatMap(({ kind, source, confidence, evidence }) => [
    `${kind}: ${source.kind === "svg" ? "an SVG in the page" : source.address}, ${percent(confidence)} sure`,
    ...listEvidence(evidence),
  ]);
}

function percent(confidence: number): string {
  return `${Math.round(confidence * 100)} %`;
}

function listEvidence(evidence: readonly string[]): readonly string[] {
  return evidence.map((words) => `  - ${words}`);
}
