import { expect, it } from "vitest";
import { explainBrand } from "../../src/brand/explain.ts";
import { extractFrom, pageOf } from "./site-of.ts";

it("explains each role in lines: the value, its confidence, and its evidence", async () => {
  const css =
    ":root { --brand: #25c2a0 } body { background: #fff; color: #222; font-family: Lora, serif } a { color: #25c2a0 }";
  const findings = await extractFrom({ "/": pageOf(css, "<h1>Title</h1><p>Text that is long enough to be text.</p>") });
  expect(explainBrand(findings, "primary")).toEqual([
    "primary (light): #25c2a0, 88% sure",
    "  - --brand",
    "  - links",
    "primary (dark): the site has no dark scheme.",
  ]);
  expect(explainBrand(findings, "accent")[0]).toBe("accent (light): no color found.");
  expect(explainBrand(findings, "heading")).toEqual([
    "heading (light): the color of the text.",
    "heading (dark): the site has no dark scheme.",
    "heading font: Lora, 90% sure",
    "  - 1 h1 elements",
    "  - weights 700",
    "  - written as Lora, serif",
  ]);
  expect(explainBrand(findings, "mono")).toEqual(["mono font: not set by the styles."]);
  expect(explainBrand(findings, "logo")).toEqual([
    "logo: not found. No image links to the home page or is named logo, and no icon is linked.",
  ]);
});
