import { describe, expect, it } from "vitest";
import { describeDrift } from "../../src/brand/drift.ts";

const KIT = {
  colors: [
    { role: "primary", hex: "#25c2a0" },
    { role: "text", hex: "#222222" },
  ],
  fonts: [{ role: "body", family: "Inter" }],
  logos: [{ kind: "logo", url: "/a.svg" }],
};

describe("describeDrift", () => {
  it("lists changed, added, and removed values", () => {
    const after = {
      colors: [
        { role: "primary", hex: "#2bd4b0" },
        { role: "link", hex: "#0000ff" },
      ],
      fonts: [{ role: "body", family: "Lora" }],
      logos: [],
    };
    expect(describeDrift(KIT, after)).toEqual([
      "primary #25c2a0 → #2bd4b0",
      "link none → #0000ff",
      "text #222222 → none",
      "body font Inter → Lora",
      "logo /a.svg → none",
    ]);
  });

  it("lists weights and files if the family is the same, by the caller's names for them", () => {
    const before = { fonts: [{ role: "body", family: "Inter", weights: [400], url: "/library/1/inter.woff2" }] };
    const after = { fonts: [{ role: "body", family: "Inter", weights: [400, 700], url: "/library/2/inter.woff2" }] };
    const nameOf = (url: string) => url.split("/").at(-1) ?? url;
    const fallen = { fonts: after.fonts.map((font) => ({ ...font, fallback: ["Arial", "sans-serif"] })) };
    expect(describeDrift(after, fallen)).toEqual(["body font fallback none → Arial, sans-serif"]);
    expect(describeDrift(before, after, { nameOf })).toEqual([
      "body font weights 400 → 400 700",
      "body font file inter.woff2 changed",
    ]);
  });

  it("reports no drift for the same kit, or for an invisible difference", () => {
    expect(describeDrift(KIT, KIT)).toEqual([]);
    expect(
      describeDrift(KIT, {
        ...KIT,
        colors: [
          { role: "primary", hex: "#25c2a1" },
          { role: "text", hex: "#222222" },
        ],
      }),
    ).toEqual([]);
    expect(describeDrift(KIT, { ...KIT, colors: [] })).not.toEqual([]);
  });
});
