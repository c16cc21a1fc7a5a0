import { describe, expect, it } from "vitest";
import { findInsertions, isSameContent, UNKNOWN_ADDRESS, withoutInsertions } from "../../src/html/host-change.ts";

const PAGE = `<!DOCTYPE html><html lang="en"><head><title>Tea &amp; cake</title></head><body class="home" id="top"><p>Open  daily.</p><!-- note --><br/></body></html>`;
const OTHER = PAGE.replace("Open  daily.", "Letterpress");

describe("a page has the same content if a host only serialized it differently:", () => {
  it.each([
    ["attributes in another order, and other quotes", PAGE.replace(`class="home" id="top"`, `id='top' class=home`)],
    ["other spaces", PAGE.replace("Open  daily.", "\n  Open daily.\n")],
    ["tags in another case", PAGE.replace("<body", "<BODY").replace("</p>", "</P>")],
    ["characters instead of references", PAGE.replace("&amp;", "&#38;")],
    ["without comments", PAGE.replace("<!-- note -->", "")],
    ["no slashes in void elements", PAGE.replace("<br/>", "<br>")],
  ])("%s", (_, shown) => {
    expect(shown).not.toBe(PAGE);
    expect(isSameContent(PAGE, shown)).toBe(true);
  });
});

describe("a page has other content if someone changed", () => {
  it.each([
    ["a word", "daily", "weekly"],
    ["an attribute", `class="home"`, `class="home wide"`],
    ["an element", "<br/>", ""],
    ["an order", "<br/></body>", "</body><br/>"],
  ])("%s", (_, from, to) => {
    expect(isSameContent(PAGE, PAGE.replace(from, to))).toBe(false);
  });
});

describe("content that a host adds to each page", () => {
  const withBanner = (html: string, place: RegExp) => html.replace(place, "$&<aside>Made with <b>Acme</b></aside>");
  const counted = (html: string, at: number) => html.replace("</head>", `<script>visit = ${at};</script></head>`);

  it.each([/<body[^>]*>/, /<br\/>/, /^/, /$/])("is found on one page and removed from another (%s)", (place) => {
    const insertions = findInsertions(PAGE, withBanner(PAGE, place)) ?? [];
    expect(insertions).toHaveLength(1);
    expect(withoutInsertions(withBanner(OTHER, place), insertions)).toBe(OTHER);
  });

  it("is found in two places", () => {
    const twice = (html: string) => counted(withBanner(html, /<body[^>]*>/), 1795600000001);
    const insertions = findInsertions(PAGE, twice(PAGE)) ?? [];
    expect(insertions).toHaveLength(2);
    expect(withoutInsertions(twice(OTHER), insertions)).toBe(OTHER);
  });

  it("is found beside the address of an unknown file", () => {
    const linking = (address: string) => PAGE.replace("<br/>", `<img src="${address}" alt="A cup">`);
    const insertions = findInsertions(linking(UNKNOWN_ADDRESS), withBanner(linking("/files/cup.png"), /<body[^>]*>/));
    expect(insertions).toEqual(["<aside>Made with <b>Acme</b></aside>"]);
  });

  it("can be a visit counter that differs on each visit", () => {
    const insertions = findInsertions(PAGE, counted(PAGE, 1795600000001)) ?? [];
    expect(withoutInsertions(counted(OTHER, 1795600000345), insertions)).toBe(OTHER);
  });

  it("doesn't hide another change", () => {
    const insertions = findInsertions(PAGE, withBanner(PAGE, /<br\/>/)) ?? [];
    const edited = withBanner(OTHER.replace("Letterpress", "Letterpress, closed"), /<br\/>/);
    expect(withoutInsertions(edited, insertions)).not.toBe(OTHER);
  });

  it.each([/<title>/, /<\/title>(?=<)/, /Open/, /<p>/, /<\/p>/])(
    "isn't found inside the page's content (%s)",
    (place) => {
      const inside = PAGE.replace("</title>", "</title><meta>");
      expect(findInsertions(inside, withBanner(inside, place))).toBeUndefined();
    },
  );

  it("isn't found if something was removed or replaced", () => {
    expect(findInsertions(PAGE, withBanner(PAGE.replace("daily", "weekly"), /<br\/>/))).toBeUndefined();
    expect(findInsertions(PAGE, PAGE.replace("<br/>", ""))).toBeUndefined();
  });
});
