import type { Rgb } from "culori";
import { isTag, type Element } from "domhandler";
import { createBudget } from "../budget.ts";
import { composite, differenceOf } from "../color/contrast.ts";
import { parseColor } from "../color/css-color.ts";
import { parentOf } from "../document.ts";
import type { SchemeName } from "../findings.ts";
import { computeBox, EMPTY_BOX, type Box } from "./box.ts";
import type { Cascade, DeclaredStyle, SlotValue } from "./cascade.ts";
import type { SlotName } from "./slots.ts";
import { findCssAddresses } from "../../html/css-addresses.ts";
import { computeFamily, computeSize, computeWeight } from "./computed-font.ts";
import {
  parseBackgroundColor,
  parseBorderColor,
  parseGradient,
  sampleGradient,
  substituteVariables,
  type Gradient,
  type CustomProperties,
} from "./values.ts";

/** Maximum number of steps for replacing variables on a page. */
const VARIABLE_STEPS = 20_000;

export interface ComputedStyle {
  /** Text color, composited over its background. */
  readonly color: Rgb;
  /** The element's own background color; `undefined` if none or transparent. For a gradient, its predominant color. */
  readonly background: Rgb | undefined;
  readonly gradient: Gradient | undefined;
  /** Addresses of the element's background images, absolute except for those in a `style` attribute. */
  readonly pictures: readonly string[];
  /** The same for mask images. */
  readonly masks: readonly string[];
  /** The background behind the element's text: all backgrounds down to the canvas combined, opaque. */
  readonly surface: Rgb;
  readonly borderColor: Rgb | undefined;
  readonly accentColor: Rgb | undefined;
  readonly fill: Rgb | undefined;
  /** The `font-family` list with variables replaced. */
  readonly fontFamily: string;
  readonly fontWeight: number;
  /** In CSS pixels. */
  readonly fontSize: number;
  /** Computed on demand. */
  readonly box: Box;
  readonly isHidden: boolean;
  /** Whether it lays out its children in a flexible column. */
  readonly isColumn: boolean;
  /** Whether it takes no space in the layout (absolute or fixed position). */
  readonly isOverlay: boolean;
  /** Whether it stays in the window while the page is scrolled. */
  readonly isFixed: boolean;
  /** Whether it or an element around it is a container whose size rules can ask about. */
  readonly isInContainer: boolean;
  /** The scheme of the browser's own colors here. */
  readonly usedScheme: SchemeName;
  readonly custom: CustomProperties;
}

export interface Styler {
  styleOf(element: Element): ComputedStyle;
  /** What couldn't be read, and why. */
  problems(): ReadonlyMap<string, string>;
}

/** Styles of elements below one with a given style, by likeness: most of a site looks like what was already styled. */
const stylesBelow = new WeakMap<ComputedStyle, Map<string, ComputedStyle>>();

/**
 * Creates a styler that computes styles on demand and caches them, for all pages that start from the same root style.
 */
