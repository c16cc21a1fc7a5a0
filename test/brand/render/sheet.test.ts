import { parse } from "parse5";
import { describe, expect, it } from "vitest";
import { renderSheet } from "../../../src/brand/render/sheet.ts";
import { renderSheetSvg } from "../../../src/brand/render/sheet-svg.ts";
import { KIT } from "./example-kit.ts";

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script></svg>`;
const FILES = new Map([["https://site.example/logo.svg", { bytes: Buffer.from(LOGO), contentType: "image/svg+xml" }]]);

describe.each([
  ["HTML", renderSheet],
  ["SVG", renderSheetSvg],
] as const)("the sheet as %s", (_, render) => {
  it("shows every color with its name and hex, in both schemes", () => {
    const sheet = render(KIT, { files: FILES });
    for (const { hex } of KIT.colors ?? []) expect(sheet).toContain(hex);
    for (const words of [
      "Primary",
      "Background",
      "Color, light",
      "Color, dark",
      "Bitter",
      "Inter Tight",
      "AAA",
      "derived",
    ]) {
      expect(sheet).toContain(words);
    }
  });

  it("omits colors if the kit has none", () => {
    const sheet = render({ name: "Bare" }, {});
    expect(sheet).toContain("Bare");
    expect(sheet).not.toContain("Color, ");
  });

  it("loads nothing: logos are embedded, and scripts in them don't run", () => {
    const sheet = render(KIT, { files: FILES });
    expect(sheet).toContain(`data:image/svg+xml;base64,${Buffer.from(LOGO).toString("base64")}`);
    expect(sheet).not.toContain("<script");
    expect(sheet.match(/(?:src|href)="(?!data:|#)[^"]*"/g)).toBeNull();
    expect(sheet.match(/url\((?!"data:)/g)).toBeNull();
  });

  it("shows names as text, whatever they contain", () => {
    const sheet = render({ ...KIT, name: `<img src=x onerror="alert(1)">` }, {});
    expect(sheet).not.toContain("<img src=x");
    expect(sheet).toContain("&lt;img src=x");
  });

  it("is the same every time, and works for an empty kit", () => {
    expect(render(KIT, {})).toBe(render(KIT, {}));
    expect(render({ name: "Nothing yet" }, {})).toContain("Nothing yet");
    expect(render({ name: "Nothing yet" }, {})).not.toMatch(/undefined|NaN/);
  });
});

describe("the sheet as HTML", () => {
  it("is valid HTML", () => {
    const mistakes: string[] = [];
    parse(renderSheet(KIT, { files: FILES }), { onParseError: ({ code }) => void mistakes.push(code) });
    expect(mistakes).toEqual([]);
  });

  it("shows the address of a logo whose file isn't available", () => {
    expect(renderSheet(KIT, {})).toContain("https://site.example/gone.png");
  });
});

it("shows the logo on the color that it stands on at its site", () => {
  const logos = (KIT.logos ?? []).map((logo) => ({ ...logo, background: "#3a3a2f" }));
  expect(logos).not.toEqual([]);
  expect(renderSheet({ ...KIT, logos }, { files: FILES })).toContain('class="mark" style="background:#3a3a2f"');
});
