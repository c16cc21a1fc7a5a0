import { describe, expect, it } from "vitest";
import { hexOf } from "../../../src/brand/color/contrast.ts";
import type { SchemeName } from "../../../src/brand/findings.ts";
import { styleOfIt } from "../site-of.ts";

const PARAGRAPH = `<main class="page"><p id="it" class="a b">Text</p></main>`;

function colorOfIt(css: string, body = PARAGRAPH, scheme: SchemeName = "light"): string {
  return hexOf(styleOfIt(css, body, scheme).color);
}

it.each([
  ["in a container", "main { container-type: inline-size }", "#0000ff"],
  ["in a named container", "main { container: page / inline-size }", "#0000ff"],
  ["in a container that only styles ask about", "main { container: page / normal }", "#ff0000"],
  ["in no container", "", "#ff0000"],
])("rules for the size of a container apply %s", (_, css, color) => {
  const rules =
    "p { color: red } @container (width > 300px) { p { color: blue } } @container (width > 9000px) { p { color: lime } }";
  expect(hexOf(styleOfIt(css + rules, `<main><p id="it">Text</p></main>`).color)).toBe(color);
});

describe("the cascade", () => {
  it.each([
    ["the later of two equal rules", ".a { color: red } .b { color: #123456 }"],
    ["the more specific of two rules, even if it is earlier", "p.a { color: #123456 } .b { color: red }"],
    ["an id over classes", "#it { color: #123456 } .a.b.a.b { color: red }"],
    ["an important rule", ".a { color: #123456 !important } #it { color: red }"],
    [":is() with the specificity of its strongest part", ":is(#it, p) { color: #123456 } .a.b { color: red }"],
    [":where() without specificity", ":where(#it) { color: red } p { color: #123456 }"],
    ["unlayered rules over layered ones", "p { color: #123456 } @layer base { #it { color: red } }"],
    [
      "the layer that was named later",
      "@layer one, two; @layer two { p { color: #123456 } } @layer one { #it { color: red } }",
    ],
    ["a layer over the one nested in it", "@layer one { p { color: #123456 } @layer inner { #it { color: red } } }"],
    [
      "important rules of the earlier layer",
      "@layer one, two; @layer two { p { color: red !important } } @layer one { p { color: #123456 !important } }",
    ],
    ["nested rules", ".page { color: red; & .a { color: #123456 } }"],
    ["nested rules without an ampersand", ".page { .a { color: #123456 } }"],
    ["matching media queries", "@media (min-width: 600px) { p { color: #123456 } }"],
    ["matching range queries", "@media (400px <= width < 2000px) { p { color: #123456 } }"],
    [
      "supported features",
      "@supports (color: oklch(0 0 0)) { p { color: #123456 } } @supports not (display: grid) { p { color: red } }",
    ],
    ["inherited colors", ".page { color: #123456 } p { color: inherit }"],
    ["the fallback of a variable", "p { color: var(--missing, var(--gone, #123456)) }"],
    ["a variable where it is set", ":root { --c: red } .page { --c: #123456 } p { color: var(--c) }"],
    [
      "a variable that consists of others",
      ":root { --h: 210; --s: 65%; --l: 20% } p { color: hsl(var(--h) var(--s) var(--l)) }",
    ],
    ["the declaration before an invalid color", "p { color: #123456; color: nonsense(1) }"],
    [
      "registered initial values",
      "@property --c { syntax: '<color>'; inherits: true; initial-value: #123456 } p { color: var(--c) }",
    ],
  ])("applies %s", (_, css) => {
    expect(["#123456", "#123354"]).toContain(colorOfIt(css));
  });

  it.each([
    [
      "a link's address",
      "a { color: red } a[href^='/b'] { color: #123456 } a[href^='/b'] i { color: inherit }",
      `<p><a href="/a"><i>A</i></a> <a href="/b"><i id="it">B</i></a></p>`,
    ],
    [
      "their position among similar elements",
      ".row:nth-child(3) em { color: #123456 }",
      `<div class="row"><em>1</em></div><div class="row"><em>2</em></div><div class="row"><em id="it">3</em></div>`,
    ],
    [
      "the content of a similar element",
      ".row:has(b) em { color: #123456 }",
      `<div class="row"><em>1</em></div><div class="row"><b>x</b><em id="it">2</em></div>`,
    ],
  ])("distinguishes similar elements by %s", (_, css, body) => {
    expect(colorOfIt(css, body)).toBe("#123456");
  });

  it.each([
    ["another medium", "@media print { p { color: red } }"],
    ["narrow windows", "@media (max-width: 600px) { p { color: red } }"],
    ["a hovering pointer", "p:hover { color: red }"],
    ["its pseudo-elements", "p::before { color: red } p:first-letter { color: red }"],
    ["another parent", "section > p { color: red }"],
    ["unknown selectors", "p:nobody-knows(1) { color: red }"],
    ["key frames", "@keyframes x { from { color: red } }"],
    ["a dark preference", "@media (prefers-color-scheme: dark) { p { color: red } }"],
  ])("ignores rules for %s", (_, css) => {
    expect(colorOfIt(`p { color: #123456 } ${css}`)).toBe("#123456");
  });

  it("ranks the style attribute between normal and important rules", () => {
    const body = `<p id="it" style="color: #123456">Text</p>`;
    expect(colorOfIt("#it { color: red }", body)).toBe("#123456");
    expect(colorOfIt("p { color: red !important }", body)).toBe("#ff0000");
  });

  it("drops a color whose variable refers to itself, like a browser", () => {
    expect(colorOfIt(":root { --a: var(--b); --b: var(--a) } .page { color: #123456 } p { color: var(--a) }")).toBe(
      "#123456",
    );
  });

  it("blends translucent backgrounds", () => {
    const css = "body { background: #fff } .page { background: rgb(0 0 0 / 50%) } p { background: transparent }";
    expect(hexOf(styleOfIt(css, PARAGRAPH).surface)).toBe("#808080");
  });

  it("reads families and weights from the font shorthand", () => {
    const style = styleOfIt(`p { font: italic 600 1rem/1.5 "Open Sans", sans-serif }`, PARAGRAPH);
    expect([style.fontFamily, style.fontWeight]).toEqual(['"Open Sans", sans-serif', 600]);
  });

  it.each([
    ["a preference", "@media (prefers-color-scheme: dark) { body { background: #111; color: #123456 } }"],
    [
      "an attribute on the root",
      "[data-theme=dark] { --ground: #111; color: #123456 } body { background: var(--ground, #fff) }",
    ],
    [
      "a class on the root",
      ".dark { --ground: #111; --ink: #123456 } body { background: var(--ground, #fff); color: var(--ink, #000) }",
    ],
    ["a class on the body", "body.dark-mode { --x: 1; background: #111; color: #123456 }"],
    [
      "light-dark()",
      ":root { color-scheme: light dark } body { background: light-dark(#fff, #111); color: light-dark(#000, #123456) }",
    ],
  ])("recognizes a dark scheme that depends on %s", (_, css) => {
    expect(colorOfIt(css, PARAGRAPH, "dark")).toBe("#123456");
    expect(colorOfIt(css, PARAGRAPH, "light")).not.toBe("#123456");
  });

  it("doesn't mistake a component's class for a theme", () => {
    const css = "body { background: #fff } .button.is-dark { --x: 1; background: #111 } .dark { color: #eee }";
    expect(() => colorOfIt(css, PARAGRAPH, "dark")).toThrow("no dark look");
  });
});
