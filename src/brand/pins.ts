import type { BrandKitBody } from "../contract/operations/content.ts";
import { contrastOf, READABLE_CONTRAST } from "./color/contrast.ts";

/** A pinned color that makes text hard to read. */
export interface UnreadablePin {
  /** Role of the text in the kit. */
  readonly role: string;
  readonly hex: string;
  readonly background: string;
  readonly contrast: number;
}

/** Finds pairs of text and background with a pinned color and insufficient contrast (below 4.5:1). */
export function findUnreadablePins(
  { colors = [] }: Pick<BrandKitBody, "colors">,
  pinned: Readonly<Record<string, string>>,
): readonly UnreadablePin[] {
  const hexOf = (role: string) => colors.find((color) => color.role === role)?.hex;
  return ["", "dark-", "light-"].flatMap((prefix) => {
    const background = hexOf(`${prefix}background`);
    if (background === undefined) return [];
    return ["text", "heading", "link"].flatMap((name): UnreadablePin[] => {
      const role = prefix + name;
      const hex = hexOf(role);
      const isPinned = role in pinned || `${prefix}background` in pinned;
      const contrast = hex === undefined ? READABLE_CONTRAST : contrastOf(hex, background);
      if (hex === undefined || !isPinned || contrast >= READABLE_CONTRAST) return [];
      return [{ role, hex, background, contrast }];
    });
  });
}
