import type { Element } from "domhandler";
import type { Rgb } from "culori";
import { createBudget } from "../budget.ts";
import { composite } from "../color/contrast.ts";
import { parseColor } from "../color/css-color.ts";
import type { SchemeName } from "../findings.ts";
import { parentOf } from "../page/document.ts";
import { createColorReader, ownKnown } from "./computed-color.ts";
import { computeFamily, computeWeight } from "./computed-font.ts";
import type { Cascade, DeclaredStyle, SlotValue } from "./cascade.ts";
import { parseBorderColor, parseBackgroundColor, parseGradientColor } from "./shorthand.ts";
import type { SlotName } from "./slots.ts";
import { substituteVariables, type CustomProperties } from "./variables.ts";

/** Steps that replacing variables may take for a page. */
const VARIABLE_STEPS = 20_000;

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
  /** What could not be read, and why. */
  problems(): ReadonlyMap<string, string>;
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
    problems: () => {
      const texts = [...unreadable].map(([subject, value]): [string, string] => [
        subject.slice(0, 200),
        `"${value.slice(0, 200)}" could not be read as a color.`,
      ]);
      if (budget.isSpent()) texts.push(["custom properties", "They name each other too often: not all could be read."]);
      return new Map(texts);
    },
    styleOf(element) {
      const chain: Element[] = [];
      for (
        let current: Element | undefined = element;
        current !== undefined && !known.has(current);
        current = parentOf(current)
      ) {
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

function firstUsable(
  values: readonly SlotValue[] | undefined,
  resolve: (value: string) => string | undefined,
): string | undefined {
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
