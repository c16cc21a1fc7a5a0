import type { Element } from "domhandler";
import type { Rgb } from "culori";
import { createBudget } from "../budget.ts";
import { composite } from "../color/contrast.ts";
import { parseColor } from "../color/css-color.ts";
import type { SchemeName } from "../findings.ts";
import { parentOf } from "../page/document.ts";
import type { Cascade, DeclaredStyle, SlotValue } from "./cascade.ts";
import { parseBorderColor, parseBackgroundColor, parseFontShorthand, parseGradientColor } from "./shorthand.ts";
import type { SlotName } from "./slots.ts";
import { substituteVariables } from "./variables.ts";
import type { CustomProperties } from "./variables.ts";

/** Steps that replacing variables may take for a page. */
const VARIABLE_STEPS = 2_000_000;

/** How an element looks, as far as colors and fonts go. */
export interface ComputedStyle {
  /** Color of text, over whatever is behind it. */
  readonly color: Rgb;
  /** What the element's own background paints; `undefined` when nothing. A gradient counts by its first color. */
  readonly background: Rgb | undefined;
  readonly hasGradient: boolean;
  /** What is behind the element's text: all backgrounds up to the canvas together, opaque. */
  readonly surface: Rgb;
  readonly borderColor: Rgb | undefined;
  readonly accentColor: Rgb | undefined;
  readonly fill: Rgb | undefined;
  /** The `font-family` list with variables replaced. */
  readonly fontFamily: string;
  readonly fontWeight: number;
  readonly isHidden: boolean;
  /** The scheme in which the browser's own colors are shown here. */
  readonly usedScheme: SchemeName;
  readonly custom: CustomProperties;
}

