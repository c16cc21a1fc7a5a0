import { describe, expect, it } from "vitest";
import { contrastOf } from "../../../src/brand/color/contrast.ts";
import type { BrandFrame } from "../../../src/contract/brand-parts.ts";
import { extractFrom, pageOf } from "../site-of.ts";

const TEXT =
  "<main><h1>Pilots</h1><p>Pilots take ships up the river whatever the tide does that day, and bring them down again with the ebb, day and night, in all weathers but fog.</p><p>They live on a boat that lies before the bar for two weeks, and at home for one.</p></main>";

async function frameOf(body: string, css = ""): Promise<BrandFrame> {
  const { frame } = await extractFrom(
    { "/": pageOf(css, body) },
    { frame: { linkTo: (address) => address, fileAt: (address) => address } },
  );
  if (frame === null) throw new Error("The page has no frame.");
  return frame;
}

describe("a page's frame", () => {
  it("includes the whole bar with the home link and the navigation", async () => {
    const { header } = await frameOf(
      `<div class="bar"><a class="id" href="/">Tidewater</a><nav><a href="/fees">Fees</a></nav></div>${TEXT}`,
    );
    expect(header).toContain('<div class="bar imprint-part">');
    expect(header).toContain("Fees");
  });

  it("includes the list of links below the header, whatever its name", async () => {
    const { header } = await frameOf(
      `<div id="wrap"><div id="header"><a href="/">Tidewater</a></div><ul id="links"><li><a href="/fees">Fees</a></li><li><a href="/tides">Tides</a></li></ul>${TEXT}</div>`,
    );
    expect(header).toContain("Fees");
  });

  it("includes the bars beside the section that a site builder wraps around the header", async () => {
    const notice = '<div class="notice"><p>Free passage until Sunday</p></div>';
    const section = (css = "") =>
      `<div class="section"><style>.x { color: red }</style><header${css}><a href="/">Tidewater</a></header></div>`;
    const { header, css } = await frameOf(notice + section() + TEXT, ".section { background: #fff9f0 }");
    expect(header).toMatch(/Free passage.*<div class="section imprint-part"><header role="none">.*Tidewater/);
    expect(css).toContain(".section{background:#fff9f0}");
    // It takes no room in its section.
    const overlaid = await frameOf(section(' style="position: absolute"') + TEXT);
    expect(overlaid.header).toMatch(/<header [^>]*class="[^"]*imprint-part/);
  });

  it("includes a paragraph of links below the header", async () => {
    const { header } = await frameOf(
      `<h1><a href="/">Tidewater</a></h1><p><a href="/fees">Fees</a> <a href="/tides">Tides</a></p>${TEXT}`,
    );
    expect(header).toMatch(/Tidewater.*Fees/);
  });

  it.each([
    ["navigation without a header", "nav"],
    ["header of only navigation", "header"],
  ])("includes the logo above a %s", async (_, name) => {
    const { header } = await frameOf(
      `<div class="wrap"><div class="mast"><a href="/"><img src="/logo.svg" alt="Tidewater"></a></div><${name} class="links"><a href="/fees">Fees</a> <a href="/tides">Tides</a></${name}>${TEXT}</div>`,
    );
    expect(header).toMatch(/logo\.svg.*Fees/);
  });

  it("includes a footer of only text", async () => {
    const { footer } = await frameOf(
      `<div><header><a href="/">Tidewater</a></header>${TEXT}</div><div class="foot">Tidewater Pilots, Old Quay</div>`,
    );
    expect(footer).toContain("Old Quay");
  });

  it.each([
    ["links", `<div class="bg-gray-900"><a href="/terms">Terms</a><a href="/fees">Fees</a></div>`],
    ["the site's name", `<div class="bg-gray-900"><img src="/seal.png" alt="">Tidewater Pilots Co.</div>`],
    ["a copyright", `<section>© 2026 Old Quay</section>`],
  ])("includes an unmarked footer: the last block of the page, with %s", async (_, block) => {
    const { footer } = await frameOf(`<header><a href="/">Tidewater</a></header>${TEXT}${block}`);
    expect(footer).toContain('role="contentinfo"');
  });

  it.each([
    ["a cookie banner", `<div class="cookie-bar">Tidewater uses cookies. <a href="/a">a</a><a href="/b">b</a></div>`],
    ["a dialog", `<div role="dialog">Tidewater <a href="/a">a</a><a href="/b">b</a></div>`],
    [
      "the last paragraphs",
      `<section><h2>More of Tidewater</h2><p>Pilots are asked to come by the agents, a day before, by radio or by mail to the office.</p></section>`,
    ],
  ])("doesn't use %s as the footer", async (_, block) => {
    const { footer } = await frameOf(`<header><a href="/">Tidewater</a></header>${TEXT}${block}`);
    expect(footer).toBe("");
  });

  it("includes a lazy-loaded logo, and one in a link with rel=home to a former host", async () => {
    const { header } = await frameOf(
      `<header><a rel="home" href="https://old-host.example/"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/logo.svg" alt="Tidewater"></a></header>${TEXT}`,
    );
    expect(header).toMatch(/<img [^>]*src="https:\/\/site\.example\/logo\.svg"/);
  });

  it("replaces a logo outside the library with readable text, even if the link has no color", async () => {
    const css = "body { background: #fff; color: #222 } header { background: #3d5144 }";
    const body = `<header><a href="/"><img src="/logo.svg" alt="Tidewater"></a><nav><a href="/fees">Fees</a></nav></header>${TEXT}`;
    const { frame } = await extractFrom(
      { "/": pageOf(css, body) },
      { frame: { linkTo: (address) => address, fileAt: () => undefined } },
    );
    expect(frame?.header).toContain('<a class="imprint-words" href="https://site.example/">Tidewater</a>');
    const [, color = "", rest = ""] = /\.imprint-words\{color:(#\w{6})([^}]*)/.exec(frame?.css ?? "") ?? [];
    // Neither a tint of the browser's default blue nor underlined.
    expect(new Set(color.slice(1).match(/../g)).size).toBe(1);
    expect(rest).toContain("text-decoration:none");
    expect(contrastOf(color, "#3d5144")).toBeGreaterThanOrEqual(4.5);
  });

  it("puts a background behind a header that is only readable over the picture after it", async () => {
    const css =
      "body { background: #f7fbfa; color: #10262b } .nav { position: sticky; top: 0; margin-bottom: -88px; color: #fff } .nav a { color: inherit } .nav .id { color: #00e } .nav .call { background: #f60 }";
    const body = `<div class="nav"><a class="id" href="/"><svg viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg></a><a href="/fees">Fees</a><a class="call" href="/call">Call</a></div><div class="hero"><video poster="/sea.jpg"></video></div>${TEXT}`;
    expect((await frameOf(body, css)).css).toContain(".imprint-header{background-color:#10262b!important}");
    expect((await frameOf(body, css.replace("color: #fff", "color: #123"))).css).not.toContain(".imprint-header{");
  });

  it.each([
    ["with navigation", '<nav><a href="/fees">Fees</a><a href="/tides">Tides</a></nav>'],
    ["in a block without a name", '<div><a href="/fees">Fees</a><a href="/tides">Tides</a></div>'],
  ])("omits the home page's own heading from a header %s", async (_, links) => {
    const bar = `<div class="bar"><a href="/"><img src="/logo.svg" alt="Tidewater"></a>${links}</div>`;
    const hero = `<div class="hero"><h1>Up the river at any tide</h1><h2>Day and night</h2><a href="/book">Book</a></div>`;
    const { header, css } = await frameOf(
      `<header><div class="cover">${bar}${hero}</div></header>${TEXT}`,
      ".cover { background: #123a4a } .cover a { color: #fff }",
    );
    expect(header).toMatch(/logo\.svg.*Fees.*Tides/);
    expect(header).not.toMatch(/any tide|Book/);
    expect(css).toContain(".imprint-header{background-color:#123a4a!important}");
  });

  it.each([
    ["fixed", ".side { position: fixed; width: 17rem; height: 100vh } body { padding-left: 17rem }", "272"],
    ["in a row", ".row { display: flex } .side { width: 240px }", "240"],
    ["in a grid", ".row { display: grid } .side { min-height: 100vh }", ""],
    ["in a grid with a column", ".row { display: grid; grid-template-columns: 260px 1fr }", "260"],
    ["in a grid with its minimum", ".row { display: grid; grid: auto / [side] minmax(15rem, auto) 1fr }", "240"],
    ["as a flexible part of a row", ".row { display: flex } .side { flex: 0 0 18rem; min-height: 100vh }", "288"],
    ["above the page", "header { display: flex; height: 100px }", undefined],
  ])("knows a header beside the page: %s", async (_, css, width) => {
    const header = `<header class="side"><a href="/">Tidewater</a><nav><a href="/fees">Fees</a></nav></header>`;
    const frame = await frameOf(
      `<div class="row">${header}<div>${TEXT}</div></div><footer class="foot">Old Quay</footer>`,
      `${css} .foot { margin-left: 272px; color: #123 }`,
    );
    expect(/data-imprint-column="(.*?)"/.exec(frame.header)?.[1]).toBe(width);
    // Room for it is the service's business.
    expect(frame.css).not.toMatch(/(?:margin|padding)-left:/);
    expect(frame.css).toContain("color:#123");
  });

  it("is the column beside the page if only small windows show a header", async () => {
    const { header } = await frameOf(
      `<header class="small"><a href="#">Menu</a></header><aside class="side"><a href="#">Tidewater</a><a href="/fees">Fees</a></aside><main>${TEXT}</main>`,
      ".small { display: none } @media (width < 600px) { .small { display: flex } } .side { width: 15rem }",
    );
    expect(header).toMatch(/data-imprint-column="240".*Fees/);
    expect(header).not.toContain("Menu");
  });

  it.each([
    ["a logo", '<a href="/"><img src="/logo.svg" alt=""></a><h1>Tidewater</h1>'],
    ["a motto", '<h1><a href="/">Tidewater</a></h1><h2>Pilots on the river</h2>'],
  ])("keeps a name beside %s in the header", async (_, sign) => {
    const { header } = await frameOf(`<header>${sign}<nav><a href="/a">A</a><a href="/b">B</a></nav></header>${TEXT}`);
    expect(header).toMatch(/<h1.*Tidewater.*<nav/);
  });

  it("keeps of the attribute styles around it only what its parts inherit", async () => {
    const { css } = await frameOf(
      `<div style="min-height:100vh; color:#40362c"><header><a href="/">Tidewater</a></header>${TEXT}</div>`,
    );
    expect(css).toContain("color:#40362c!important");
    expect(css).not.toMatch(/\.imprint-1\{[^}]*height/);
  });

  it.each([
    ["a custom element", "<site-footer>Old Quay, day and night</site-footer>"],
    ["the name in the home link", `<div class="end">The pilots of Tidewater are a charity.</div>`],
  ])("includes a footer: %s", async (_, block) => {
    const page = pageOf("", `<header><a href="/">Tidewater</a></header>${TEXT}${block}`);
    const { frame } = await extractFrom(
      { "/": page.replace("<title>Tidewater", "<title>Pilots: by day and by night") },
      { frame: { linkTo: (address) => address, fileAt: (address) => address } },
    );
    expect(frame?.footer).toContain('role="contentinfo"');
  });

  it.each([
    ["centered", ["<center>", "<div>", "</div>", "</center>"]],
    ["of a table", ["<table><tr><td>", "</td></tr><tr><td>", "</td></tr></table>", ""]],
  ])("includes an unmarked footer in a page %s", async (_, [start = "", between = "", end = "", last = ""]) => {
    const { footer } = await frameOf(
      `${start}<div><a href="/">Tidewater</a></div>${TEXT}${between}© 2001 Old Quay${end}${last}`,
    );
    expect(footer).toContain("Old Quay");
  });

  it("looks as its attributes say on sites without style sheets", async () => {
    const row = `<tr><td bgcolor="#003366" align="center" valign="top" nowrap><a href="/"><font color="#ffffff" face="Verdana" size="2">Tidewater</font></a></td></tr>`;
    const page = `<!doctype html><html lang="en"><head><title>Tidewater</title></head><body text="#222244" link="#996600"><table width="760" align="center" border="0" cellpadding="8" cellspacing="0" onclick="x()">${row}<tr><td><a href="/fees">Fees</a><a href="/tides">Tides</a></td></tr><tr><td>${TEXT}</td></tr></table></body></html>`;
    const { frame } = await extractFrom(
      { "/": page },
      { frame: { linkTo: (address) => address, fileAt: (address) => address } },
    );
    expect(frame?.header).toContain(`<table width="760" align="center" border="0" cellpadding="8" cellspacing="0">`);
    expect(frame?.header).toMatch(/<tr class="imprint-part">.*Tidewater.*<tr class="imprint-part">.*Fees/);
    expect(frame?.header).toContain('bgcolor="#003366" align="center" valign="top" nowrap=""');
    expect(frame?.header).toContain('<font color="#ffffff" face="Verdana" size="2">Tidewater</font>');
    expect(frame?.css).toContain("imprint-body{color:#222244}\nimprint-body a[href]{color:#996600}");
  });

  it("keeps the styles of scopes", async () => {
    const css = `@scope (.bar) to (.deep) { :scope { background: #14281d } a { color: inherit } a::before { content: "x" } b { color: red } }
      @scope (.prose) { a { color: blue } }`;
    const bar = `<div class="bar"><a href="/">Tidewater</a><nav><a href="/fees">Fees</a></nav><i class="deep"><b>x</b></i></div>`;
    const frame = await frameOf(`${bar}<div class="prose">${TEXT}</div>`, css);
    const within = ":where(:is(.bar,:is(.bar) *):not(:is(.deep),:is(.deep) *))";
    expect(frame.css).toContain(`:is(.bar)${within}{background:#14281d}`);
    expect(frame.css).toContain(`a${within}{color:inherit}`);
    expect(frame.css).toContain(`a${within}::before{content:"x"}`);
    expect(frame.css).not.toMatch(/red|blue/);
  });

  it("is as far from the edges of the window as on the site", async () => {
    const css =
      "body { margin: 1rem auto; padding: 1rem 2rem 3rem } .wrap { padding-block: 4px 5px } header { padding: 7px }";
    const body = `<div class="wrap"><header><a href="/">Tidewater</a></header>${TEXT}<footer>Old Quay</footer></div>`;
    const frame = await frameOf(body, css);
    const rulesOf = (selector: string) => frame.css.split("\n").filter((line) => line.startsWith(`${selector}{`));
    expect(rulesOf("imprint-body")).toEqual([
      "imprint-body{margin-right:auto;margin-left:auto;padding-right:2rem;padding-left:2rem}",
    ]);
    expect(rulesOf(":where(.imprint-header) imprint-body")).toEqual([
      ":where(.imprint-header) imprint-body{margin-top:1rem;padding-top:1rem}",
    ]);
    expect(rulesOf(":where(.imprint-footer) imprint-body")).toEqual([
      ":where(.imprint-footer) imprint-body{margin-bottom:1rem;padding-bottom:3rem}",
    ]);
    expect(rulesOf(":where(.imprint-footer) .wrap")).toEqual([":where(.imprint-footer) .wrap{padding-bottom:5px}"]);
    // Padding below a header that is laid over the page is room for the header.
    expect((await frameOf(body, `${css} header { position: fixed }`)).css).not.toMatch(/body\{[^}]*padding/);
  });

  it("has only the inside of the page's box, because the service's page is such a box", async () => {
    const { css } = await frameOf(
      `<div class="sheet"><header><a href="/">Tidewater</a></header>${TEXT}</div>`,
      "body { padding: 1rem; background: #345 } .sheet { max-width: 800px; margin: 20px auto; padding: 2rem; background: #fff }",
    );
    expect(css).not.toContain("padding-top:1rem");
    expect(css).toContain("{margin-top:20px;padding-top:2rem}");
    expect(css).toContain(".imprint-box{margin-block:0!important");
  });

  it.each(["header", "footer"])("has the gradient behind the %s as a background", async (place) => {
    const css =
      ".sky { --end: #F2C14E; background: linear-gradient(160deg, #1d4d2b, var(--end)) no-repeat center } .sky a { color: #fff }";
    const part = `<div class="sky"><${place}><a href="/">Tidewater</a></${place}><b>By day and by night</b></div>`;
    const frame = await frameOf(
      place === "header" ? part + TEXT : `<header><a href="/">Tidewater</a></header>${TEXT}${part}`,
      css,
    );
    expect(frame.css).toMatch(
      new RegExp(
        `\\.imprint-${place}\\{background-color:#\\w{6}!important;background-image:linear-gradient\\(160deg, #1d4d2b, #f2c14e\\)!important`,
      ),
    );
    expect(frame.css).toContain("background-size:100% 100vh!important");
  });

  it("has the gradient that a header is laid over", async () => {
    const { css } = await frameOf(
      `<header><a href="/">Tidewater</a></header><div><div class="hero"><h1>Up the river</h1></div></div>${TEXT}`,
      "header { position: absolute; top: 0 } a { color: #fff } .hero { background: linear-gradient(120deg, #7c3aed, #ec4899) }",
    );
    expect(css).toMatch(
      /\.imprint-header\{background-color:#\w{6}!important;background-image:linear-gradient\(120deg, #7c3aed, #ec4899\)!important/,
    );
  });

  it.each([
    ["header", "linear-gradient(#c7d2fe 0, #fff 100px)", "transparent 50%, #ffffff"],
    ["header", "linear-gradient(to top, #fff 80%, #c7d2fe)", "transparent 50%, #ffffff"],
    ["footer", "linear-gradient(#fff 80%, #c7d2fe)", "#ffffff, transparent 50%"],
  ])("has the colored end of the page's gradient behind the %s: %s", async (place, gradient, fade) => {
    const body = `<header><a href="/">Tidewater</a></header>${TEXT}<footer><a href="/terms">Old Quay</a></footer>`;
    const cssOf = async (color: string) =>
      (await frameOf(body, `body { background: ${gradient} } a { color: ${color} }`)).css;
    expect(await cssOf("#123")).toContain(`background-image:linear-gradient(${fade}), ${gradient}!important`);
    // Text that is readable only on the gradient stays on it.
    expect(await cssOf("#eef")).toContain(`background-image:${gradient}!important`);
    const other = place === "header" ? "footer" : "header";
    expect(await cssOf("#123")).not.toContain(`.imprint-${other}{background`);
  });

  it("keeps a menu that a button opens without a script, and only that button", async () => {
    const menu = `<ul id="menu" popover><li><a href="/fees">Fees</a></li></ul>`;
    const { header } = await frameOf(
      `<header><a href="/">Tidewater</a><button popovertarget="menu">Menu</button><button popovertarget="other">Language</button><button onclick="x()">Theme</button>${menu}</header>${TEXT}`,
    );
    expect(header).toContain('<button popovertarget="menu">Menu</button><ul id="menu" popover="">');
    expect(header).not.toMatch(/Language|Theme|onclick/);
  });

  it("omits a box that contained only an advertisement", async () => {
    const { header } = await frameOf(
      `<header><div class="slot"><a href="https://ads.example/"><img src="/ad.png" alt="Ad"></a></div><a href="/">Tidewater</a></header>${TEXT}`,
    );
    expect(header).not.toContain("slot");
  });

  it("replaces headings with other elements, and keeps the sections of its footer", async () => {
    const { header, footer } = await frameOf(
      `<header><h1><a href="/">Tidewater</a></h1></header>${TEXT}<footer><h4>Old Quay</h4></footer>`,
    );
    expect(header).toContain('<h1 role="none">');
    expect(footer).toContain('<h4 role="heading" aria-level="2">');
  });

  it("keeps styles that depend on a tool's attributes", async () => {
    const { header, css } = await frameOf(
      `<header bg="leaf" onclick="x()"><a href="/" text="white">Tidewater</a></header>${TEXT}`,
      `[bg~="leaf"] { background: #3f7d20 } [text~="white"] { color: #fff } [onclick] { margin: 1px }`,
    );
    expect(header).toContain('data-imprint-bg="leaf"');
    expect(header).not.toContain("onclick");
    expect(css).toContain('[data-imprint-bg~="leaf"]{background:#3f7d20}');
  });
});
