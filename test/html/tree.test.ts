import { describe, expect, it } from "vitest";
import { parseByStandard, parseHtml } from "../../src/html/parse.ts";
import { findChild, innerRange, textOf, visitElements, type HtmlElement } from "../../src/html/tree.ts";

function elementsOf(html: string): readonly { readonly element: HtmlElement; readonly inert: boolean }[] {
  const elements: { readonly element: HtmlElement; readonly inert: boolean }[] = [];
  visitElements(parseHtml(html), (element, { inert }) => elements.push({ element, inert }));
  return elements;
}

describe.each([
  ["a simple page", ""],
  // A tag without an element makes the page fall back to parse5.
  ["a page for parse5", "</i>"],
])("the tree of %s", (_, mark) => {
  it("is visited in document order, with inert parts marked", () => {
    const html = `<a><b></b></a>${mark}<template><c-c></c-c><noscript><d-d></d-d></noscript></template><e-e></e-e>`;
    expect(elementsOf(html).map(({ element, inert }) => `${element.tagName}${inert ? " inert" : ""}`)).toEqual([
      "html",
      "head",
      "body",
      "a",
      "b",
      "template",
      "c-c inert",
      "noscript inert",
      "d-d inert",
      "e-e",
    ]);
  });

  it("returns the visible text, without comments and templates", () => {
    const { root } = parseHtml(`<h1> a <b>b</b><!-- c -->\n&amp; <template>d</template>${mark}e</h1>`);
    expect(textOf(root)).toBe("a b & e");
  });

  it("keeps the source and the location of each element", () => {
    const html = `<p>${mark}<svg viewBox="1"><feImage xlink:href='a&amp;b' /></svg><script src=x>1</script>`;
    const [, , , , svg, image, script] = elementsOf(html).map(({ element }) => element);
    expect(svg?.attrs.map(({ name }) => name)).toEqual(["viewbox"]);
    expect(image?.tagName).toBe("feimage");
    expect(image?.attrs.map(({ name, value, start, end }) => [name, value, html.slice(start, end)])).toEqual([
      ["xlink:href", "a&b", "xlink:href='a&amp;b'"],
    ]);
    const range = script && innerRange(script);
    expect(html.slice(range?.start, range?.end)).toBe("1");
    expect(html.slice(script?.source?.start, script?.source?.end)).toBe("<script src=x>1</script>");
  });
});

describe("parseByStandard", () => {
  it("gives an element only the attributes of its own tag", () => {
    const { root } = parseByStandard("<body class=a><body class=b id=c><html lang=en>");
    const body = findChild(root, ({ tagName }) => tagName === "body");
    expect(body?.attrs.map(({ name, value }) => `${name}=${value}`)).toEqual(["class=a"]);
    expect(root.attrs).toEqual([]);
    expect(root.source).toBeUndefined();
  });

  it("parses elements nested a hundred thousand levels deep", () => {
    const { root } = parseByStandard("<div>".repeat(100_000));
    let depth = 0;
    visitElements({ root, doctypeEnd: undefined }, () => (depth += 1));
    expect(depth).toBe(100_003);
  });
});
