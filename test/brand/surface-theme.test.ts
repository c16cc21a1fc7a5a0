import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contrastOf, lightnessOf } from "../../src/brand/color/contrast.ts";
import type { BrandDesign } from "../../src/contract/brand-design.ts";
import { createSurfaceTheme, type SurfacePalette } from "../../src/brand/surface-theme.ts";

const ROLES = ["background", "text", "heading", "link", "primary", "accent", "surface", "border"];

const anyHex = fc
  .tuple(fc.integer({ min: 0, max: 0xffffff }), fc.constantFrom("", "", "", "80", "00"))
  .map(([value, alpha]) => `#${value.toString(16).padStart(6, "0")}${alpha}`);
const anyColors = fc.uniqueArray(
  fc.record({ role: fc.constantFrom(...ROLES, ...ROLES.map((role) => `dark-${role}`)), hex: anyHex }),
  { selector: ({ role }) => role },
);

function worstContrast(palette: SurfacePalette): number {
  const { paper, surface, ink, headingInk, soft, link, fill, onFill, fillHover, button, onButton, buttonHover } =
    palette;
  const onButtons = [button, buttonHover].map((ground) => contrastOf(onButton, ground));

  const onGrounds = [ink, soft, link].flatMap((text) => [contrastOf(text, paper), contrastOf(text, surface)]);
  const others = [contrastOf(headingInk, paper), contrastOf(onFill, fill), contrastOf(onFill, fillHover)];
  return Math.min(...onGrounds, ...onButtons, ...others);
}

const BOTH = [
  { role: "background", hex: "#ffffff" },
  { role: "dark-background", hex: "#0b0014" },
];

describe("the look of the service's pages", () => {
  it("is readable in light and dark, whatever the kit's colors", () => {
    fc.assert(
      fc.property(anyColors, (colors) => {
        const { palettes } = createSurfaceTheme({ colors });
        expect(worstContrast(palettes.light)).toBeGreaterThanOrEqual(4.5);
        expect(worstContrast(palettes.dark)).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(palettes.dark.edge, palettes.dark.paper)).toBeGreaterThanOrEqual(3);
      }),
      { numRuns: 400 },
    );
  });

  const anyButton = fc.record({
    part: fc.constant("button" as const),
    scheme: fc.constantFrom("light" as const, "dark" as const),
    background: fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`),
    text: fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`),
  });

  it("has the site's own buttons, with readable text and visible edges", () => {
    const colors = [
      { role: "background", hex: "#ffffff" },
      { role: "primary", hex: "#1b5e20" },
    ];
    const themeOf = (surfaces: BrandDesign["surfaces"]) =>
      createSurfaceTheme({ colors, design: { surfaces, headingSizes: [] } }).palettes.light;
    const button = { part: "button", scheme: "light", background: "#F28C28", text: "#1a1a1a" } as const;
    expect(themeOf([button])).toMatchObject({ fill: "#1b5e20", button: "#f28c28", onButton: "#1a1a1a" });
    expect(themeOf([{ ...button, text: "#ffffff" }])).toMatchObject({ button: "#f28c28", onButton: "#000000" });
    expect(themeOf([{ ...button, border: "#7a3b00" }])).toMatchObject({ buttonEdge: "#7a3b00" });
    expect(themeOf([])).toMatchObject({ button: "#1b5e20", onButton: "#ffffff" });
    fc.assert(
      fc.property(anyColors, anyButton, (some, own) => {
        const { palettes } = createSurfaceTheme({ colors: some, design: { surfaces: [own], headingSizes: [] } });
        expect(worstContrast(palettes[own.scheme])).toBeGreaterThanOrEqual(4.5);
        const { button: ground, buttonEdge, paper } = palettes[own.scheme];
        expect(Math.max(contrastOf(ground, paper), contrastOf(buttonEdge, paper))).toBeGreaterThanOrEqual(3);
      }),
    );
  });

  it("keeps the site's readable colors unchanged", () => {
    const colors = [
      { role: "background", hex: "#fffdf7" },
      { role: "text", hex: "#21313a" },
      { role: "heading", hex: "#7a1f3d" },
      { role: "link", hex: "#0d4658" },
      { role: "primary", hex: "#b3261e" },
    ];
    expect(createSurfaceTheme({ colors }).palettes.light).toMatchObject({
      paper: "#fffdf7",
      ink: "#21313a",
      headingInk: "#7a1f3d",
      link: "#0d4658",
      fill: "#b3261e",
      onFill: "#ffffff",
    });
  });

  it("has the schemes of a brand with a background, and both without one", () => {
    const light = createSurfaceTheme({ colors: [{ role: "background", hex: "#ffffff" }] });
    expect(light.shown).toEqual({ light: "light", dark: "light" });
    expect(light.palettes.dark).toEqual(light.palettes.light);
    const dark = createSurfaceTheme({ colors: [{ role: "background", hex: "#0b0014" }] });
    expect(dark.shown).toEqual({ light: "dark", dark: "dark" });
    expect(dark.palettes.light.paper).toBe("#0b0014");
    const both = createSurfaceTheme({ colors: BOTH });
    expect(both.shown).toEqual({ light: "light", dark: "dark" });
    const fixed = createSurfaceTheme({ colors: BOTH, design: { scheme: "light", surfaces: [], headingSizes: [] } });
    expect(fixed.shown).toEqual({ light: "light", dark: "light" });
    const neither = createSurfaceTheme({ colors: [{ role: "primary", hex: "#b3261e" }] });
    expect(neither.shown).toEqual({ light: "light", dark: "dark" });
    expect(lightnessOf(neither.palettes.dark.paper)).toBeLessThan(0.3);
  });

  it("neither uses a text color with low contrast nor turns it into a muddy one", () => {
    const colors = [
      { role: "background", hex: "#ffffff" },
      { role: "text", hex: "#ffeb3b" },
      { role: "primary", hex: "#ffeb3b" },
    ];
    const { ink, fill, onFill } = createSurfaceTheme({ colors }).palettes.light;
    expect(contrastOf(ink, "#ffffff")).toBeGreaterThan(12);
    expect({ fill, onFill }).toEqual({ fill: "#ffeb3b", onFill: "#000000" });
  });
});

