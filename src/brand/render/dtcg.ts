import { converter } from "culori";
import type { BrandKitBody } from "../../contract/requests.ts";
import { fontStack, readTokens, tokenName, type ColorToken, type FontToken, type TokenOptions } from "../tokens.ts";

const toRgb = converter("rgb");

/** Key of what the format does not know: that a color is made from another. */
const EXTENSION = "dev.astro-imprint";

/** The kit in the format of the Design Tokens Community Group, 2025.10: a color group per scheme, and fonts. */
export function renderDtcg(kit: BrandKitBody, options: TokenOptions = {}): string {
  const { name, schemes, fonts } = readTokens(kit, options);
  const tokens = {
    $description: `${name}: brand kit by astro-imprint`,
    color: {
      $type: "color",
      ...Object.fromEntries(
        schemes.map(({ scheme, colors }) => [
          scheme,
          Object.fromEntries(colors.map((color) => [tokenName(color.role), colorToken(color, scheme)])),
        ]),
      ),
    },
    font: Object.fromEntries(fonts.map((font) => [tokenName(font.role), fontGroup(font)])),
  };
  return `${JSON.stringify(tokens, undefined, 2)}\n`;
}

function colorToken({ hex, derivedFrom }: ColorToken, scheme: string): unknown {
  const color = toRgb(hex);
  const round = (channel: number | undefined): number => Math.round((channel ?? 0) * 10_000) / 10_000;
  return {
    $value: {
      colorSpace: "srgb",
      components: [round(color?.r), round(color?.g), round(color?.b)],
      alpha: color?.alpha === undefined ? 1 : round(color.alpha),
      // The format's fallback has six digits; the alpha stands beside it.
      hex: hex.slice(0, 7),
    },
    ...(derivedFrom === undefined
      ? {}
      : { $extensions: { [EXTENSION]: { derivedFrom: `color.${scheme}.${tokenName(derivedFrom)}` } } }),
  };
}

function fontGroup(font: FontToken): unknown {
  const families = fontStack(font)
    .split(", ")
    .map((family) => family.replaceAll('"', ""));
  return {
    family: { $type: "fontFamily", $value: families },
    ...(font.weights.length === 0
      ? {}
      : {
          weight: Object.fromEntries(
            font.weights.map((weight) => [String(weight), { $type: "fontWeight", $value: weight }]),
          ),
        }),
  };
}
