import {
  COLOR_ROLES,
  FONT_ROLES,
  type BrandFindings,
  type ColorRole,
  type FontRole,
  type LogoFinding,
  type SchemeName,
} from "./findings.ts";
import { kitRole, pinnedColors, type PinnedBrand } from "./kit.ts";

export type ExplainedRole = ColorRole | FontRole | "logo";

export const EXPLAINED_ROLES: readonly ExplainedRole[] = [...COLOR_ROLES, ...FONT_ROLES, "logo"];

/** Explains a value, one item per line: the value, the confidence, and the evidence. */
export function explainBrand(
  findings: BrandFindings,
  role: ExplainedRole,
  pinned: PinnedBrand = {},
): readonly string[] {
  if (role === "logo") return explainLogos(findings, pinned);
  return isFontRole(role) ? explainFont(findings, role, pinned) : explainColor(findings, role, pinned);
}

function isFontRole(role: ExplainedRole): role is FontRole {
  return FONT_ROLES.some((known) => known === role);
}

function explainColor(findings: BrandFindings, role: ColorRole, pinned: PinnedBrand): readonly string[] {
  const { colors, defaultScheme } = findings;
  const schemes: readonly SchemeName[] = defaultScheme === "light" ? ["light", "dark"] : ["dark", "light"];
  const pins = pinnedColors(findings, pinned);
  return schemes.flatMap((scheme) => {
    const ofScheme = colors[scheme];
    const pin = pins[kitRole(role, scheme, findings)];
    if (pin !== undefined) {
      const found = ofScheme?.[role] ?? null;
      return [
        `${role} (${scheme}): ${pin}, pinned in the options`,
        ...instead(found === null ? undefined : `${found.hex}, ${percent(found.confidence)} sure`),
        ...listEvidence(found?.evidence ?? []),
      ];
    }
    if (ofScheme === null) return [`${role} (${scheme}): the site has no ${scheme} scheme.`];
    const color = ofScheme[role];
    if (color === null) return [`${role} (${scheme}): no color found.`];
    return [`${role} (${scheme}): ${color.hex}, ${percent(color.confidence)} sure`, ...listEvidence(color.evidence)];
  });
}

/** The value found on the site when an option overrides it. */
function instead(found: string | undefined): readonly string[] {
  return [`  found on the site: ${found ?? "nothing"}`];
}

function explainFont({ fonts }: BrandFindings, role: FontRole, pinned: PinnedBrand): readonly string[] {
  const font = fonts[role];
  const pin = pinned.fonts?.[role];
  if (pin !== undefined) {
    const found = font === null ? undefined : `${font.family}, ${percent(font.confidence)} sure`;
    return [`${role} font: ${pin}, pinned in the options`, ...instead(found), ...listEvidence(font?.evidence ?? [])];
  }
  if (font === null) return [`${role} font: not set by the styles.`];
  return [
    `${role} font: ${font.family}, ${percent(font.confidence)} sure`,
    ...listEvidence([...font.evidence, `weights ${font.weights.join(", ")}`, `written as ${font.stack}`]),
  ];
}

function explainLogos({ logos }: BrandFindings, pinned: PinnedBrand): readonly string[] {
  const pins = Object.entries(pinned.logos ?? {}).map(([kind, { url }]) => `${kind}: ${url}, pinned in the options`);
  if (logos.length === 0 && pins.length === 0) {
    return ["logo: not found. No image links to the home page or is named logo, and no icon is linked."];
  }
  const found = logos.filter(({ kind }) => pinned.logos?.[kind] === undefined);
  return [...pins, ...found.flatMap(explainLogo)];
}

function explainLogo({ kind, source, confidence, evidence }: LogoFinding): readonly string[] {
  return [
    `${kind}: ${source.kind === "svg" ? "an SVG in the page" : source.address}, ${percent(confidence)} sure`,
    ...listEvidence(evidence),
  ];
}

function percent(confidence: number): string {
  return `${Math.round(confidence * 100)}%`;
}

function listEvidence(evidence: readonly string[]): readonly string[] {
  return evidence.map((words) => `  - ${words}`);
}
