import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSheet } from "../../../src/brand/css/parse-sheet.ts";
import { parseSelectors } from "../../../src/brand/css/selector.ts";
import { MAX_SHEET_LENGTH, readBlock, scanSheet, type Statement } from "../../../src/brand/css/sheet-tree.ts";
import { IS_WHOLE } from "../../whole.ts";

const ADDRESS = "https://site.example/a.css";

describe("parseSheet", () => {
  it("keeps only declarations about colors, fonts, and boxes", () => {
    const { rules } = parseSheet("p { margin: 0; color: red } .x { display: flex } .y { float: left }", ADDRESS);
    expect(
      rules.map(({ selectors, declarations }) => [selectors[0]?.text, declarations.map(({ property }) => property)]),
    ).toEqual([
      ["p", ["color"]],
      [".x", ["display"]],
    ]);
  });

  it.each([
    ["url(x.css)", { address: "x.css", layer: "", conditions: [] }],
    [
      '"x.css" layer(base.reset) screen',
      { address: "x.css", layer: "base.reset", conditions: [{ kind: "media", text: "screen" }] },
    ],
    [
      "'x.css' supports(display: grid)",
      { address: "x.css", layer: "", conditions: [{ kind: "supports", text: "(display: grid)" }] },
    ],
  ])("reads @import %s", (prelude, expected) => {
    expect(parseSheet(`@import ${prelude};`, ADDRESS).imports).toEqual([expected]);
  });

  it("reads font faces with all their addresses", () => {
    const css = `@font-face { font-family: "Inter"; src: url("a.woff2") format("woff2"), url(b.woff); font-weight: 100 900 }`;
    expect(parseSheet(css, ADDRESS).fontFaces).toEqual([
      { family: "Inter", addresses: ["a.woff2", "b.woff"], weight: "100 900", style: "", unicodeRange: "" },
    ]);
  });

  it.each([
    "}}}{{{",
    "p { color: red",
    "@media { p {",
    "p { color: 'red }\n.b { color: red }",
    "\0\u{1F600}",
    "/* never closed",
    "@import",
    "p { color red; ; : }",
  ])("reads the valid parts of %j", (css) => {
    expect(parseSheet(css, ADDRESS).problems).toEqual([]);
  });

  it("finds the rules around an error", () => {
    const { rules } = parseSheet(".a { color: red } p { color: ;;} } .b[ { color: red } .c { color: blue }", ADDRESS);
    expect(rules.map(({ selectors }) => selectors[0]?.text)).toContain(".a");
  });

  it.runIf(IS_WHOLE)("reads the beginning of a 10 MB style sheet, and reports that it is truncated", () => {
    const css = ".first { color: red }\n" + ".x { color: blue; margin: 0 }\n".repeat(360_000);
    const { rules, problems } = parseSheet(css, ADDRESS);
    expect(rules[0]?.selectors[0]?.text).toBe(".first");
    expect(problems).toEqual([
      `The style sheet has ${css.length} characters; only the first ${MAX_SHEET_LENGTH} were read.`,
    ]);
  });

  it("stops at a style sheet that contains only errors, and reports it", () => {
    const { problems } = parseSheet(`@layer a{${".1b { color: red } ".repeat(100_000)}}`, ADDRESS);
    expect(problems).toEqual(["Part of the style sheet was skipped: it has too many syntax errors."]);
  });

  it.each([
    ["unclosed braces", "{".repeat(200_000)],
    ["endless nesting", "a { & b {".repeat(5000)],
    ["nested rules that double at each level", "x { " + "& & { ".repeat(40) + "color: red" + "}".repeat(41)],
    ["unclosed brackets", `p:not(${":not(".repeat(20_000)}) { color: red }`],
    ["an endless selector", `${"a ".repeat(100_000)} { color: red }`],
  ])("survives %s", (_, css) => {
    expect(parseSheet(`.first { color: red } ${css}`, ADDRESS).address).toBe(ADDRESS);
  });

  it("never throws", () => {
    const words = fc.constantFrom(
      "{",
      "}",
      "@media ",
      "@layer a",
      ";",
      "p",
      ".x",
      "&",
      ":is(",
      ")",
      "color:red",
      "--a:b",
      '"',
      "'",
      "/*",
      "*/",
      "\\",
      "\n",
      "@import url(",
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), (parts) => {
        expect(parseSheet(parts.join(""), ADDRESS).address).toBe(ADDRESS);
      }),
      { numRuns: 500 },
    );
  });
});

