import { expect, it } from "vitest";
import { extractFrom, pageOf } from "../site-of.ts";

it("uses the color of actual links if none has that of the rule for all links, as with a framework", async () => {
  const css = "body { background: #fff; color: #222 } a { color: #337ab7 } .text a { color: #0e8a7d }";
  const text = `<div class="text"><p>Since 1987 we look after teeth, and <a href="/team">you can meet us</a>.</p></div>`;
  const { colors } = await extractFrom({ "/": pageOf(css, text) });
  expect(colors.light?.link).toMatchObject({ hex: "#0e8a7d", evidence: ["1 of 1 links in the content"] });
});
