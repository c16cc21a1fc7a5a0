import type { BrandFrame } from "../../contract/brand-parts.ts";

export function mapFrame({ header, footer, css, fonts }: BrandFrame, change: (text: string) => string): BrandFrame {
  return { header: change(header), footer: change(footer), css: change(css), fonts: change(fonts) };
}
