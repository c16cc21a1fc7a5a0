import type { BrandKit } from "../../../store/brand-kits.ts";

const MAX_SHOWN = 8;

/** The first colors of a kit side by side. */
export function Swatches({ colors }: Pick<BrandKit, "colors">) {
  const shown = colors.slice(0, MAX_SHOWN);
  if (shown.length === 0) return <div class="swatches none">No colors</div>;
  return (
    <svg class="swatches" viewBox={`0 0 ${shown.length} 1`} preserveAspectRatio="none" aria-hidden="true">
      {shown.map(({ hex }, index) => (
        <rect x={index} y="0" width="1.01" height="1" fill={hex} />
      ))}
    </svg>
  );
}
