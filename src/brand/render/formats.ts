import { converter } from "culori";
import type { BrandKitBody } from "../../contract/operations/content.ts";
import { readableFrom, readableOn, shiftLightness } from "../color/contrast.ts";
import { renderBrandYml } from "./brand-yml.ts";
import { designTokens } from "./design-tokens.ts";
import { renderDtcg, renderResolver, renderStyleDictionary } from "./dtcg.ts";
import { fontStack, readTokens, tokenName, type BrandTokens, type ColorToken } from "../tokens.ts";

const toOklch = converter("oklch");

type RenderKit = (kit: BrandKitBody) => string;

/** The export formats of a kit, each with its file extension. */
export const EXPORT_FORMATS = {
  css: { extension: "css", render: renderCss },
  dtcg: { extension: "tokens.json", render: renderDtcg },
  "dtcg-resolver": { extension: "resolver.json", render: renderResolver },
  "style-dictionary": { extension: "json", render: renderStyleDictionary },
  tailwind: { extension: "css", render: renderTailwind },
  shadcn: { extension: "css", render: renderShadcn },
  "brand-yml": { extension: "yml", render: renderBrandYml },
  json: { extension: "json", render: renderKitJson },
} as const satisfies Record<string, { readonly extension: string; readonly render: RenderKit }>;

export type ExportFormat = keyof typeof EXPORT_FORMATS;

/** Renders the kit in another format. The same kit always produces the same text. */
export function renderKit(kit: BrandKitBody, format: ExportFormat): string {
  return EXPORT_FORMATS[format].render(kit);
}

/**
 * Renders the kit as custom properties: `--brand-primary`, `--brand-font-body`. The other scheme follows the visitor's
 * preference and the `data-theme` attribute.
 */
function renderCss(kit: BrandKitBody): string {
  const tokens = readTokens(kit);
  const [usual, other] = tokens.schemes;
  const brandLines = (colors: readonly ColorToken[] = []) =>
    linesOf(colors, "--brand-", (from) => `derived from ${from}`);
  const root = [
    `color-scheme: ${other === undefined ? tokens.defaultScheme : "light dark"};`,
    ...brandLines(usual?.colors),
    ...tokens.fonts.map((font) => `--brand-font-${tokenName(font.role)}: ${fontStack(font)};`),
    ...designLines(kit, "--brand-"),
  ];
  const blocks = [comment(tokens), renderBlock(":root", root)];
  if (other !== undefined) {
    const lines = brandLines(other.colors);
    const unset = `:root:not([data-theme="${tokens.defaultScheme}"])`;
    blocks.push(
      `@media (prefers-color-scheme: ${other.scheme}) {\n${indent(renderBlock(unset, lines))}\n}`,
      renderBlock(`:root[data-theme="${other.scheme}"]`, [`color-scheme: ${other.scheme};`, ...lines]),
      renderBlock(`:root[data-theme="${tokens.defaultScheme}"]`, [`color-scheme: ${tokens.defaultScheme};`]),
    );
  }
  return `${blocks.join("\n\n")}\n`;
}

/** Radii, spacing, sizes, and shadows: `--brand-radius-button`. */
function designLines({ design }: BrandKitBody, prefix: string): readonly string[] {
  const { measures, shadows } = designTokens(design);
  return [
    ...measures.map(({ group, name, pixels }) => `${prefix}${group}-${name}: ${pixels}px;`),
    ...shadows.map(({ name, css }) => `${prefix}shadow-${name}: ${css};`),
  ];
}

/** The names from which Tailwind generates utilities for measures: `rounded-button`, `max-w-text`, `shadow-card`. */
function tailwindLines({ design }: BrandKitBody): readonly string[] {
  const { measures, shadows } = designTokens(design);
  return [
    ...measures.flatMap(({ group, name, pixels }) => {
      if (group === "radius") return [`--radius-${name}: ${pixels}px;`];
      if (group === "spacing") return [`--spacing-${name}: ${pixels}px;`];
      if (name === "text-width") return [`--container-text: ${pixels}px;`];
      return group === "size" ? [`--text-${name === "text" ? "base" : name}: ${pixels}px;`] : [];
    }),
    ...shadows.map(({ name, css }) => `--shadow-${name}: ${css};`),
  ];
}

function comment({ name }: BrandTokens): string {
  return `/* ${name.replaceAll("*/", "")}: brand kit by astro-imprint. Colors marked "derived" are derived from the site's. */`;
}

/** Custom properties, with a note on derived ones. */
function linesOf(colors: readonly ColorToken[], prefix: string, noteOf: (source: string) => string): readonly string[] {
  return colors.map(({ role, hex, derivedFrom }) => {
    const note = derivedFrom === undefined ? "" : ` /* ${noteOf(derivedFrom)} */`;
    return `${prefix}${tokenName(role)}: ${hex};${note}`;
  });
}

function renderBlock(selector: string, lines: readonly string[]): string {
  return `${selector} {\n${lines.map((line) => `  ${line}`).join("\n")}\n}`;
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}

/**
 * Renders the kit as a Tailwind CSS 4 theme: `bg-primary`, `text-on-primary`, `font-heading`. The other scheme
 * overrides the same variables based on the visitor's preference.
 */
