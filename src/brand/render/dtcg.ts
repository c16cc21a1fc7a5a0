import { converter } from "culori";
import type { BrandKitBody } from "../../contract/operations/content.ts";
import { fontStack, readTokens, tokenName, type ColorToken, type FontToken } from "../tokens.ts";
import { designTokens, type ShadowToken } from "./design-tokens.ts";

const toRgb = converter("rgb");

/** Key of data that the format doesn't cover: which color another is derived from, and logo addresses. */
const EXTENSION = "dev.astro-imprint";

type Group = Readonly<Record<string, unknown>>;

/** How values that tools read differently are written. */
interface Notation {
  readonly color: (token: ColorToken) => unknown;
  readonly length: (pixels: number) => unknown;
}

/** As specified since 2025.10. */
const STANDARD: Notation = { color: ({ hex }) => colorValue(hex), length: (value) => ({ value, unit: "px" }) };
/** For Style Dictionary 4 and 5, which print values unchanged. */
const TEXTS: Notation = { color: ({ hex }) => hex, length: (value) => `${value}px` };

/**
 * Renders the kit in the Design Tokens Community Group format, 2025.10: a color group per scheme, fonts, and measures.
 */
export function renderDtcg(kit: BrandKitBody): string {
  return print(wholeTree(kit, STANDARD));
}

/** Renders the same tokens with values as strings, for Style Dictionary 4 and 5. */
export function renderStyleDictionary(kit: BrandKitBody): string {
  return print(wholeTree(kit, TEXTS));
}

/**
 * Renders the kit as a resolver document (2025.10): color names without a scheme, which the modifier `scheme` resolves
 * to light or dark, and everything else.
 */
export function renderResolver(kit: BrandKitBody): string {
  const { name, schemes, defaultScheme } = readTokens(kit);
  const contexts = schemes.map(({ scheme, colors }) => [
    scheme,
    [{ color: { $type: "color", ...colorGroup(colors, { scheme: undefined, notation: STANDARD }) } }],
  ]);
  return print({
    name,
    version: "2025.10",
    description: `${name}: brand kit by astro-imprint`,
    sets: { base: { sources: [baseTree(kit, STANDARD)] } },
    modifiers: { scheme: { contexts: Object.fromEntries(contexts), default: defaultScheme } },
    resolutionOrder: [{ $ref: "#/sets/base" }, { $ref: "#/modifiers/scheme" }],
  });
}

function print(tree: Group): string {
  return `${JSON.stringify(tree, undefined, 2)}\n`;
}

function wholeTree(kit: BrandKitBody, notation: Notation): Group {
  const { name, schemes } = readTokens(kit);
  const logos = (kit.logos ?? []).map(({ kind, url, width, height }) => ({ kind, url, width, height }));
  return {
    $description: `${name}: brand kit by astro-imprint`,
    ...(logos.length === 0 ? {} : { $extensions: { [EXTENSION]: { logos } } }),
    color: {
      $type: "color",
      ...Object.fromEntries(schemes.map(({ scheme, colors }) => [scheme, colorGroup(colors, { scheme, notation })])),
    },
    ...baseTree(kit, notation),
  };
}

/** What is the same in both schemes. */
function baseTree(kit: BrandKitBody, notation: Notation): Group {
  const { fonts } = readTokens(kit);
  const { measures, shadows } = designTokens(kit.design);
  const groups = Map.groupBy(measures, ({ group }) => group);
  return {
    font: Object.fromEntries(fonts.map((font) => [tokenName(font.role), fontGroup(font)])),
    ...Object.fromEntries(
      [...groups].map(([group, own]) => {
        const values = own.map(({ name, pixels }) => [name, { $value: notation.length(pixels) }]);
        return [group, { $type: "dimension", ...Object.fromEntries(values) }];
      }),
    ),
    ...(shadows.length === 0 ? {} : { shadow: shadowGroup(shadows, notation) }),
  };
}

function shadowGroup(shadows: readonly ShadowToken[], { color, length }: Notation): Group {
  const values = shadows.map(({ name, hex, offsetX, offsetY, blur, spread }) => {
    const written = Object.entries({ offsetX, offsetY, blur, spread }).map(([key, pixels]) => [key, length(pixels)]);
    const $value = { color: color({ role: name, hex, derivedFrom: undefined }), ...Object.fromEntries(written) };
    return [name, { $value }];
  });
  return { $type: "shadow", ...Object.fromEntries(values) };
}

function colorGroup(
  colors: readonly ColorToken[],
  { scheme, notation }: { readonly scheme: string | undefined; readonly notation: Notation },
): Group {
  return Object.fromEntries(
    colors.map((token) => {
      const path = ["color", scheme, tokenName(token.derivedFrom ?? "")].filter((part) => part !== undefined).join(".");
      const note = token.derivedFrom === undefined ? {} : { $extensions: { [EXTENSION]: { derivedFrom: path } } };
      return [tokenName(token.role), { $value: notation.color(token), ...note }];
    }),
  );
}

function colorValue(hex: string): unknown {
  const color = toRgb(hex);
  const round = (channel: number | undefined): number => Math.round((channel ?? 0) * 10_000) / 10_000;
  return {
    colorSpace: "srgb",
    components: [round(color?.r), round(color?.g), round(color?.b)],
    alpha: color?.alpha === undefined ? 1 : round(color.alpha),
    // The format's fallback has six digits; alpha is a separate field.
    hex: hex.slice(0, 7),
  };
}

function fontGroup(font: FontToken): unknown {
  const families = fontStack(font)
    .split(", ")
    .map((family) => family.replaceAll('"', ""));
  const weights = font.weights.map((weight) => [String(weight), { $type: "fontWeight", $value: weight }]);
  return {
    family: { $type: "fontFamily", $value: families },
    ...(weights.length === 0 ? {} : { weight: Object.fromEntries(weights) }),
  };
}
