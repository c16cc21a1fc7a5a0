import { styleText } from "node:util";
import { COLOR_ROLES, FONT_ROLES, type BrandFindings, type SchemeName } from "../../brand/findings.ts";
import { kitRole, pinnedColors, type PinnedBrand } from "../../brand/kit.ts";
import type { CliContext } from "../context.ts";
import { paintFor } from "../terminal.ts";

interface Shown {
  readonly findings: BrandFindings;
  readonly pinned: PinnedBrand;
}

/** What was found, and what the options pin, for a terminal: with swatches where it shows colors. */
export function renderFindings(shown: Shown, { out, environment }: CliContext): string {
  const paint = paintFor(out, environment);
  const { findings } = shown;
  const parts = [
    [paint("strong", findings.name ?? findings.home)],
    ...(["light", "dark"] as const).map((scheme) => colorLines(scheme, shown, paint)),
    fontLines(shown, paint),
    logoLines(shown, paint),
    findings.problems.map(({ subject, message }) => `  ${paint("warn", "!")} ${subject}: ${message}`),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n")}`;
}

type Paint = ReturnType<typeof paintFor>;

function colorLines(scheme: SchemeName, { findings, pinned }: Shown, paint: Paint): readonly string[] {
  const isColored = paint("strong", "x") !== "x";
  const pins = pinnedColors(findings, pinned);
  const rows = COLOR_ROLES.flatMap((role) => {
    const pin = pins[kitRole(role, scheme, findings)];
    const color = findings.colors[scheme]?.[role] ?? undefined;
    const hex = pin ?? color?.hex;
    if (hex === undefined) return [];
    const sure = pin === undefined ? `${Math.round((color?.confidence ?? 0) * 100)} % sure` : "pinned";
    return [`    ${isColored ? `${swatch(hex)} ` : ""}${role.padEnd(11)} ${hex}  ${paint("dim", sure)}`];
  });
  return rows.length === 0 ? [] : [`  ${scheme}`, ...rows];
}

function fontLines({ findings, pinned }: Shown, paint: Paint): readonly string[] {
  const rows = FONT_ROLES.flatMap((role) => {
    const pin = pinned.fonts?.[role];
    const font = findings.fonts[role] ?? undefined;
    const family = pin ?? font?.family;
    const source = pin === undefined ? (font?.source ?? "") : "pinned";
    return family === undefined ? [] : [`    ${role.padEnd(11)} ${family}  ${paint("dim", source)}`];
  });
  return rows.length === 0 ? [] : ["  fonts", ...rows];
}

function logoLines({ findings, pinned }: Shown, paint: Paint): readonly string[] {
  const pins = Object.entries(pinned.logos ?? {}).map(
    ([kind, { url }]) => `    ${kind.padEnd(12)} ${url}  ${paint("dim", "pinned")}`,
  );
  const found = findings.logos
    .filter(({ kind }) => pinned.logos?.[kind] === undefined)
    .map(
      ({ kind, source }) =>
        `    ${kind.padEnd(12)} ${source.kind === "address" ? source.address : "drawn in the page itself"}`,
    );
  const rows = [...pins, ...found];
  return rows.length === 0 ? [] : ["  logos", ...rows];
}

function swatch(hex: string): string {
  const [red, green, blue] = [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
  return styleText("reset", `\u001b[48;2;${red};${green};${blue}m  \u001b[49m`, { validateStream: false });
}
