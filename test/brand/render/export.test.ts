import { transform } from "lightningcss";
import { describe, expect, it } from "vitest";
import { EXPORT_FORMATS, renderKit, type ExportFormat } from "../../../src/brand/render/formats.ts";
import type { BrandDesign } from "../../../src/contract/brand-design.ts";
import { KIT } from "./example-kit.ts";

const FORMATS: readonly ExportFormat[] = [
  "css",
  "dtcg",
  "dtcg-resolver",
  "style-dictionary",
  "tailwind",
  "shadcn",
  "brand-yml",
  "json",
];

const DESIGN: BrandDesign = {
  surfaces: [{ part: "header", scheme: "light", background: "#0d4658", text: "#ffffff" }],
  button: { radius: 6, borderWidth: 0, paddingBlock: 10, paddingInline: 20 },
  card: { radius: 12, borderWidth: 1, paddingBlock: 24, paddingInline: 24, shadow: "0 2px 8px rgba(0,0,0,.1)" },
  textWidth: 680,
  textSize: 18,
  headingSizes: [48, 30],
};
const WHOLE = { ...KIT, design: DESIGN };

describe("exports of a kit", () => {
  it("have all formats", () => {
    expect(Object.keys(EXPORT_FORMATS)).toEqual(FORMATS);
  });

  it.each(["css", "tailwind", "shadcn"] as const)("are valid CSS: %s", (format) => {
    const { warnings } = transform({
      filename: "kit.css",
      code: Buffer.from(renderKit(KIT, format)),
      errorRecovery: true,
    });
    expect(warnings.map(({ message }) => message).filter((message) => !message.includes("@theme"))).toEqual([]);
  });

  it("include custom properties for both schemes, by preference and by attribute", () => {
    const css = renderKit(KIT, "css");
    expect(css).toContain("--brand-primary: #0d4658;");
    expect(css).toContain("--brand-on-primary: #ffffff; /* derived from primary */");
    expect(css).toContain('--brand-font-heading: "Bitter", system-ui, sans-serif;');
    expect(css).toContain(
      '@media (prefers-color-scheme: dark) {\n  :root:not([data-theme="light"]) {\n    --brand-background: #0c171d;',
    );
    expect(css).toContain(':root[data-theme="dark"] {\n  color-scheme: dark;');
  });

  it("follow the Design Tokens format, with derived tokens marked", () => {
    const tokens: unknown = JSON.parse(renderKit(KIT, "dtcg"));
    expect(tokens).toMatchObject({
      color: {
        $type: "color",
        light: {
          primary: { $value: { colorSpace: "srgb", components: [0.051, 0.2745, 0.3451], alpha: 1, hex: "#0d4658" } },
          "on-primary": { $extensions: { "dev.astro-imprint": { derivedFrom: "color.light.primary" } } },
        },
        dark: { background: { $value: { hex: "#0c171d" } } },
      },
      font: {
        heading: {
          family: { $type: "fontFamily", $value: ["Bitter", "system-ui", "sans-serif"] },
          weight: { "700": { $type: "fontWeight", $value: 700 } },
        },
      },
    });
  });

  it("include dimensions and shadows for every tool", () => {
    expect(JSON.parse(renderKit(WHOLE, "dtcg"))).toMatchObject({
      color: { light: { header: { $value: { hex: "#0d4658" } } } },
      radius: { $type: "dimension", button: { $value: { value: 6, unit: "px" } } },
      shadow: {
        $type: "shadow",
        card: { $value: { offsetY: { value: 2, unit: "px" }, blur: { value: 8, unit: "px" } } },
      },
      size: { "text-width": { $value: { value: 680, unit: "px" } }, h1: { $value: { value: 48, unit: "px" } } },
    });
    expect(renderKit(WHOLE, "css")).toContain("--brand-radius-button: 6px;");
    expect(renderKit(WHOLE, "css")).toContain("--brand-shadow-card: 0px 2px 8px 0px #0000001a;");
    expect(renderKit(WHOLE, "tailwind")).toContain("--radius-card: 12px;");
    expect(renderKit(WHOLE, "tailwind")).toContain("--container-text: 680px;");
    expect(renderKit(WHOLE, "shadcn")).toContain("--radius: 0.75rem;");
    expect(renderKit(WHOLE, "brand-yml")).toContain('size: "18px"');
  });

  it("include the color of headings in each scheme", () => {
    const colors = [
      ...(KIT.colors ?? []),
      { role: "heading", hex: "#7a1f3d" },
      { role: "dark-heading", hex: "#f4a6bd" },
    ];
    const kit = { ...KIT, colors };
    expect(renderKit(kit, "css").match(/--brand-heading: #\w+;/g)).toEqual([
      "--brand-heading: #7a1f3d;",
      "--brand-heading: #f4a6bd;",
      "--brand-heading: #f4a6bd;",
    ]);
    expect(renderKit(kit, "tailwind")).toMatch(/--color-heading: #7a1f3d;[^]*--color-heading: #f4a6bd;/);
    expect(renderKit(kit, "shadcn").match(/--heading: oklch/g)).toHaveLength(2);
    expect(renderKit(kit, "brand-yml")).toMatch(/headings:\n\s+family: "Bitter"\n\s+color: "#7a1f3d"/);
    const { light, dark } = JSON.parse(renderKit(kit, "dtcg")).color;
    expect([light.heading.$value.hex, dark.heading.$value.hex]).toEqual(["#7a1f3d", "#f4a6bd"]);
  });

  it("include strings for Style Dictionary, which versions 4 and 5 print unchanged", () => {
    const tokens = JSON.parse(renderKit(WHOLE, "style-dictionary"));
    expect(tokens.color.light.primary.$value).toBe("#0d4658");
    expect(tokens.radius.button.$value).toBe("6px");
    const values: unknown[] = [];
    JSON.stringify(tokens.color, (key, value: unknown) => (key === "$value" ? values.push(value) : value));
    expect(values.every((value) => typeof value === "string")).toBe(true);
  });

  it("include a resolver document in which a scheme changes only colors", () => {
    const { version, sets, modifiers, resolutionOrder } = JSON.parse(renderKit(WHOLE, "dtcg-resolver"));
    expect(version).toBe("2025.10");
    expect(resolutionOrder).toEqual([{ $ref: "#/sets/base" }, { $ref: "#/modifiers/scheme" }]);
    expect(Object.keys(sets.base.sources[0])).toEqual(["font", "radius", "spacing", "border", "size", "shadow"]);
    expect(modifiers.scheme.default).toBe("light");
    expect(modifiers.scheme.contexts.light[0].color.primary.$value.hex).toBe("#0d4658");
    expect(modifiers.scheme.contexts.dark[0].color.background.$value.hex).toBe("#0c171d");
  });

  it("include a Tailwind theme", () => {
    const fonts = KIT.fonts?.map((font) =>
      font.role === "body" ? { ...font, fallback: ["Inter", "sans-serif"] } : font,
    );
    const css = renderKit({ ...KIT, fonts }, "tailwind");
    expect(css).toMatch(/^@theme \{\n {2}--color-background: #f2f3ef;/);
    expect(css).toContain('--font-body: "Inter Tight", "Inter", sans-serif;');
  });

  it("include shadcn's names, light in :root and dark in .dark", () => {
    const css = renderKit(KIT, "shadcn");
    expect(css).toMatch(/^:root \{\n {2}--background: oklch\(0\.962 0\.005 117\.924\);/);
    expect(css).toContain("\n\n.dark {\n  --background: oklch(0.197 0.02 233.011);");
    expect(css).toContain("--primary-foreground: oklch(1 0 0); /* derived */");
  });

  it("include the kit itself as JSON, with derived values", () => {
    const { derived, defaultScheme, ...kit } = JSON.parse(renderKit(KIT, "json"));
    expect(kit).toEqual(KIT);
    expect(defaultScheme).toBe("light");
    expect(derived.dark).toContainEqual({ role: "on-primary", hex: "#ffffff", from: "primary" });
  });

  it.each(FORMATS)("are the same every time, and never empty: %s", (format) => {
    expect(renderKit(KIT, format)).toBe(renderKit(KIT, format));
    expect(renderKit({ name: "Nothing" }, format)).not.toContain("undefined");
  });

  it("escape all values of a kit", () => {
    const hostile = {
      name: "*/ body { display: none } /*",
      fonts: [{ role: "bo}dy;", family: 'X"; } body { color: red }' }],
      colors: [{ role: "pri{mary", hex: "#ff0000" }],
    };
    const css = renderKit(hostile, "css");
    expect(css).not.toContain("*/ body");
    expect(css).toContain("--brand-pri-mary: #ff0000;");
    const { warnings, code } = transform({ filename: "kit.css", code: Buffer.from(css), errorRecovery: true });
    expect([warnings, String(code).includes("display: none")]).toEqual([[], false]);
  });
});