describe("the fonts of the service's pages", () => {
  it("come before fonts of the same kind", () => {
    const { fonts } = createSurfaceTheme({
      fonts: [
        { role: "heading", family: "Playfair Display", weights: [400, 700], url: "https://site.example/a.woff2" },
        { role: "body", family: "Inter", weights: [100, 200, 300, 400, 500, 600, 700, 800, 900] },
        { role: "mono", family: "system-ui" },
      ],
    });
    expect(fonts.heading).toEqual({
      stack: '"Playfair Display", ui-serif, Georgia, Cambria, "Times New Roman", serif',
      url: "https://site.example/a.woff2",
      weights: "700",
    });
    expect(fonts.body.stack).toBe('"Inter", ui-sans-serif, system-ui, sans-serif');
    expect(fonts.body.weights).toBe("100 900");
    expect(fonts.mono.stack).toMatch(/^system-ui, ui-monospace/);
    const { body } = createSurfaceTheme({ fonts: [{ role: "body", family: "JetBrains Mono" }] }).fonts;
    expect(body.stack).toMatch(/^"JetBrains Mono", ui-monospace, .*monospace$/);
  });

  it.each(["Rokkitt", "Gloock", "Old Standard TT", "Frank Ruhl Libre"])("come before serif fonts: %s", (family) => {
    const { heading } = createSurfaceTheme({ fonts: [{ role: "heading", family }] }).fonts;
    expect(heading.stack).toMatch(/, serif$/);
  });

  const FALLEN = [
    { of: "a serif font that nobody knows", fonts: ["Italiana", "serif"], stack: /^"Italiana", ui-serif, .*, serif$/ },
    {
      of: "named fonts",
      fonts: ["Ogg", "Times New Roman", "serif"],
      stack: /^"Ogg", "Times New Roman", ui-serif, Georgia, Cambria, serif$/,
    },
    {
      of: "a serif font's name for another kind",
      fonts: ["Times Grotesk", "Arial", "sans-serif"],
      stack: /^"Times Grotesk", "Arial", .*, sans-serif$/,
    },
    { of: "handwriting", fonts: ["Caveat", "cursive"], stack: /^"Caveat", cursive$/ },
    { of: "no generic family", fonts: ["Didone", "Georgia"], stack: /^"Didone", "Georgia", ui-serif, .*serif$/ },
    { of: "code", fonts: ["Cell", "Consolas", "monospace"], stack: /^"Cell", "Consolas", ui-monospace, .*monospace$/ },
    {
      of: "the system's font",
      fonts: ["system-ui", "Segoe UI", "sans-serif"],
      stack: /^system-ui, "Segoe UI", ui-sans-serif, sans-serif$/,
    },
  ] as const;

  it.each(FALLEN)("come before the site's own fallbacks: $of", ({ fonts: [family, ...fallback], stack }) => {
    expect(createSurfaceTheme({ fonts: [{ role: "heading", family, fallback }] }).fonts.heading.stack).toMatch(stack);
  });

  it("can't end their declaration", () => {
    const name = fc.string({ unit: "binary", maxLength: 120 });
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 3 }), (family, fallback) => {
        const { stack } = createSurfaceTheme({ fonts: [{ role: "body", family, fallback }] }).fonts.body;
        expect(stack).toMatch(
          /^(?:"[\p{L}\p{M}\p{N} ._+&-]+"|[A-Za-z-]+)(?:, (?:"[\p{L}\p{M}\p{N} ._+&-]+"|[A-Za-z-]+))*$/u,
        );
      }),
    );
  });
});
