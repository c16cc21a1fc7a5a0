import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCssAddresses, renderCssString, renderCssUrl } from "../../src/html/css-addresses.ts";

function addressesIn(css: string): readonly string[] {
  return findCssAddresses(css).map(({ kind, address }) => `${kind} ${address}`);
}

describe("findCssAddresses", () => {
  it.each([
    ["a{b:url(x.png)}", ["url x.png"]],
    ["a{b:url( 'x y.png' )}", ["url x y.png"]],
    ['a{b:URL("x.png")url(y)}', ["url x.png", "url y"]],
    ["a{b:url(a\\)b\\28 c)}", ["url a)b(c"]],
    ["a{b:url()}", ["url "]],
    ["a{b:myurl(x)}", []],
    ["/* url(x) */a{b:'url(x)'}", []],
    ["a{content:'\\'';b:url(x)}", ["url x"]],
    ["a{content:'unclosed\n;b:url(x)}", ["url x"]],
    ['@import "a.css";@import url(b.css) screen;', ["import a.css", "import b.css"]],
    [
      "@import url(https://fonts.example/css2?family=A:wght@400;700);@import 'b.css';",
      ["import https://fonts.example/css2?family=A:wght@400;700", "import b.css"],
    ],
    ["@layer x,y;@import 'a.css' layer(x);", ["import a.css"]],
    ["@layer x{a{}}@import 'late.css';", []],
    ["a{}@import 'late.css';", []],
    ["@import-like 'a.css';", []],
    ["a{b:image-set('x.png' 1x,url(y.png) type('image/png') 2x)}c{d:'z'}", ["string x.png", "url y.png"]],
    ["a{b:-webkit-image-set(url(x) 1x)}", ["url x"]],
    ["a{b:url(x", ["url x"]],
    ["a{b:url('x", ["url x"]],
    ["/* open url(x)", []],
  ])("%s", (css, expected) => {
    expect(addressesIn(css)).toEqual(expected);
  });

  it("keeps the text after an imported address", () => {
    const [address] = findCssAddresses(
      "@import url(a.css) layer(base) supports(display: grid) screen and (width > 1px);",
    );
    expect(address?.conditions).toBe("layer(base) supports(display: grid) screen and (width > 1px)");
  });

  it("never fails, and returns sorted places that don't overlap", () => {
    const pieces = fc.constantFrom(
      "url(",
      "'",
      '"',
      ")",
      "\\",
      "/*",
      "*/",
      "@import ",
      "image-set(",
      ";",
      "{",
      "}",
      "x",
      "\n",
      " ",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const css = parts.join("");
        let position = 0;
        for (const { start, end } of findCssAddresses(css)) {
          expect(start).toBeGreaterThanOrEqual(position);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(css.length);
          position = end;
        }
      }),
    );
  });

  it("reads back every address that it writes", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }).filter((text) => !/[\0\ud800-\udfff]/.test(text)),
        (address) => {
          expect(findCssAddresses(`a{b:${renderCssUrl(address)}}`).map((found) => found.address)).toEqual([address]);
          const inSet = findCssAddresses(`a{b:image-set(${renderCssString(address)} 1x)}`);
          expect(inSet.map((found) => found.address)).toEqual([address]);
        },
      ),
    );
  });
});
