import { describe, expect, it } from "vitest";
import { indexRules } from "../../../src/brand/css/cascade.ts";
import { parseSheet } from "../../../src/brand/css/parse-sheet.ts";
import { parseDocument } from "../../../src/brand/document.ts";
import { createLikeness } from "../../../src/brand/page/likeness.ts";
import { HOME } from "../site-of.ts";

const INDEX = indexRules([
  { sheet: parseSheet("#offer { color: red } p { color: green }", HOME), conditions: [], layer: "" },
]);
const PAGE = `<main><h2 id="tides" class="title">Tides</h2><p>High at <a href="/noon" title="Noon">noon</a>.</p></main>`;

function areAlike(other: string): boolean {
  const [first, second] = [PAGE, other].map((body) =>
    parseDocument(`<!doctype html><title>${body.length}</title>${body}`),
  );
  const likenessOf = createLikeness();
  return first !== undefined && second !== undefined && likenessOf(first, INDEX) === likenessOf(second, INDEX);
}

describe("two pages look alike", () => {
  it.each([
    ["with other words", PAGE.replace("High", "Low")],
    ["with other link targets", PAGE.replace("/noon", "/dusk").replace("Noon", "Dusk")],
    [
      "with more of the same elements",
      PAGE.replace("</main>", `<p>Low at <a href="/six" title="Six">six</a>.</p></main>`),
    ],
    ["with an id that no rule uses", PAGE.replace('id="tides"', 'id="ebb"')],
  ])("%s", (_, other) => {
    expect(areAlike(other)).toBe(true);
  });

  it.each([
    ["with another class", PAGE.replace('class="title"', 'class="lead"')],
    ["with an id that a rule uses", PAGE.replace('id="tides"', 'id="offer"')],
    ["with an inline style", PAGE.replace("<p>", '<p style="color: blue">')],
    ["with an element of another kind", PAGE.replace("noon</a>", "<b>noon</b></a>")],
    ["with one element less", PAGE.replace(/<h2.*<\/h2>/, "")],
    ["with the same elements in others", PAGE.replace("<p>", "<section><p>").replace("</p>", "</p></section>")],
    ["with a dead link", PAGE.replace('href="/noon"', "")],
    ["with a theme on the root", PAGE.replace("<main>", '<body class="dark"><main>')],
  ])("but not %s", (_, other) => {
    expect(areAlike(other)).toBe(false);
  });
});
