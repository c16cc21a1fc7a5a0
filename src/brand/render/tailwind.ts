import type { BrandKitBody } from "../../contract/requests.ts";
import { fontStack, readTokens, tokenName, type ColorToken, type TokenOptions } from "../tokens.ts";
import { indent, renderBlock } from "./css.ts";

/**
 * The kit as a theme of Tailwind CSS 4: `bg-primary`, `text-on-primary`, `font-heading`. The other scheme changes the
 * same variables by the visitor's preference.
 */
export function renderTailwind(kit: BrandKitBody, options: TokenOptions = {}): string {
  const { schemes, fonts } = readTokens(kit, options);
  const [usual, other] = schemes;
  const fontLines = fonts.map((font) => `--font-${tokenName(font.role)}: ${fontStack(font)};`);
  const theme = renderBlock("@theme", [...linesOf(usual?.colors ?? []), ...fontLines]);
  if (other === undefined) return `${theme}\n`;
  const root = renderBlock(":root", linesOf(other.colors));
  const media = `@media (prefers-color-scheme: ${other.scheme}) {\n${indent(root)}\n}`;
  return `${theme}\n\n@layer theme {\n${indent(media)}\n}\n`;
}

function linesOf(colors: readonly ColorToken[]): readonly string[] {
  return colors.map(
    ({ role, hex, derivedFrom }) =>
      `--color-${tokenName(role)}: ${hex};${derivedFrom === undefined ? "" : " /* derived */"}`,
  );
}
