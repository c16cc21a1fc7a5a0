import { describe, expect, it } from "vitest";
import { extractBrand } from "../../src/brand/extract.ts";
import { contrastOf } from "../../src/brand/color/contrast.ts";
import type { BrandDesign } from "../../src/contract/brand-design.ts";
import { DEFAULT_ORIGIN } from "./corpus/corpus-site.ts";
import { pagesOf, readWrittenSite, WRITTEN_SITES } from "./corpus/written-sites.ts";
import { extractFrom, pageOf } from "./site-of.ts";

async function designOf(name: string): Promise<BrandDesign | null> {
  const site = WRITTEN_SITES.find((known) => known.name === name);
  if (site === undefined) throw new Error(`There is no site ${name}.`);
  const { design } = await extractBrand({
    read: readWrittenSite(site),
    home: `${DEFAULT_ORIGIN}/`,
    pages: pagesOf(site),
  });
  return design;
}

describe("a site's design", () => {
  it("includes buttons and cards that are styled only with utility classes", async () => {
    expect(await designOf("kite-school")).toMatchObject({
      button: { radius: 6, borderWidth: 0, paddingBlock: 8, paddingInline: 16 },
      card: { radius: 12, borderWidth: 1, paddingBlock: 24, paddingInline: 24 },
      headingSizes: [48, 20, 18.7, 16],
    });
  });

  it("includes header, footer, and buttons in each of the site's schemes", async () => {
    const design = await designOf("two-tone-docs");
    expect(design?.surfaces).toContainEqual({
      part: "button",
      scheme: "light",
      background: "#0f766e",
      text: "#ffffff",
    });
    expect(design?.surfaces).toContainEqual({ part: "button", scheme: "dark", background: "#5eead4", text: "#0b1416" });
    const law = await designOf("dark-header-law");
    expect(law?.surfaces[0]).toEqual({ part: "header", scheme: "light", background: "#14213d", text: "#ffffff" });
    expect(law?.surfaces[1]).toEqual({ part: "footer", scheme: "light", background: "#14213d", text: "#c9d1dd" });
  });

  it("includes the box around the page, and the color outside it", async () => {
    expect((await designOf("alder-joinery"))?.wrapper).toMatchObject({
      width: 1000,
      shadow: "0 0 30px rgba(0,0,0,.4)",
      grounds: [{ scheme: "light", background: "#3d5f4d" }],
    });
    expect((await designOf("cms-wrapper-rowing"))?.wrapper).toMatchObject({
      width: 960,
      borderWidth: 1,
      grounds: [{ scheme: "light", background: "#8fb9bd", border: "#004d5a" }],
    });
    expect((await designOf("spacer-motel"))?.wrapper).toMatchObject({
      width: 760,
      grounds: [{ scheme: "light", background: "#003366" }],
    });
    for (const site of ["tailwind-apiary", "one-color-portfolio", "dark-header-law"])
      expect((await designOf(site))?.wrapper).toBeUndefined();
  });

  it("includes the color of the block that fills a header or footer, but not of a box in it", async () => {
    expect((await designOf("reel-cutter"))?.surfaces).toContainEqual({
      part: "footer",
      scheme: "light",
      background: "#171717",
      text: "#ffffff",
    });
    const css = `body { background: #fff; color: #222 } .pill { background: #246; border-radius: 40px; padding: 9px } .pill a { color: #fff }`;
    const body = `<header><nav class="pill"><a href="/">Tidewater</a> <a href="/work">Work</a></nav></header><main><p>A paragraph.</p></main>`;
    const { design } = await extractFrom({ "/": pageOf(css, body) });
    expect(design?.surfaces[0]).toMatchObject({ part: "header", background: "#ffffff" });
  });

  it.each([
    [
      "with an empty overlay of a site builder",
      `<div class="layer"></div>`,
      { background: "#56633a", text: "#fdfbf0" },
    ],
    [
      "with overlays in each other",
      `<div class="fill"><div class="layer"></div></div>`,
      { background: "#56633a", text: "#fdfbf0" },
    ],
    ["without the color of a stripe", `<div class="layer stripe"></div>`, { background: "#ffffff", text: "#333333" }],
  ])("includes a header's color %s", async (_, layer, colors) => {
    const css = `body { background: #fff; color: #333 } .layer, .fill { position: absolute; inset: 0 } .layer { background: #56633a } .stripe { height: 4px } header a { color: ${colors.text} }`;
    const body = `<header>${layer}<div class="in"><a href="/">Tidewater</a> <a href="/m">Menu</a></div></header><main><p>A paragraph.</p></main>`;
    const { design } = await extractFrom({ "/": pageOf(css, body) });
    expect(design?.surfaces[0]).toMatchObject({ part: "header", ...colors });
  });

  it("includes the color of a masthead with the site's logo rather than that of the navigation below it", async () => {
    const css = "body { background: #fff; color: #333 } .mast { background: #1d3557 } nav { background: #e9c46a }";
    const body = `<div class="wrap"><div class="mast"><a href="/"><img src="/logo.svg" alt="Tidewater"></a></div><nav><a href="/m">Menu</a></nav><main><p>Pilots take ships up the river whatever the tide does that day, and bring them down again with the ebb.</p></main></div>`;
    const { design } = await extractFrom({ "/": pageOf(css, body) });
    expect(design?.surfaces[0]).toMatchObject({ part: "header", background: "#1d3557" });
  });

  it("includes the text color of a footer without links", async () => {
    const css = "body { background: #fff; color: #000 } footer { background: #231d1a } footer p { color: #f9f6f0 }";
    const body = `<header><a href="/">Tidewater</a></header><main><p>A paragraph.</p></main><footer><p>Clay Farm</p></footer>`;
    const { design } = await extractFrom({ "/": pageOf(css, body) });
    expect(design?.surfaces[1]).toMatchObject({ part: "footer", background: "#231d1a", text: "#f9f6f0" });
  });

  it.each([
    ["links over a picture", '<a href="/">Tidewater</a>', "#ffffff"],
    ["only a drawing over a picture", '<a href="/"><svg viewBox="0 0 9 9"></svg></a>', undefined],
    ["only a drawing on a dark ground", '<a class="dark" href="/"><svg viewBox="0 0 9 9"></svg></a>', "#ffffff"],
  ])("never has text that vanishes on its background: a header with %s", async (_, content, text) => {
    const css = `body { background: #fff; color: #1c2b36 } header { position: absolute } header a { color: #fff }
      header:has(.dark) { background: #0c1a2b } .hero { background: url(/sea.jpg); color: #fff }`;
    const body = `<header>${content}</header><section class="hero"><h1>Up the river</h1></section><main><p>${"Words on the page. ".repeat(9)}</p></main>`;
    const { design } = await extractFrom({ "/": pageOf(css, body) });
    const header = design?.surfaces.find(({ part }) => part === "header");
    if (text !== undefined) expect(header?.text).toBe(text);
    expect(contrastOf(header?.text ?? "", header?.background ?? "")).toBeGreaterThan(4.5);
  });

  it("includes the color of the header's band with the site's logo or name", async () => {
    const design = await designOf("fern-nursery");
    expect(design?.surfaces[0]).toEqual({ part: "header", scheme: "light", background: "#ffffff", text: "#2f3427" });
    expect(design?.button).toMatchObject({ paddingBlock: 0, paddingInline: 24 });
  });

  it.each(["100vmax", "100lvw", "50vmin", "calc(infinity * 1px)"])(
    "uses a radius of %s for fully rounded ends",
    async (radius) => {
      const css = `.go { background: #b00; color: #fff; padding: 9px 20px; border-radius: ${radius} }`;
      const { design } = await extractFrom({ "/": pageOf(css, `<main><a class="go" href="/x">Go on</a></main>`) });
      expect(design?.button?.radius).toBe(9999);
    },
  );

  it.each([
    ["wrapped in blocks by a builder", `<a class="go" href="/x"><div><p>Go on</p></div></a>`],
    ["padded by its height", `<a class="go tall" href="/x">Go on</a>`],
    ["with a library's prefix", `<a class="VPButton go flat" href="/x">Go on</a>`],
    ["with a label in its own color", `<a class="go pale" href="/x"><span>Go on</span></a>`],
  ])("finds a link as a button: %s", async (_, button) => {
    const css = `.go { background: #b00; color: #fff; padding: 9px 20px } .tall { padding: 0 20px; min-height: 45px }
      .flat { padding: 0 20px; line-height: 38px } .pale { color: #222 } .pale span { color: #fff }`;
    const { design } = await extractFrom({ "/": pageOf(css, `<main>${button}</main>`) });
    expect(design?.surfaces).toContainEqual({
      part: "button",
      scheme: "light",
      background: "#bb0000",
      text: "#ffffff",
    });
  });

  it("finds a black link in the content as a button, if there is no other", async () => {
    const css = `.go { background: #111; color: #fff; padding: 9px 20px } body { background: #fff }`;
    const { design, colors } = await extractFrom({
      "/": pageOf(css, `<main><a class="go" href="/x">Go on</a></main>`),
    });
    expect(design?.surfaces).toContainEqual({
      part: "button",
      scheme: "light",
      background: "#111111",
      text: "#ffffff",
    });
    expect(colors.light?.primary).toBeNull();
  });

  it("prefers the button in the site's primary color among equally common ones", async () => {
    const css = `:root { --brand: #722f37 } a { color: var(--brand) } .go { background: #0d6efd; color: #fff; padding: 9px 20px } .own { background: var(--brand) }`;
    const body = `<div><a class="go" href="https://builder.example/">Built with Builder</a></div><main><p>Read <a href="/t">the terms</a>.</p><a class="go own" href="/x">Go on</a></main>`;
    const { design } = await extractFrom({ "/": pageOf(css, body) });
    expect(design?.surfaces).toContainEqual(expect.objectContaining({ part: "button", background: "#722f37" }));
  });

  it("doesn't use the buttons of a cookie banner or a dialog", async () => {
    const css = `.go { background: #b00; color: #fff; padding: 9px 20px } .ok { background: #0b0; color: #fff; padding: 2px 20px }`;
    const others = `<div role="dialog"><button class="ok">Accept all</button><button class="ok">Reject all</button></div>`;
    const { design } = await extractFrom({
      "/": pageOf(css, `<main><a class="go" href="/x">Go on</a></main>${others}`),
    });
    expect(design?.surfaces).toContainEqual({
      part: "button",
      scheme: "light",
      background: "#bb0000",
      text: "#ffffff",
    });
  });

  it("measures the text column without its box's padding", async () => {
    expect((await designOf("gull-notes"))?.textWidth).toBe(736);
  });

  it("resolves relative and computed lengths", async () => {
    const css = `html { font-size: 62.5% } body { font-size: 1.8rem; background: #fff; color: #222 }
      main { max-width: min(72rem, 90vw) } h1 { font-size: clamp(2rem, 1rem + 5vw, 5.6rem) }
      .go { background: #b00; color: #fff; padding: calc(.5em + 1px) 2em; border-radius: 50rem }`;
    const { design } = await extractFrom({
      "/": pageOf(
        css,
        `<main><h1>Long things</h1><p>A paragraph that is long enough to count as text of a page, with a full stop and more.</p><a class="go" href="/x">Go on</a></main>`,
      ),
    });
    expect(design).toMatchObject({
      textWidth: 720,
      textSize: 18,
      headingSizes: [56, 27, 21.1, 18],
      button: { radius: 9999, paddingBlock: 10, paddingInline: 36 },
    });
  });
});