export function createStyler(cascade: Cascade, root: ComputedStyle): Styler {
  const known = new Map<Element, ComputedStyle>();
  const unreadable = new Map<string, string>();
  const budget = createBudget(VARIABLE_STEPS);
  let rootFontSize = 16;

  function compute(
    element: Element,
    parent: ComputedStyle,
    findBehind: (element: Element) => Rgb | undefined = () => undefined,
  ): ComputedStyle {
    const declared = cascade.declaredStyle(element, parent);
    const custom = inheritCustom(declared.custom, parent.custom);
    const resolve = (value: string): string | undefined => substituteVariables(value, custom, budget);
    const { scheme } = cascade;
    const context = { parent, isRoot: parent === root, custom, resolve, scheme, unreadable, rootFontSize };
    return computeStyle(declared, { ...context, behind: () => findBehind(element) });
  }

  function styleBelow(parent: ComputedStyle, element: Element): ComputedStyle {
    const likeness = cascade.likenessOf(element);
    const alike = stylesBelow.get(parent) ?? new Map<string, ComputedStyle>();
    stylesBelow.set(parent, alike);
    const style = alike.get(likeness) ?? compute(element, parent, findBehind);
    // An overlay's style depends on what is behind it, and once the budgets are spent, the rest has no style.
    if (!style.isOverlay && !budget.isSpent() && !cascade.isSpent()) alike.set(likeness, style);
    if (parent === root) rootFontSize = style.fontSize;
    return style;
  }

  /** Finds the background behind an overlay: the next element, or the first one in it. */
  function findBehind(element: Element): Rgb | undefined {
    let around = known.get(parentOf(element) ?? element);
    let next = nextOf(element);
    for (let depth = 0; next !== undefined && around !== undefined && depth < DEEPEST_BEHIND; depth += 1) {
      around = compute(next, around);
      if (around.background !== undefined) return around.surface;
      next = next.children.find(isTag);
    }
    return undefined;
  }

  return {
    problems: () => {
      const texts = [...unreadable].map(([subject, value]): [string, string] => [
        subject.slice(0, 200),
        `"${value.slice(0, 200)}" could not be parsed as a color.`,
      ]);
      if (budget.isSpent())
        texts.push(["custom properties", "They refer to each other too often; not all could be read."]);
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
        known.set(current, styleBelow((parent && known.get(parent)) ?? root, current));
      }
      return known.get(element) ?? root;
    },
  };
}

const DEEPEST_BEHIND = 3;

function nextOf(element: Element): Element | undefined {
  let next = element.next;
  while (next !== null && !isTag(next)) next = next.next;
  return next ?? undefined;
}

const BLACK: Rgb = { mode: "rgb", r: 0, g: 0, b: 0 };
const WHITE: Rgb = { mode: "rgb", r: 1, g: 1, b: 1 };

