import * as z from "zod";
import { count } from "./fields.ts";

export const brandColorSchema = z.lazy(() =>
  z.object({
    role: z.string().min(1).max(60).describe("Such as `text` or `dark-text`."),
    hex: z.string().regex(/^#[0-9a-f]{6}(?:[0-9a-f]{2})?$/),
    name: z.string().max(120).nullish(),
  }),
);

export const brandFontSchema = z.lazy(() =>
  z.object({
    family: z.string().min(1).max(120),
    role: z.string().min(1).max(60),
    weights: z.array(z.int().min(1).max(1000)).max(20).nullish(),
    source: z.string().max(60).nullish(),
    url: z.string().max(2048).nullish(),
    fallback: z
      .array(z.string().min(1).max(120))
      .max(20)
      .nullish()
      .describe("Families to show where the font is missing."),
  }),
);

export const brandLogoSchema = z.lazy(() =>
  z.object({
    kind: z.string().min(1).max(60),
    url: z.string().max(2048),
    contentType: z.string().max(120).nullish(),
    width: count.nullish(),
    height: count.nullish(),
    background: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i)
      .nullish()
      .describe("Background color behind the logo on the site."),
  }),
);

const frameText = (max: number) => z.string().max(max);

export const brandFrameSchema = z.lazy(() =>
  z.object({
    header: frameText(70_000).describe(
      "HTML of the header with its navigation. Scripts and anything that loads resources are removed when it is shown.",
    ),
    footer: frameText(70_000).describe("HTML of the footer."),
    css: frameText(130_000).describe("Styles of both, for a shadow tree."),
    fonts: frameText(20_000).describe("The `@font-face` rules that they use."),
  }),
);

export type BrandFrame = z.infer<typeof brandFrameSchema>;
export type BrandColor = z.infer<typeof brandColorSchema>;
export type BrandFont = z.infer<typeof brandFontSchema>;
export type BrandLogo = z.infer<typeof brandLogoSchema>;
