import type { DeclaredStyle } from "./cascade.ts";
import { parseFontShorthand } from "./shorthand.ts";

/** What an element's font depends on. */
export interface FontContext {
  readonly parent: { readonly fontFamily: string; readonly fontWeight: number };
  readonly resolve: (value: string) => string | undefined;
}

export function computeFamily(declared: DeclaredStyle, { parent, resolve }: FontContext): string {
  for (const { property, value } of declared.slots.get("font-family") ?? []) {
    const resolved = resolve(value)?.trim();
    if (resolved === undefined || /^(?:inherit|unset|initial|revert|revert-layer)$/i.test(resolved))
      return parent.fontFamily;
    const family = property === "font" ? parseFontShorthand(resolved)?.family : resolved;
    if (family !== undefined && family !== "") return family;
  }
  return parent.fontFamily;
}

export function computeWeight(declared: DeclaredStyle, { parent, resolve }: FontContext): number {
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
