import type { BrandFrame } from "../../contract/brand-parts.ts";

/** Applies a function to each text of a frame. */
export function mapFrame({ header, footer, css, fonts }: BrandFrame, change: (text: string) => string): BrandFrame {
  return { header: change(header), footer: change(footer), css: change(css), fonts: change(fonts) };
}