describe("scanSheet", () => {
  it.each([
    ["a { & b { x: y } }", ["a b"]],
    ["a { b { x: y } > c { x: y } + d & { x: y } }", ["a b", "a>c", "a+d a"]],
    ["a { x: y; &:hover { x: y } z: w }", ["a", "a:hover", "a"]],
    [".a, .b { &.c { x: y } }", [":is(.a, .b).c"]],
    [".a .b { .c & { x: y } &.d .e { x: y } }", [".c :is(.a .b)", ".a .b.d .e"]],
    ["a { .b& { x: y } :not(&) { x: y } }", [".b:is(a)", ":not(a)"]],
    ["a { & + & { & b { x: y } } }", ["a+a b"]],
    ["a { [title='&'] { x: y } }", ['a [title="&"]']],
    ["a { x: y; @media z { x: y; b { x: y } } }", ["a", "media(a,a b)"]],
    ["@layer z { a { @media z { x: y } } }", ["layer(media(a))"]],
    ["a { 1b { x: y; c { x: y } } d { x: y } }", ["a d"]],
    ["a { --x: { y: z }; b { x: y } }", ["a", "a b"]],
    ["a { content: '{ b {' } /* a { b { */", ["a"]],
    ["@keyframes y { from { color: red } }", ["keyframes()"]],
  ])("flattens the rules of %s", (css, expected) => {
    expect(scanSheet(css).statements.map(outline)).toEqual(expected);
  });

  it.each([
    ["a closing brace without an opening one", "} .a { x: y } .b { x: y }", [".b"]],
    ["an unclosed bracket", ".a { x: y } .b[ { x: y } .c { x: y }", [".a"]],
    ["a semicolon between rules", "x; .a { x: y } .b { x: y }", [".b"]],
    ["a semicolon in an at-rule", "@media x { y; .a { x: y } }", ["media(.a)"]],
    ["an address with braces", ".a { x: url(data:image/svg+xml;utf8,<svg>{;}) } .b { x: y }", [".a", ".b"]],
    ["a comment in a selector", ".a/* { */.b { x: y }", [".a.b"]],
    ["HTML comment markers", "<!-- .a { x: y } --> .b { x: y }", [".a", ".b"]],
  ])("reads %s like browsers", (_, css, expected) => {
    expect(scanSheet(css).statements.filter(isReadable).map(outline)).toEqual(expected);
  });
});

function isReadable({ atRule, prelude }: Statement): boolean {
  return atRule !== undefined || parseSelectors(prelude) !== undefined;
}

function outline({ atRule, prelude, statements }: Statement): string {
  return atRule === undefined ? prelude : `${atRule}(${(statements ?? []).map(outline).join()})`;
}

describe("readBlock", () => {
  it.each([
    ["color:red;;--a: {b:c};d:e !important", ["color=red", "--a={b:c}", "d=e!"]],
    ["a: url(x;y) ; b: 'x;y' /* ; c: d */", ["a=url(x;y)", "b='x;y'"]],
    ["a: b; &:hover { c: d } e: f", ["a=b", "e=f"]],
    ["*zoom: 1; : x; a; b:; --c:", ["--c="]],
  ])("reads %s", (body, expected) => {
    const found = readBlock(body).map(
      ({ property, value, important }) => `${property}=${value}${important ? "!" : ""}`,
    );
    expect(found).toEqual(expected);
  });
});