function renderTailwind(kit: BrandKitBody): string {
  const { schemes, fonts } = readTokens(kit);
  const [usual, other] = schemes;
  const colorLines = (colors: readonly ColorToken[] = []) => linesOf(colors, "--color-", () => "derived");
  const fontLines = fonts.map((font) => `--font-${tokenName(font.role)}: ${fontStack(font)};`);
  const theme = renderBlock("@theme", [...colorLines(usual?.colors), ...fontLines, ...tailwindLines(kit)]);
  if (other === undefined) return `${theme}\n`;
  const root = renderBlock(":root", colorLines(other.colors));
  const media = `@media (prefers-color-scheme: ${other.scheme}) {\n${indent(root)}\n}`;
  return `${theme}\n\n@layer theme {\n${indent(media)}\n}\n`;
}

/**
 * Renders the kit with the names of shadcn/ui, in `:root` for light and `.dark` for dark. Colors missing from the kit
 * are derived from the others and marked `derived`. Without background and text colors, there is nothing to derive them
 * from.
 */
function renderShadcn(kit: BrandKitBody): string {
  const { schemes } = readTokens(kit);
  const [usual] = schemes;
  const radius = kit.design?.card?.radius ?? kit.design?.button?.radius ?? 10;
  const blocks = schemes.map(({ scheme, colors }) =>
    renderBlock(scheme === "dark" ? ".dark" : ":root", [
      ...shadcnLines(colors),
      ...(scheme === usual?.scheme ? [`--radius: ${Math.min(32, radius) / 16}rem;`] : []),
    ]),
  );
  const light = schemes.findIndex(({ scheme }) => scheme === "light");
  // `:root` must come first, since `.dark` is set on the same element.
  const ordered = light === 1 ? blocks.toReversed() : blocks;
  return `${ordered.join("\n\n")}\n`;
}

function shadcnLines(colors: readonly ColorToken[]): readonly string[] {
  const own = new Map(
    colors.filter(({ derivedFrom }) => derivedFrom === undefined).map(({ role, hex }) => [role, hex]),
  );
  const [background, text, primary, accent] = ["background", "text", "primary", "accent"].map((role) => own.get(role));
  const card = own.get("surface") ?? background;
  const muted = tint(background);
  const border = own.get("border") ?? tint(background, 0.1);
  const onPrimary = primary && readableOn(primary);
  const [second, third] = [accent ?? primary, own.get("link") ?? primary];
  const names: readonly (readonly [name: string, hex: string | undefined, isDerived: boolean])[] = [
    ["background", background, false],
    ["foreground", text, false],
    ["heading", own.get("heading"), false],
    ["card", card, !own.has("surface")],
    ["card-foreground", text, true],
    ["popover", card, true],
    ["popover-foreground", text, true],
    ["primary", primary, false],
    ["primary-foreground", onPrimary, true],
    ["accent", accent ?? muted, accent === undefined],
    ["accent-foreground", accent === undefined ? text : readableOn(accent), true],
    ["muted", muted, true],
    ["muted-foreground", text && background && mutedText(text, background), true],
    ["border", border, !own.has("border")],
    ["input", border, true],
    ["ring", primary, true],
    ["secondary", muted, true],
    ["secondary-foreground", text, true],
    ["destructive", background && readableFrom("#dc2626", background), true],
    ["sidebar", card, true],
    ["sidebar-foreground", text, true],
    ["sidebar-primary", primary, true],
    ["sidebar-primary-foreground", onPrimary, true],
    ["sidebar-accent", muted, true],
    ["sidebar-accent-foreground", text, true],
    ["sidebar-border", border, true],
    ["sidebar-ring", primary, true],
    // Colors for charts: the brand's own, and lighter and darker ones.
    ["chart-1", primary, true],
    ["chart-2", primary && shiftLightness(primary, 0.15), true],
    ["chart-3", second && shiftLightness(second, -0.12), true],
    ["chart-4", third && shiftLightness(third, 0.08), true],
    ["chart-5", third && shiftLightness(third, -0.2), true],
  ];
  return names.flatMap(([name, hex, isDerived]) =>
    hex === undefined ? [] : [`--${name}: ${formatOklch(hex)};${isDerived ? " /* derived */" : ""}`],
  );
}

/** Slightly darker than a light color, slightly lighter than a dark one. */
function tint(hex: string | undefined, amount = 0.035): string | undefined {
  return hex === undefined ? undefined : shiftLightness(hex, readableOn(hex) === "#ffffff" ? amount : -amount);
}

function mutedText(text: string, background: string): string {
  return readableFrom(
    shiftLightness(text, readableOn(background) === "#ffffff" ? -0.25 : 0.25),
    tint(background) ?? background,
  );
}

function formatOklch(hex: string): string {
  const color = toOklch(hex);
  if (color === undefined) return hex;
  const round = (number: number | undefined): number => Math.round((number ?? 0) * 1000) / 1000;
  return `oklch(${round(color.l)} ${round(color.c)} ${round(color.h)})`;
}

/** Renders the kit as stored on the service, plus the derived colors by scheme. */
function renderKitJson(kit: BrandKitBody): string {
  const { defaultScheme, schemes } = readTokens(kit);
  const derived = Object.fromEntries(
    schemes.map(({ scheme, colors }) => [
      scheme,
      colors.flatMap(({ role, hex, derivedFrom }) =>
        derivedFrom === undefined ? [] : [{ role, hex, from: derivedFrom }],
      ),
    ]),
  );
  return `${JSON.stringify({ ...kit, defaultScheme, derived }, undefined, 2)}\n`;
}
