import * as z from "zod";

// Created lazily, as runs without a brand kit don't need it.
export const brandDesignSchema = z.lazy(() => {
  const hex = z.string().regex(/^#[0-9a-f]{6}$/i);
  const pixels = z.number().min(0).max(10_000);
  const shape = z.object({
    radius: pixels.describe("Corner radius in CSS pixels; 9999 for round ends."),
    borderWidth: pixels,
    paddingBlock: pixels,
    paddingInline: pixels,
    shadow: z.string().max(300).nullish(),
  });
  const surface = z.object({
    part: z.enum(["header", "footer", "button", "card"]),
    scheme: z.enum(["light", "dark"]),
    background: hex,
    text: hex,
    border: hex.nullish(),
  });
  const ground = surface.omit({ part: true, text: true });
  const wrapper = shape.extend({
    width: pixels.describe("In CSS pixels."),
    grounds: z
      .array(ground)
      .max(2)
      .describe("Background around it in each scheme; `border` is the color of its own border."),
  });
  return z.object({
    scheme: z
      .enum(["light", "dark"])
      .nullish()
      .describe("The scheme that visitors get whatever their system prefers, if the site has both schemes."),
    surfaces: z.array(surface).max(20).describe("Colors of the parts of a page in each scheme."),
    button: shape.nullish(),
    card: shape.nullish(),
    wrapper: wrapper.nullish().describe("The box around the whole page, if it has another background color outside."),
    textWidth: pixels.nullish().describe("Width of body text in CSS pixels."),
    textSize: pixels.nullish().describe("Size of body text in CSS pixels."),
    headingWeight: z.int().min(1).max(1000).nullish().describe("Font weight of headings."),
    headingSizes: z.array(pixels).max(6).describe("Sizes of headings from the first level down, in CSS pixels."),
  });
});

export type BrandDesign = z.infer<typeof brandDesignSchema>;
export type BrandShape = NonNullable<BrandDesign["button"]>;
