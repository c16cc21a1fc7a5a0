import { expect, it } from "vitest";
import { extractFrom } from "./site-of.ts";

const GOOD =
  "body { background: #fdf6e3; color: #3b2f2f; font-family: Lora, serif } a { color: #aa3355 } " +
  ".buy { background: #aa3355; color: #fff; padding: 8px 16px }";
const PAGE = `<!doctype html><html lang="en"><head><title>Tern</title><link rel="stylesheet" href="/bad.css">
<link rel="stylesheet" href="/good.css"></head><body><header><a href="/">Tern</a></header><main><h1>Hello</h1>
<p>A paragraph of more than sixty characters, with <a href="/x">a link</a> in it, and more.</p><a class="buy" href="/y">Buy</a></main>`;

const deep = ([open, close]: readonly [string, string], inner: string, depth: number) =>
  open.repeat(depth) + inner + close.repeat(depth);
const many = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => piece(at)).join("");

it.each<[string, string]>([
  ["an unclosed block", "h1 { color: red"],
  ["an unclosed media query", "@media (width > 1px) { h1 { color: red }"],
  ["an unclosed string", `h1 { content: "abc`],
  ["an unclosed comment", "/* h1 {}"],
  ["an unclosed address", "h1 { background: url(a b"],
  ["unmatched closing braces", "}}}] ) }"],
  ["NUL, lone surrogates, and escapes beyond Unicode", "a\0b, .\ud800, .\\110000, .\\0 { color: red }"],
  ["wrong encodings", `@charset "utf-16"; @charset x; h1 { color: red }`],
  ["half a million selectors", `${many(100_000, (at) => `.c${at},`)}b { color: red }`],
  [
    "rules for 40,000 parts of other pages",
    many(20_000, (at) => `.c${at} *, #d${at} > :not(.e):has(> .f${at}) a { color: red }`),
  ],
  ["an endless selector", `${".a > ".repeat(100_000)} b { color: red }`],
  ["circular variables", "h1 { --a: var(--b, var(--c)); --b: var(--c); --c: var(--a, var(--b)); color: var(--a) }"],
  [
    "exponentially growing variables",
    `h1 { --v0: red; ${many(40, (at) => `--v${at + 1}: var(--v${at}) var(--v${at});`)} color: var(--v40); font-family: var(--v40) }`,
  ],
  ["nested calc()", `h1 { font-size: ${deep(["calc(", ")"], "1px", 20_000)} }`],
  ["color-mix() in color-mix()", `h1 { color: ${deep(["color-mix(in oklab, red, ", ")"], "blue", 3000)} }`],
  ["invalid numbers", "h1 { color: rgb(calc(0/0) calc(1/0) -infinity); font-size: 1e999px; font-weight: 1e9 }"],
  ["a gradient with 20,000 stops", `main { background: linear-gradient(${"red, ".repeat(20_000)} blue) }`],
  ["nested :is()", `${deep([":is(", ")"], "h1", 3000)} { color: red }`],
  ["nested :has()", `${deep([":has(", ")"], "h1", 20)} { color: red }`],
  ["nested rules", deep(["& , & {", "}"], "color: red", 3000)],
  ["media queries in media queries", deep(["@media (width > 1px) {", "}"], "h1 { color: red }", 3000)],
  ["conditions in conditions", `@media ${deep(["(not ", ")"], "(hover)", 5000)} { h1 { color: red } }`],
  ["layers in layers", deep(["@layer a {", "}"], "", 3000)],
  ["a layer 20,000 levels deep", `@layer ${"a.".repeat(20_000)}a;`],
  ["10,000 layers", many(10_000, (at) => `@layer l${at};`)],
  ["scopes in scopes", deep(["@scope (.a) to (.b) {", "}"], "h1 { color: red }", 200)],
  [
    "imports of itself and of missing files",
    `@import "/bad.css"; @import url(http://[::1; @import; @import "//"; @import "/good.css";`,
  ],
])("a style sheet with %s removes nothing from the kit", async (_, bad) => {
  const { colors, fonts } = await extractFrom(
    { "/": PAGE, "/bad.css": bad, "/good.css": GOOD },
    { frame: { linkTo: (address) => address, fileAt: (address) => address } },
  );
  const { background, text, link, primary } = colors.light ?? {};
  expect([background, text, link, primary].map((color) => color?.hex)).toEqual([
    ...["#fdf6e3", "#3b2f2f"],
    ...["#aa3355", "#aa3355"],
  ]);
  expect(fonts.body?.family).toBe("Lora");
});

it("reads a style sheet in UTF-16 by its byte order mark, and the valid parts of one in broken UTF-8", async () => {
  const utf16 = new Uint8Array([0xff, 0xfe, ...[...GOOD].flatMap((letter) => [letter.charCodeAt(0), 0])]);
  const broken = new Uint8Array([
    ...new TextEncoder().encode(`h1 { content: "`),
    0xff,
    0xc0,
    ...new TextEncoder().encode(`" } ${GOOD}`),
  ]);
  for (const css of [utf16, broken]) {
    const { colors } = await extractFrom({ "/": PAGE, "/bad.css": "", "/good.css": css });
    expect(colors.light?.background?.hex).toBe("#fdf6e3");
  }
});
