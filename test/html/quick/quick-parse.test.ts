import { globSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseByStandard } from "../../../src/html/parse.ts";
import { parseQuickly } from "../../../src/html/quick/quick-parse.ts";
import { describeTree } from "./describe-tree.ts";
import { HARD_CASES } from "./hard-cases.ts";
import { mutate, mutations, page, soup, walk } from "./soup.ts";

/** `IMPRINT_PARSER_RUNS=100000` for changes to the rules. */
const RUNS = Number(process.env["IMPRINT_PARSER_RUNS"] ?? 2000);
const BUILT_PAGES = globSync("test/fixtures/**/*.html").map((path) => readFileSync(path, "utf8"));

describe("parseQuickly", () => {
  it.each(HARD_CASES)("returns the standard's tree for %s, or none", (_, html) => {
    expectTheStandardOrNothing(html);
  });

  it("handles enough of the hard cases itself", () => {
    const parsed = HARD_CASES.filter(([, html]) => parseQuickly(html).kind === "parsed");
    expect(HARD_CASES.length).toBeGreaterThan(101);
    expect(parsed.length / HARD_CASES.length).toBeGreaterThan(0.4);
  });

  it("parses nearly all built pages of the fixtures, some of which are intentionally malformed", () => {
    const parsed = BUILT_PAGES.filter((html) => expectTheStandardOrNothing(html) === "parsed");
    expect(parsed.length / BUILT_PAGES.length).toBeGreaterThan(0.9);
  });

  it.each([
    ["typical pages", page, 0.4],
    ["arbitrarily nested elements", walk, 0.5],
    ["tags in any order", soup, 0.05],
  ])("returns the standard's tree or none for %s, and a tree for enough of them", (_, texts, leastShare) => {
    const shares = { parsed: 0, all: 0 };
    fc.assert(
      fc.property(texts, (html) => {
        shares.all += 1;
        if (expectTheStandardOrNothing(html) === "parsed") shares.parsed += 1;
      }),
      { numRuns: RUNS },
    );
    expect(shares.parsed / shares.all).toBeGreaterThan(leastShare);
  });

  it("returns the standard's tree or none for damaged built pages", () => {
    expect(BUILT_PAGES.length).toBeGreaterThan(50);
    fc.assert(
      fc.property(fc.constantFrom(...BUILT_PAGES), mutations, (html, changes) => {
        expectTheStandardOrNothing(mutate(html, changes));
      }),
      { numRuns: RUNS / 2 },
    );
  });
});

function expectTheStandardOrNothing(html: string): "parsed" | "refused" {
  const result = parseQuickly(html);
  if (result.kind === "parsed") {
    expect(describeTree(result.document)).toEqual(describeTree(parseByStandard(html)));
  }
  return result.kind;
}
