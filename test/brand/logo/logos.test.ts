import { describe, expect, it } from "vitest";
import type { BrandFindings } from "../../../src/brand/findings.ts";
import { extractFrom, HOME, pageOf } from "../site-of.ts";

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 30"><path d="M0 0h9v9z"/></svg>`;
const FILES = {
  "/logo.svg": SVG,
  "/dark.svg": SVG.replace("120", "121"),
  "/other.svg": SVG,
  "/icon.svg": SVG,
  "/guild-logo.svg": SVG,
};

async function logosOf(body: string, { css = "", head = "" } = {}): Promise<BrandFindings["logos"]> {
  const page = pageOf(`body { background: #fff; color: #123456 } ${css}`, body).replace("</head>", `${head}</head>`);
  return (await extractFrom({ "/": page, ...FILES })).logos;
}

describe("the logo", () => {
  it.each([
    ["is the picture in the header's link to the home page", `<header><a href="/"><img src="/logo.svg"></a></header>`],
    ["is the header's picture that is named logo", `<header><img class="site-logo" src="/logo.svg"></header>`],
    ["is recognized by its file name", `<nav><span><img src="/logo.svg"></span></nav>`],
    ["is recognized by its alternative text", `<div class="navbar"><img src="/logo.svg" alt="Tidewater logo"></div>`],
    ["is recognized in a srcset", `<header><a href="/"><img srcset="/logo.svg 1x, /other.svg 2x" alt=""></a></header>`],
    [
      "is that of a source if the picture's image has none",
      `<header><a href="/"><picture><source srcset="/logo.svg"><img alt=""></picture></a></header>`,
    ],
    [
      "is the image with the site's name in the first link, if it leads to the root of a host, and none leads home",
      `<header><a href="https://tide.example"><img src="/logo.svg" alt="Tidewater"></a> <a href="/fees">Fees</a></header>`,
    ],
    ["is an object in the home link", `<header><a href="/"><object data="/logo.svg"></object></a></header>`],
    [
      "is an image with the site's name in the home link, whatever its class",
      `<aside><a href="/"><img class="avatar" src="/logo.svg" alt="Tidewater"></a></aside>`,
    ],
    [
      "is an image with the site's name in a link to the top of the page",
      `<nav><a class="navbar-brand" href="#"><img src="/logo.svg" alt="Tidewater"></a></nav>`,
    ],
    [
      "isn't the flag beside it",
      `<header><img src="/other.svg" alt="Flag of France"><a href="/index.html"><img src="/logo.svg"></a></header>`,
    ],
    [
      "is recognized even if the site's name is also a word for pictures from others",
      `<header><a href="/"><img src="/logo.svg" alt="Halden Press"></a></header>`,
    ],
    [
      "is the one in a home link below a line of other links, if it has the site's name",
      `<div><a href="/find-us">Find us</a></div><div><a href="/"><img src="/logo.svg" alt="Tidewater"></a></div>`,
    ],
    [
      "is recognized in a link that is named after its target",
      `<header><a class="Header_home__9sd0a" href="/"><img src="/logo.svg" alt=""></a></header>`,
    ],
    [
      "is recognized beside a theme's name for it",
      `<div><div class="widget widget-theme-site-logo"><a href="/"><img src="/logo.svg" alt=""></a></div></div>`,
    ],
    [
      "is recognized in a container that is named after the menu in it",
      `<header><div class="clearfix et_menu_container"><div class="logo_container"><a href="/"><img id="logo" src="/logo.svg" alt="Tidewater"></a></div></div></header>`,
    ],
    [
      "is recognized in a rel=home link, whatever its address",
      `<header><a rel="home" href="https://old-host.example/"><img class="custom-logo" src="/logo.svg" alt=""></a></header>`,
    ],
    [
      "is the background of a link with the site's name",
      `<div><a href="tel:+1">Call</a><a href="/pay">Pay</a></div><header><a href="/" style="background-image:url(/logo.svg)">Tidewater</a></header>`,
    ],
    [
      "is the background of an element in the home link",
      `<header><a href="/"><div class="site-logo" role="img" aria-label="Tidewater" style="background:url(/logo.svg)"></div></a></header>`,
    ],
    [
      "is the lazy-loaded picture behind a placeholder",
      `<header><a href="/"><img class="logo" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/logo.svg"></a></header>`,
    ],
    [
      "is recognized in a link named logo to the top of a site of one page",
      `<nav><a class="logo" href="#top"><img src="/logo.svg" alt=""></a><a href="#work">Work</a></nav>`,
    ],
    [
      "is recognized in a site builder's link that leads nowhere",
      `<div role="banner"><a class="brand w-nav-brand" href="#"><img src="/logo.svg" alt=""></a></div>`,
    ],
    [
      "is recognized in a container that is named after the search in it",
      `<nav><div class="side-nav-search"><a class="icon icon-home" href="#">Loom <img class="logo" src="/logo.svg" alt="Logo"></a></div></nav>`,
    ],
    ["is the visible one", `<header><a href="/"><img src="/other.svg" hidden><img src="/logo.svg"></a></header>`],
  ])("%s", async (_, body) => {
    expect((await logosOf(body))[0]).toMatchObject({
      kind: "logo",
      source: { address: `${HOME}logo.svg` },
      width: 120,
      height: 30,
    });
  });

  it.each([
    ["logos of customers", `<main><div class="logos"><img src="/logo.svg" alt="Northwind logo"></div></main>`],
    ["links elsewhere", `<header><a href="https://github.example/"><img src="/other.svg" alt="GitHub"></a></header>`],
    [
      "icons in menus, even in home links",
      `<header><a href="/about">About</a><a href="/"><svg viewBox="0 0 9 9"><path d="M0 0h9"/></svg> Start</a></header>`,
    ],
    [
      "a house icon for the home page",
      `<header><a href="/">Home <svg class="icon-home"><path d="M0 0h9"/></svg></a></header>`,
    ],
    ["buttons", `<header><button class="logo-menu"><svg><path d="M0 0h9"/></svg></button></header>`],
    [
      "badges in the footer of a page whose name is text",
      `<header><a href="/">Tidewater</a></header><footer><img src="/logo.svg" alt="Guild of pilots logo"></footer>`,
    ],
    [
      "badges below the text of a page whose name is text",
      `<div class="top"><a href="/">Tidewater</a></div><p>Pilots take ships up the river whatever the tide does that day.</p><div class="seals"><img src="/guild-logo.svg" alt="Guild"></div>`,
    ],
    ["pictures in the content", `<main><p><img src="/other.svg" alt="A boat"></p></main>`],
    ["missing files", `<header><a href="/"><img src="/gone-logo.svg"></a></header>`],
  ])("is never one of %s", async (_, body) => {
    expect((await logosOf(body)).filter(({ kind }) => kind === "logo")).toEqual([]);
  });

  it("can be an inline SVG, which is extracted with its colors, without scripts or loaded resources", async () => {
    const body = `<header><a href="/" aria-label="Tidewater"><svg class="logo" viewBox="0 0 40 20" data-x="1" onload="alert(1)">
      <script>alert(1)</script><use href="#mark"/><circle class="dot" r="5"/><rect fill="var(--sea)" width="9" height="9"/>
      <image href="https://spy.example/x.png"/><a href="javascript:alert(1)"><path d="M0 0h9"/></a></svg></a></header>
      <svg hidden><symbol id="mark"><path fill="currentColor" d="M1 1h3"/></symbol></svg>`;
    const [logo] = await logosOf(body, {
      css: ":root { --sea: #0a9396 } header a { color: #abcdef } .dot { fill: #ee9b00 }",
    });
    const text = logo?.source.kind === "svg" ? logo.source.text : "";
    expect(logo).toMatchObject({ kind: "logo", contentType: "image/svg+xml", width: 40, height: 20 });
    for (const kept of [
      'color="#abcdef"',
      'fill="#0a9396"',
      'fill="#ee9b00"',
      'id="mark"',
      'xmlns="http://www.w3.org/2000/svg"',
    ])
      expect(text).toContain(kept);
    for (const gone of ["script", "alert", "spy.example", "onload", "data-x", "var("]) expect(text).not.toContain(gone);
  });

  it("has the color that an overlay fills its header with as its background", async () => {
    const css = ".layer { position: absolute; inset: 0; background: #14213d }";
    const logo = `<div class="in"><a href="/"><img src="/logo.svg"></a></div>`;
    const filled = await logosOf(`<header><div class="layer"></div>${logo}</header>`, { css });
    expect(filled[0]).toMatchObject({ kind: "logo", background: "#14213d" });
    const below = await logosOf(`<header><div class="layer"></div>${logo.replace("in", "in white")}</header>`, {
      css: `${css} .white { background: #fff }`,
    });
    expect(below[0]).toMatchObject({ kind: "logo", background: "#ffffff" });
  });

  it("has the color of what its header lies over as its background", async () => {
    const css = "header { position: absolute } .hero { background: #223 }";
    const body = `<header><a href="/"><img src="/logo.svg"></a></header><div class="hero"><p>Up the river</p></div>`;
    expect((await logosOf(body, { css }))[0]).toMatchObject({ kind: "logo", background: "#222233" });
  });

  it("has the color of the text as its background if it and white links lie over a video", async () => {
    const css = "header { position: absolute } header a { color: #fff } .call { background: #f60 }";
    const links = `<a href="/fees">Fees</a><a class="call" href="/book">Book</a>`;
    const body = `<header><a href="/"><img src="/logo.svg"></a>${links}</header><div><video poster="/sea.jpg"></video></div>`;
    expect((await logosOf(body, { css }))[0]).toMatchObject({ kind: "logo", background: "#123456" });
  });

  it("is drawn from a symbol in another file, without scripts", async () => {
    const symbol = `<symbol id="logo" viewBox="0 0 90 30"><script>x()</script><path fill="currentColor" d="M0 0h90v30z"/></symbol>`;
    const page = pageOf(
      "header a { color: #123456 }",
      `<header><a href="/"><svg><use href="/sprite.svg#logo"></use></svg></a></header><p>Words on the page.</p>`,
    );
    const { logos } = await extractFrom({ "/": page, "/sprite.svg": `<svg>${symbol}</svg>` });
    expect(logos).toMatchObject([{ kind: "logo", width: 90, height: 30, source: { kind: "svg" } }]);
    const [text] = logos.map(({ source }) => (source.kind === "svg" ? source.text : ""));
    expect(text).toMatch(/^<svg xmlns="[^"]+" [^>]*color="#123456"[^>]*>.*<path /);
    expect(text).not.toContain("script");
  });

  it("has a second one if the dark scheme shows another", async () => {
    const css = "@media (prefers-color-scheme: dark) { body { background: #111 } }";
    const picture = `<picture><source media="(prefers-color-scheme: dark)" srcset="/dark.svg"><img src="/logo.svg"></picture>`;
    const logos = await logosOf(`<header><a href="/">${picture}</a></header>`, { css });
    expect(logos).toMatchObject([
      { kind: "logo", source: { address: `${HOME}logo.svg` } },
      { kind: "logo-dark", source: { address: `${HOME}dark.svg` } },
    ]);
  });

  it("comes from structured data if the pages show none, and icons come last", async () => {
    const head = `<script type="application/ld+json">{"@graph":[{"@type":"Article","publisher":{"@type":"Organization","logo":{"url":"/logo.svg"}}}]}</script>
      <script type="application/ld+json">{broken</script><link rel="icon" href="/x.png" sizes="32x32"><link rel="icon" href="/icon.svg" type="image/svg+xml">`;
    expect(await logosOf("<p>Text</p>", { head })).toMatchObject([
      { kind: "organization", source: { address: `${HOME}logo.svg` } },
      { kind: "icon", source: { address: `${HOME}icon.svg` } },
    ]);
  });
});
