import { isFamilyList } from "../font/family-name.ts";
import type { SlotValue } from "./cascade.ts";
import { parseLength } from "./lengths.ts";
import { parseFontShorthand } from "./values.ts";

/** What the font of an element depends on besides its own declarations. */
interface FontContext {
  readonly parent: { readonly fontFamily: string; readonly fontWeight: number; readonly fontSize: number };
  readonly isRoot: boolean;
  readonly rootFontSize: number;
  readonly resolve: (value: string) => string | undefined;
}

const SIZE_WORDS: ReadonlyMap<string, number> = new Map([
  ["xx-small", 9],
  ["x-small", 10],
  ["small", 13],
  ["medium", 16],
  ["large", 18],
  ["x-large", 24],
  ["xx-large", 32],
]);

export function computeSize(
  values: readonly SlotValue[],
  { parent, resolve, isRoot, rootFontSize }: FontContext,
): number {
  const around = parent.fontSize;
  for (const { property, value } of values) {
    const resolved = resolve(value)?.trim().toLowerCase();
    if (resolved === undefined || /^(?:inherit|unset)$/.test(resolved)) break;
    const size = property === "font" ? (parseFontShorthand(resolved)?.size ?? "medium") : resolved;
    if (size === "smaller" || size === "larger") return size === "smaller" ? around / 1.2 : around * 1.2;
    const px =
      SIZE_WORDS.get(size) ?? parseLength(size, { em: around, rem: isRoot ? 16 : rootFontSize, whole: around });
    if (px !== undefined && px >= 0) return px;
  }
  return around;
}

export function computeFamily(values: readonly SlotValue[], { parent, resolve }: FontContext): string {
  for (const { property, value } of values) {
    const resolved = resolve(value)?.trim();
    if (resolved === undefined || /^(?:inherit|unset|initial|revert|revert-layer)$/i.test(resolved)) break;
    const family = property === "font" ? parseFontShorthand(resolved)?.family : resolved;
    if (family !== undefined && isFamilyList(family)) return family;
    if (/var\(/i.test(value)) break;
  }
  return parent.fontFamily;
}

export function computeWeight(values: readonly SlotValue[], { parent, resolve }: FontContext): number {
  for (const { property, value } of values) {
    const resolved = resolve(value)?.trim().toLowerCase();
    if (resolved === undefined || /^(?:inherit|unset)$/.test(resolved)) break;
    const weight = property === "font" ? (parseFontShorthand(resolved)?.weight ?? "normal") : resolved;
    if (weight === "normal") return 400;
    if (weight === "bold") return 700;
    if (weight === "bolder") return parent.fontWeight < 600 ? 700 : 900;
    if (weight === "lighter") return parent.fontWeight < 600 ? 100 : 400;
    const number = Number(weight);
    if (number >= 1 && number <= 1000) return Math.round(number);
  }
  return parent.fontWeight;
}
