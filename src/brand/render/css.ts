import type { BrandKitBody } from "../../contract/requests.ts";
import { fontStack, readTokens, tokenName, type BrandTokens, type ColorToken, type TokenOptions } from "../tokens.ts";

/**
 * The kit as custom properties: `--brand-primary`, `--brand-font-body`. The other scheme follows the visitor's
 * preference and the attribute `data-theme`.
 */
export function renderCss(kit: BrandKitBody, options: TokenOptions = {}): string {
  const tokens = readTokens(kit, options);
  const [usual, other] = tokens.schemes;
  const fonts = tokens.fonts.map((font) => `--brand-font-${tokenName(font.role)}: ${fontStack(font)};`);
  const root = [
    `color-scheme: ${other === undefined ? tokens.defaultScheme : "light dark"};`,
    ...linesOf(usual?.colors ?? []),
    ...fonts,
  ];
  const blocks = [comment(tokens), renderBlock(":root", root)];
  if (other !== undefined) {
    const lines = linesOf(other.colors);
    const unset = `:root:not([data-theme="${tokens.defaultScheme}"])`;
    blocks.push(
      `@media (prefers-color-scheme: ${other.scheme}) {\n${indent(renderBlock(unset, lines))}\n}`,
      renderBlock(`:root[data-theme="${other.scheme}"]`, [`color-scheme: ${other.scheme};`, ...lines]),
      renderBlock(`:root[data-theme="${tokens.defaultScheme}"]`, [`color-scheme: ${tokens.defaultScheme};`]),
    );
  }
  return `${blocks.join("\n\n")}\n`;
}

function comment({ name }: BrandTokens): string {
  return `/* ${name.replaceAll("*/", "")}: brand kit by astro-imprint. Colors marked "derived" are made from the site's. */`;
}

function linesOf(colors: readonly ColorToken[]): readonly string[] {
  return colors.map(
    ({ role, hex, derivedFrom }) =>
      `--brand-${tokenName(role)}: ${hex};${derivedFrom === undefined ? "" : ` /* derived from ${derivedFrom} */`}`,
  );
}

export function renderBlock(selector: string, lines: readonly string[]): string {
  return `${selector} {\n${lines.map((line) => `  ${line}`).join("\n")}\n}`;
}

export function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}