export interface Styler {
  styleOf(element: Element): ComputedStyle;
  /** Values that should be colors and can't be read, by property. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** Computes styles of elements on demand and remembers them. */
export function createStyler(cascade: Cascade, initialValues: ReadonlyMap<string, string>): Styler {
  const known = new Map<Element, ComputedStyle>();
  const unreadable = new Map<string, string>();
  const budget = createBudget(VARIABLE_STEPS);
  const root = rootStyle(initialValues);

  function compute(element: Element, parent: ComputedStyle): ComputedStyle {
    const declared = cascade.declaredStyle(element);
    const custom = inheritCustom(declared.custom, parent.custom);
    const resolve = (value: string): string | undefined => substituteVariables(value, custom, budget);
    const isRoot = parent === root;
    return computeStyle(declared, { parent, isRoot, custom, resolve, scheme: cascade.scheme, unreadable });
  }

  return {
    unreadable,
    styleOf(element) {
      const chain: Element[] = [];
      for (let current: Element | undefined = element; current !== undefined && !known.has(current); current = parentOf(current)) {
        chain.push(current);
      }
      for (const current of chain.toReversed()) {
        const parent = parentOf(current);
        known.set(current, compute(current, (parent === undefined ? undefined : known.get(parent)) ?? root));
      }
      return known.get(element) ?? root;
    },
  };
}

const BLACK: Rgb = { mode: "rgb", r: 0, g: 0, b: 0 };
const WHITE: Rgb = { mode: "rgb", r: 1, g: 1, b: 1 };

function rootStyle(initialValues: ReadonlyMap<string, string>): ComputedStyle {
  return {
    color: BLACK,
    background: undefined,
    hasGradient: false,
    borderColor: undefined,
    surface: WHITE,
    accentColor: undefined,
    fill: undefined,
    fontFamily: "-imprint-default",
    fontWeight: 400,
    isHidden: false,
    usedScheme: "light",
    custom: { find: (name) => initialValues.get(name) },
  };
}

function inheritCustom(own: ReadonlyMap<string, string>, parent: CustomProperties): CustomProperties {
  if (own.size === 0) return parent;
  return {
    find(name) {
      const value = own.get(name);
      return value === undefined || /^(?:inherit|unset|revert|revert-layer)$/i.test(value) ? parent.find(name) : value;
    },
  };
}

interface ComputeContext {
  readonly parent: ComputedStyle;
  readonly isRoot: boolean;
  readonly custom: CustomProperties;
  readonly resolve: (value: string) => string | undefined;
  readonly scheme: SchemeName;
  readonly unreadable: Map<string, string>;
}

function computeStyle(declared: DeclaredStyle, context: ComputeContext): ComputedStyle {
  const { parent, custom, resolve } = context;
  const text = (slot: SlotName): string | undefined => firstUsable(declared.slots.get(slot), resolve);
  const usedScheme = computeScheme(text("color-scheme"), context);
  // The canvas has the scheme of the root element, whatever schemes there are inside.
  const canvas = context.isRoot ? parseColor("Canvas", { scheme: usedScheme }) : undefined;
  const colorOf = createColorReader(declared, { ...context, usedScheme });

  const ownColor = colorOf("color", parent.color, parseColor);
  const currentColor = ownColor === "inherit" || ownColor === undefined ? parent.color : ownColor;
  const plain = ownKnown(colorOf("background-color", currentColor, parseBackgroundColor));
  const gradient = ownKnown(colorOf("background-image", currentColor, parseGradientColor));
  const background = plain !== undefined && (plain.alpha ?? 1) > 0 ? plain : gradient;
  const below = canvas ?? parent.surface;
  const surface = background === undefined ? below : composite(background, below);
  const fill = colorOf("fill", currentColor, parseColor);
  const accent = colorOf("accent-color", currentColor, parseColor);
  return {
    color: composite(currentColor, surface),
    background,
    hasGradient: gradient !== undefined,
    surface,
    borderColor: ownKnown(colorOf("border-color", currentColor, parseBorderColor)),
    accentColor: ownKnown(accent) ?? parent.accentColor,
    fill: ownKnown(fill) ?? parent.fill,
    fontFamily: computeFamily(declared, context),
    fontWeight: computeWeight(declared, context),
    isHidden: parent.isHidden || text("display") === "none" || text("visibility") === "hidden",
    usedScheme,
    custom,
  };
}

function firstUsable(values: readonly SlotValue[] | undefined, resolve: (value: string) => string | undefined): string | undefined {
  const value = values?.[0]?.value;
  return value === undefined ? undefined : resolve(value)?.trim().toLowerCase();
}

function computeScheme(value: string | undefined, { parent, scheme }: ComputeContext): SchemeName {
  if (value === undefined) return parent.usedScheme;
  const hasLight = /\blight\b/.test(value);
  const hasDark = /\bdark\b/.test(value);
  if (hasLight && hasDark) return scheme;
  return hasDark ? "dark" : "light";
}

type ReadColor = (
  slot: SlotName,
  currentColor: Rgb,
  parse: (text: string, context: { readonly scheme: SchemeName; readonly currentColor: Rgb }) => Rgb | undefined,
) => Rgb | "inherit" | undefined;

/** The first declared value that a browser would take. A value with variables counts even if it turns out invalid. */
function createColorReader(
  declared: DeclaredStyle,
  { resolve, unreadable, usedScheme }: ComputeContext & { readonly usedScheme: SchemeName },
): ReadColor {
  return (slot, currentColor, parse) => {
    for (const { property, value } of declared.slots.get(slot) ?? []) {
      const hasVariables = /var\(/i.test(value);
      const resolved = resolve(value)?.trim();
      if (resolved === undefined) return undefined;
      if (/^(?:inherit|unset|revert|revert-layer)$/i.test(resolved)) return "inherit";
      if (/^(?:initial|none|auto)$/i.test(resolved)) return undefined;
      const color = parse(resolved, { scheme: usedScheme, currentColor });
      if (color !== undefined) return color;
      if (looksLikeColor(property, resolved)) unreadable.set(`${property}: ${value}`, resolved);
      if (hasVariables) return undefined;
    }
    return undefined;
  };
}

function looksLikeColor(property: string, value: string): boolean {
  const isLonghand = property === "color" || property.endsWith("-color") || property === "fill";
  return isLonghand && /^#|\(/.test(value) && !/\burl\(|env\(|attr\(/.test(value);
}

function ownKnown(color: Rgb | "inherit" | undefined): Rgb | undefined {
  return color === "inherit" ? undefined : color;
}

function computeFamily(declared: DeclaredStyle, { parent, resolve }: ComputeContext): string {
  for (const { property, value } of declared.slots.get("font-family") ?? []) {
    const resolved = resolve(value)?.trim();
    if (resolved === undefined || /^(?:inherit|unset|initial|revert|revert-layer)$/i.test(resolved)) return parent.fontFamily;
    const family = property === "font" ? parseFontShorthand(resolved)?.family : resolved;
    if (family !== undefined && family !== "") return family;
  }
  return parent.fontFamily;
}

function computeWeight(declared: DeclaredStyle, { parent, resolve }: ComputeContext): number {
  for (const { property, value } of declared.slots.get("font-weight") ?? []) {
    const resolved = resolve(value)?.trim().toLowerCase();
    if (resolved === undefined || /^(?:inherit|unset)$/.test(resolved)) return parent.fontWeight;
    const weight = property === "font" ? parseFontShorthand(resolved)?.weight : resolved;
    if (weight === undefined && property === "font") return 400;
    if (weight === "normal") return 400;
    if (weight === "bold") return 700;
    if (weight === "bolder") return parent.fontWeight < 600 ? 700 : 900;
    if (weight === "lighter") return parent.fontWeight < 600 ? 100 : 400;
    const number = Number(weight);
    if (number >= 1 && number <= 1000) return Math.round(number);
  }
  return parent.fontWeight;
}
