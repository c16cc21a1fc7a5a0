import * as z from "zod";

// Made with the first one that is read: runs without a brand kit need none of it.
export const brandDesignSchema = z.lazy(() => {
  const hex = z.string().regex(/^#[0-9a-f]{6}$/i);
  const pixels = z.number().min(0).max(10_000);
  const shape = z.object({
    radius: pixels.describe("Of the corners, in CSS pixels; 9999 for round ends."),
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
    grounds: z.array(ground).max(2).describe("What shows around it in each scheme; `border` is its own."),
  });
  return z.object({
    surfaces: z.array(surface).max(20).describe("Colors of the parts of a page in each scheme."),
    button: shape.nullish(),
    card: shape.nullish(),
    wrapper: wrapper.nullish().describe("The box that the whole page stands in, where another color shows around it."),
    textWidth: pixels.nullish().describe("Width of running text in CSS pixels."),
    textSize: pixels.nullish().describe("Size of running text in CSS pixels."),
    headingWeight: z.int().min(1).max(1000).nullish().describe("Weight of headings as the site shows them."),
    headingSizes: z.array(pixels).max(6).describe("Sizes of headings from the first level on, in CSS pixels."),
  });
});

export type BrandDesign = z.infer<typeof brandDesignSchema>;
export type BrandShape = NonNullable<BrandDesign["button"]>;
