import { describe, expect, it } from "vitest";
import { toBrandKit } from "../../../src/brand/kit.ts";
import { extractFrom, pageOf } from "../site-of.ts";

const TEXT = `<p>Running text that is long enough to be the text of a page, in the color of the body.</p>`;

async function headingsOf(css: string, body: string, more: Readonly<Record<string, string>> = {}) {
  const { colors } = await extractFrom({ "/": pageOf(css, body), ...more });
  return { light: colors.light?.heading?.hex ?? null, dark: colors.dark?.heading?.hex ?? null };
}

describe("the color of headings", () => {
  it("is found if it differs from the text's", async () => {
    const css = `body { background: #fffdf7; color: #45556c } h1, h2 { color: #0f172a }`;
    expect(await headingsOf(css, `<main><h1>Tides</h1><h2>Springs</h2>${TEXT}</main>`)).toEqual({
      light: "#0f172a",
      dark: null,
    });
    expect(await headingsOf("body { color: #222 }", `<main><h1>Tides</h1>${TEXT}</main>`)).toEqual({
      light: null,
      dark: null,
    });
  });

  it("is found in both schemes if it differs in one of them, since a kit has the default one's for both otherwise", async () => {
    const css = `:root { color-scheme: light dark; background: #fff; color: #333 } h1, h2 { color: #7a1f3d }
      @media (prefers-color-scheme: dark) { :root { background: #111; color: #eee } h1, h2 { color: #eee } }`;
    const body = `<main><h1>Tides</h1><h2>Springs</h2>${TEXT}</main>`;
    expect(await headingsOf(css, body)).toEqual({ light: "#7a1f3d", dark: "#eeeeee" });
    const { colors } = toBrandKit(await extractFrom({ "/": pageOf(css, body) }));
    expect(colors).toContainEqual({ role: "dark-heading", hex: "#eeeeee", name: "Heading (dark)" });
  });

  it.each([
    ["over a picture", `<section class="hero"><h1>Tides</h1></section>`],
    ["in a dark box", `<section class="box"><h1>Tides</h1><h2>Neaps</h2></section>`],
    ["with the link's color, as a link", `<h1><a href="/t">Tides</a></h1>`],
    ["painted with a gradient", `<h1 class="painted">Tides</h1>`],
    ["hard to read", `<h1 class="pale">Tides</h1>`],
    ["of the header and the footer", `<footer><h2 class="pink">Tides</h2></footer>`],
  ])("isn't that of a heading %s", async (_, heading) => {
    const css = `body { background: #fff; color: #333 } .hero { background: #123 url(/sea.jpg) } .hero h1 { color: #fff }
      .box { background: #222 } .box h1, .box h2 { color: #fc0 } h1 a { color: #06c } .pink { color: #c2185b } .pale { color: #eee }
      .painted { background: linear-gradient(#f00, #00f); -webkit-background-clip: text; color: transparent } .page h2 { color: #0b5d3b }`;
    const body = `<main class="page">${heading}<h2>Springs</h2>${TEXT}</main>`;
    expect((await headingsOf(css, body)).light).toBe("#0b5d3b");
  });

  it("is that of the largest headings rather than of smaller ones, also on other pages", async () => {
    const css = `body { background: #fff; color: #333 } h1, h2 { color: #0b5d3b } h3 { color: #c2185b }`;
    const body = `<main><h1>Tides</h1><h2>Springs</h2><h3>One</h3><h3>Two</h3><h3>Three</h3>${TEXT}<a href="/a/">A</a></main>`;
    expect((await headingsOf(css, body, { "/a/": pageOf(css, `<main><h3>A</h3>${TEXT}</main>`) })).light).toBe(
      "#0b5d3b",
    );
  });

  it("is that of the rules for headings if no page shows one on the page's background", async () => {
    const css = `body { background: #fff; color: #333 } h2 { color: #0b5d3b } .hero { background: #123; color: #fff }`;
    const body = `<main><div class="hero"><h1>Tides</h1></div>${TEXT}</main>`;
    expect((await headingsOf(css, body)).light).toBe("#0b5d3b");
  });
});
