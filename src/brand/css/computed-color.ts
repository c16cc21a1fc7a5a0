import type { Rgb } from "culori";
import type { SchemeName } from "../findings.ts";
import type { DeclaredStyle } from "./cascade.ts";
import type { SlotName } from "./slots.ts";

/** The color of a slot; `inherit` when the element takes it over, `undefined` when it has none. */
export type ReadColor = (
  slot: SlotName,
  currentColor: Rgb,
  parse: (text: string, context: { readonly scheme: SchemeName; readonly currentColor: Rgb }) => Rgb | undefined,
) => Rgb | "inherit" | undefined;

export interface ColorReading {
  readonly resolve: (value: string) => string | undefined;
  readonly unreadable: Map<string, string>;
  readonly usedScheme: SchemeName;
}

/** The first declared value that a browser would take. A value with variables counts even if it turns out invalid. */
export function createColorReader(
  declared: DeclaredStyle,
  { resolve, unreadable, usedScheme }: ColorReading,
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

export function ownKnown(color: Rgb | "inherit" | undefined): Rgb | undefined {
  return color === "inherit" ? undefined : color;
}
