import {
  COLOR_ROLES,
  FONT_ROLES,
  type BrandFindings,
  type ColorRole,
  type FontRole,
  type LogoFinding,
} from "./findings.ts";
import { kitRole, pinnedColors, schemesOf, type PinnedBrand } from "./kit.ts";

export type ExplainedRole = ColorRole | FontRole | "logo";

export const EXPLAINED_ROLES: readonly ExplainedRole[] = [...new Set([...COLOR_ROLES, ...FONT_ROLES, "logo"] as const)];

/** Explains a value, one item per line: the value, the confidence, and the evidence. */
export function explainBrand(
  findings: BrandFindings,
  role: ExplainedRole,
  pinned: PinnedBrand = {},
): readonly string[] {
  if (role === "logo") return explainLogos(findings, pinned);
  // Headings have a color and a font.
  const color = COLOR_ROLES.find((known) => known === role);
  const font = FONT_ROLES.find((known) => known === role);
  return [
    ...(color === undefined ? [] : explainColor(findings, color, pinned)),
    ...(font === undefined ? [] : explainFont(findings, font, pinned)),
  ];
}

function explainColor(findings: BrandFindings, role: ColorRole, pinned: PinnedBrand): readonly string[] {
  const pins = pinnedColors(findings, pinned);
  return schemesOf(findings).flatMap((scheme) => {
    const found = findings.colors[scheme]?.[role] ?? null;
    const pin = pins[kitRole(role, scheme, findings)];
    const usual = role === "heading" ? "the color of the text." : "no color found.";
    const none = findings.colors[scheme] === null ? `the site has no ${scheme} scheme.` : usual;
    return explainValue(`${role} (${scheme})`, { pin, found: found && { ...found, value: found.hex }, none });
  });
}

function explainFont({ fonts }: BrandFindings, role: FontRole, pinned: PinnedBrand): readonly string[] {
  const font = fonts[role];
  const pin = pinned.fonts?.[role];
  const more =
    font === null || pin !== undefined ? [] : [`weights ${font.weights.join(", ")}`, `written as ${font.stack}`];
  const found = font && { ...font, value: font.family, evidence: [...font.evidence, ...more] };
  return explainValue(`${role} font`, { pin, found, none: "not set by the styles." });
}

interface Explained {
  readonly pin: string | undefined;
  readonly found: (Pick<LogoFinding, "confidence" | "evidence"> & { readonly value: string }) | null;
  /** What is said if nothing was found. */
  readonly none: string;
}

function explainValue(name: string, { pin, found, none }: Explained): readonly string[] {
  const words = found && `${found.value}, ${percent(found.confidence)} sure`;
  return [
    pin === undefined ? `${name}: ${words ?? none}` : `${name}: ${pin}, pinned in the options`,
    ...(pin === undefined ? [] : [`  found on the site: ${words ?? "nothing"}`]),
    ...listEvidence(found?.evidence ?? []),
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
