import { describe, expect, it } from "vitest";
import { partsOf, removedParts } from "../../src/html/page-parts.ts";

const PAGE = `<!doctype html><head><style>p { color: red }</style></head><body><iframe src="/map"></iframe><form></form></body>`;

describe("elements that hosts remove from pages", () => {
  it("are found in a built page", () => {
    expect(partsOf(PAGE)).toEqual(["styles", "frames", "forms"]);
    expect(partsOf(`<link rel="stylesheet" href="/a.css"><script src="/a.js"></script><svg></svg>`)).toEqual([
      ...["scripts", "styles", "drawings"],
    ]);
    expect(partsOf(`<script type="application/ld+json">{}</script>`)).toEqual([]);
  });

  it("are found if the sent page has them and the shown page doesn't", () => {
    const shown = PAGE.replace(/<style>.*<\/style>/, "").replace(/<iframe.*<\/iframe>/, "");
    expect(removedParts(PAGE, shown)).toEqual(["styles", "frames"]);
    expect(removedParts(PAGE, PAGE)).toEqual([]);
  });

  it("don't include ones that a host only moves, or comments", () => {
    const linked = PAGE.replace(/<style>.*<\/style>/, `<link rel="stylesheet" href="/page.css">`);
    expect(removedParts(PAGE, linked)).toEqual([]);
    expect(removedParts(`<!-- <iframe></iframe> --><p>Hi</p>`, "<p>Hi</p>")).toEqual([]);
  });

  it("are counted for scripts, because hosts add their own", () => {
    const sent = `<script>one()</script><script>two()</script>`;
    expect(removedParts(sent, `<script>host()</script>`)).toEqual(["scripts"]);
    expect(removedParts(sent, `${sent}<script>host()</script>`)).toEqual([]);
  });

  it("include images whose addresses a host moves to where only a script finds them, unless it adds one", () => {
    const sent = `<img alt="Felt" src="/felt.jpg">`;
    const delayed = `<img alt="Felt" data-src="/felt.jpg" class="lazyload">`;
    expect(removedParts(sent, delayed)).toEqual(["images"]);
    expect(removedParts(sent, `${delayed}<script src="/lazysizes.js"></script>`)).toEqual([]);
    expect(removedParts(sent, `<img alt="Felt" srcset="/felt-400.jpg 400w">`)).toEqual([]);
    expect(removedParts(delayed, delayed)).toEqual([]);
  });
});
