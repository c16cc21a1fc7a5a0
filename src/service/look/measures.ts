import type { InMemory } from "../../contract/fields.ts";
import type { BrandDesign, BrandShape } from "../../contract/brand-design.ts";

/** Bounds for a site's measures, in CSS pixels: others were made for a different purpose. */
const BOUNDS = {
  radius: [0, 999],
  paddingBlock: [5, 20],
  paddingInline: [10, 40],
  textWidth: [480, 960],
  textSize: [15, 21],
  heading: [20, 64],
  wrapperWidth: [600, 1800],
} as const satisfies Record<string, readonly [number, number]>;

/** Renders a design's measures as custom properties for the page styles; empty if unknown. */
export function renderMeasures(design: InMemory<BrandDesign> | null): string {
  if (design === null) return "";
  const { button, card, textWidth, textSize, headingSizes, wrapper } = design;
  const [h1, h2] = headingSizes;
  const values: readonly (readonly [string, string | undefined])[] = [
    ["button-radius", button ? within(button.radius, "radius") : undefined],
    ["button-padding", button ? paddingOf(button) : undefined],
    ["radius", card ? within(card.radius, "radius") : undefined],
    ["text-width", textWidth === null || textWidth === undefined ? undefined : within(textWidth, "textWidth")],
    ["text-size", textSize === null || textSize === undefined ? undefined : within(textSize, "textSize")],
    ["h1", h1 === undefined ? undefined : within(h1, "heading")],
    ["h2", h2 === undefined ? undefined : within(h2, "heading")],
    ...wrapperMeasures(wrapper),
  ];
  const known = values.flatMap(([name, value]) => (typeof value === "string" ? [`--${name}: ${value}`] : []));
  return known.length === 0 ? "" : `:root { ${known.join("; ")} }\n`;
}

const PLAIN_SHADOW = /^[\w\s.,%()#/-]{1,300}$/;

/** The container of a site's pages. One with visible edges keeps a distance from the window's edge. */
function wrapperMeasures(
  wrapper: InMemory<BrandDesign>["wrapper"],
): readonly (readonly [string, string | undefined])[] {
  if (wrapper === null || wrapper === undefined || wrapper.grounds.length === 0) return [];
  const { width, radius, borderWidth, shadow } = wrapper;
  const line = borderWidth > 0 ? [`0 0 0 ${Math.min(4, borderWidth)}px var(--wrapper-line, transparent)`] : [];
  const shadows = [...line, ...(shadow && PLAIN_SHADOW.test(shadow) ? [shadow] : [])];
  const hasEdge = shadows.length > 0 || radius > 0;
  return [
    ["wrapper-width", within(width, "wrapperWidth")],
    ["wrapper-shadow", shadows.length === 0 ? undefined : shadows.join(", ")],
    ["wrapper-radius", radius > 0 ? `${Math.min(24, radius)}px` : undefined],
    ["wrapper-margin", hasEdge ? "clamp(0px, (100vw - 40rem) * 99, 1.5rem)" : undefined],
  ];
}

function paddingOf({ paddingBlock, paddingInline }: BrandShape): string {
  return `${within(paddingBlock, "paddingBlock")} ${within(paddingInline, "paddingInline")}`;
}

function within(pixels: number, measure: keyof typeof BOUNDS): string {
  const [least, most] = BOUNDS[measure];
  return `${Math.min(most, Math.max(least, pixels)) / 16}rem`;
}
