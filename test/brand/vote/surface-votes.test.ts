import { describe, expect, it } from "vitest";
import { extractFrom, pageOf } from "../site-of.ts";

const CSS =
  "body { background: #fff; color: #222 } .cream { background: #f9f6f0 } .tan { background: #e9dfcf } .pad { padding: 9px }";
const TEXT = "<p>On the first Saturday we cook what came up the lane that morning, for twelve.</p>";

async function backgroundOf(sections: string, css = ""): Promise<string | undefined> {
  const { colors } = await extractFrom({
    "/": pageOf(CSS + css, `<header><a href="/">Tidewater</a></header><main>${sections}</main>`),
  });
  return colors.light?.background?.hex;
}

describe("the background of a page with a white body", () => {
  it("is that of the section with most text if sections cover the body", async () => {
    expect(
      await backgroundOf(`<section class="tan"><p>Seventy.</p></section><section class="cream">${TEXT}</section>`),
    ).toBe("#f9f6f0");
  });

  it("is that with most text if several sections have it", async () => {
    const hero = `<section style="background: #5755d9">${TEXT}${TEXT}</section>`;
    expect(
      await backgroundOf(`<section class="tan">${TEXT}</section>${hero}<section class="tan">${TEXT}${TEXT}</section>`),
    ).toBe("#e9dfcf");
  });

  it.each([
    [
      "a section has it, too",
      `<section class="cream">${TEXT}</section><section style="background: #fff"><p>Seventy.</p></section>`,
      "",
    ],
    ["a section shows it", `<section class="cream">${TEXT}</section><section><p>Seventy.</p></section>`, ""],
    [
      "they are cards",
      `<section class="cream">${TEXT}</section><section class="tan">${TEXT}</section>`,
      "section { border-radius: 8px }",
    ],
  ])("stays white if %s", async (_, sections, css) => {
    expect(await backgroundOf(sections, css)).toBe("#ffffff");
  });
});