/** Creates the style that the root element inherits, `custom` has the initial values of registered properties. */
export function createRootStyle(custom: CustomProperties): ComputedStyle {
  return {
    color: BLACK,
    background: undefined,
    gradient: undefined,
    pictures: [],
    masks: [],
    borderColor: undefined,
    surface: WHITE,
    accentColor: undefined,
    fill: undefined,
    fontFamily: "-imprint-default",
    fontWeight: 400,
    fontSize: 16,
    box: EMPTY_BOX,
    isHidden: false,
    isColumn: false,
    isOverlay: false,
    isFixed: false,
    isInContainer: false,
    usedScheme: "light",
    custom,
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
  readonly rootFontSize: number;
  /** Finds what is behind the element if it is an overlay. */
  readonly behind: () => Rgb | undefined;
}

function computeStyle({ slots }: DeclaredStyle, context: ComputeContext): ComputedStyle {
  const { parent, custom, resolve, unreadable } = context;
  const valuesOf = (slot: SlotName): readonly SlotValue[] => slots.get(slot) ?? [];
  const textOf = (slot: SlotName): string | undefined => {
    const [first] = valuesOf(slot);
    return first && resolve(first.value)?.trim().toLowerCase();
  };
  const usedScheme = computeScheme(textOf("color-scheme"), context);
  // The canvas has the scheme of the root element, regardless of those inside.
  const canvas = context.isRoot ? parseColor("Canvas", { scheme: usedScheme }) : undefined;
  const colorOf = (slot: SlotName, currentColor: Rgb, parse: typeof parseColor): Rgb | undefined =>
    computeColor(valuesOf(slot), {
      resolve,
      unreadable,
      parse: (text) => parse(text, { scheme: usedScheme, currentColor }),
    });

  const color = colorOf("color", parent.color, parseColor) ?? parent.color;
  const plain = colorOf("background-color", color, parseBackgroundColor);
  const image = textOf("background-image") ?? "";
  const gradient = image.includes("gradient(")
    ? parseGradient(image, { scheme: usedScheme, currentColor: color })
    : undefined;
  const isPainted = plain !== undefined && (plain.alpha ?? 1) > 0;
  const background = isPainted ? plain : gradient && mostOf(gradient);
  const isOverlay = /^(?:absolute|fixed)$/.test(textOf("position") ?? "");
  const below = canvas ?? (isOverlay ? context.behind() : undefined) ?? parent.surface;
  const fontSize = computeSize(valuesOf("font-size"), context);
  const surface = background === undefined ? below : composite(background, below);
  let box: Box | undefined;
  return {
    color: composite(color, surface),
    background,
    gradient,
    pictures: picturesOf(valuesOf("background-image"), resolve),
    masks: picturesOf(valuesOf("mask-image"), resolve),
    surface,
    borderColor: colorOf("border-color", color, parseBorderColor),
    accentColor: colorOf("accent-color", color, parseColor) ?? parent.accentColor,
    fill: colorOf("fill", color, parseColor) ?? parent.fill,
    fontFamily: computeFamily(valuesOf("font-family"), context),
    fontWeight: computeWeight(valuesOf("font-weight"), context),
    fontSize,
    get box() {
      return (box ??= computeBox({ valuesOf, resolve, em: fontSize, rem: context.rootFontSize }));
    },
    isOverlay,
    isFixed: textOf("position") === "fixed",
    isInContainer: parent.isInContainer || /\b(?:inline-)?size\b/.test(textOf("container-type") ?? ""),
    isHidden: parent.isHidden || textOf("display") === "none" || textOf("visibility") === "hidden",
    isColumn: textOf("display") === "flex" && /\bcolumn\b/.test(textOf("flex-direction") ?? ""),
    usedScheme,
    custom,
  };
}

/** Colors closer than this look the same. */
const SAME_COLOR = 4;

/** The predominant color of a gradient, or else the one in the middle. */
function mostOf(gradient: Gradient): Rgb | undefined {
  const samples = sampleGradient(gradient);
  const likes = samples.map((color) => samples.filter((other) => differenceOf(color, other) < SAME_COLOR).length);
  const most = Math.max(...likes);
  return samples[most * 2 > samples.length ? likes.indexOf(most) : Math.floor(samples.length / 2)];
}

function picturesOf(values: readonly SlotValue[], resolve: ComputeContext["resolve"]): readonly string[] {
  const [first] = values;
  if (first === undefined || !/url\(|var\(/i.test(first.value)) return [];
  return findCssAddresses(resolve(first.value) ?? "").flatMap(({ kind, address }) => (kind === "url" ? [address] : []));
}

function computeScheme(value: string | undefined, { parent, scheme }: ComputeContext): SchemeName {
  if (value === undefined) return parent.usedScheme;
  const hasLight = /\blight\b/.test(value);
  const hasDark = /\bdark\b/.test(value);
  if (hasLight && hasDark) return scheme;
  return hasDark ? "dark" : "light";
}

interface ColorReading extends Pick<ComputeContext, "resolve" | "unreadable"> {
  readonly parse: (text: string) => Rgb | undefined;
}

/**
 * Returns the first declared value that a browser would accept. A value with variables counts even if it turns out to
 * be invalid.
 */
function computeColor(values: readonly SlotValue[], { resolve, unreadable, parse }: ColorReading): Rgb | undefined {
  for (const { property, value } of values) {
    const resolved = resolve(value)?.trim();
    // Callers don't distinguish inherited values from undeclared ones.
    if (resolved === undefined || /^(?:inherit|unset|revert|revert-layer|initial|none|auto)$/i.test(resolved)) {
      return undefined;
    }
    const color = parse(resolved);
    if (color !== undefined) return color;
    if (looksLikeColor(property, resolved)) unreadable.set(`${property}: ${value}`, resolved);
    if (/var\(/i.test(value)) return undefined;
  }
  return undefined;
}

function looksLikeColor(property: string, value: string): boolean {
  const isLonghand = property === "color" || property.endsWith("-color") || property === "fill";
  return isLonghand && /^#|\(/.test(value) && !/\burl\(|env\(|attr\(/.test(value);
}
