import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findAttribute } from "../../../src/html/attributes.ts";
import { parse } from "parse5";
import { parseHtml } from "../../../src/html/parse.ts";
import { visitElements } from "../../../src/html/tree.ts";
import { findMarker } from "../../../src/html/marker.ts";
import type { Placement, RewrittenPage } from "../../../src/site/model.ts";
import { readBuiltSite } from "../../../src/site/read-site.ts";
import { createRewriter } from "../../../src/site/rewrite/rewriter.ts";
import { planSlugs } from "../../../src/site/slugs.ts";
import { makeFolder, PLACEMENTS, publish, rewriteSettings, wholePage, writeSiteFile } from "./fixture.ts";

const ABOUT = "<!doctype html><title>About</title>";

interface Site {
  readonly dist: string;
  rewrite(
    html: string,
    options?: { readonly placement?: Placement; readonly strict?: boolean },
  ): Promise<RewrittenPage>;
}

function makeSite(files: Readonly<Record<string, string>> = {}): Site {
  const dist = makeFolder();
  for (const [path, content] of Object.entries({ "about/index.html": ABOUT, ...files }))
    writeSiteFile(dist, path, content);
  return {
    dist,
    async rewrite(html, { placement, strict = false } = {}) {
      writeSiteFile(dist, "index.html", html);
      const site = await readBuiltSite(dist, { site: "https://example.com", base: "/" });
      const { slugs } = planSlugs(["/", "/about/"]);
      const [page] = site.pages;
      if (page === undefined) throw new Error("The page was not found.");
      const settings = rewriteSettings(slugs, { placement: placement ?? PLACEMENTS.library });
      return wholePage(createRewriter(site, { ...settings, strict }).rewrite(page));
    },
  };
}

describe("titles and descriptions", () => {
  it.each([
    ["<title> The\n title </title><h1>Heading</h1>", "The title"],
    ['<svg><title>Drawing</title></svg><meta property="og:title" content="Shared"><h1>Heading</h1>', "Shared"],
    ["<title></title><h1>A <em>big</em> heading</h1><h1>Second</h1>", "A big heading"],
    ["<template><h1>Not shown</h1></template><p>Text</p>", "/"],
  ])("%s", async (html, title) => {
    expect((await makeSite().rewrite(`<!doctype html>${html}`)).title).toBe(title);
  });

  it("use the page's description, or else the shared one", async () => {
    const site = makeSite();
    const shared = '<!doctype html><meta property="og:description" content=" Shared ">';
    expect((await site.rewrite(shared)).description).toBe("Shared");
    expect((await site.rewrite(`${shared}<meta name="description" content="Own">`)).description).toBe("Own");
    expect((await site.rewrite("<!doctype html>")).description).toBeUndefined();
  });
});

describe("the marker", () => {
  it("contains the hash, which depends only on published content", async () => {
    const site = makeSite({ "a.png": "one" });
    const first = await site.rewrite('<!doctype html><img src="/a.png">');
    expect(findMarker(first.html)?.hash).toBe(first.hash);
    expect((await site.rewrite('<!doctype html><img src="/a.png">')).hash).toBe(first.hash);
    expect((await site.rewrite('<!doctype html><img src="https://example.com/a.png">')).hash).toBe(first.hash);
    writeFileSync(join(site.dist, "a.png"), "two");
    expect((await site.rewrite('<!doctype html><img src="/a.png">')).hash).not.toBe(first.hash);
  });

  it("isn't inserted where it would change how the page is parsed", async () => {
    const { html } = await makeSite().rewrite("<!-- c --><!DOCTYPE html>\n<body class=a>text");
    expect(parse(html).mode).toBe("no-quirks");
    expect(html).toMatch(/^<!-- c --><!DOCTYPE html><meta name="imprint" content="[0-9a-f]{64}">\n<body class=a>text$/);
  });
});

describe("assets", () => {
  it("indicate how far an image may be changed", async () => {
    const site = makeSite({
      "photo.jpg": "1",
      "drawing.svg": "2",
      "_astro/made.Ab12Cd34.webp": "3",
      "_astro/made.Ab12Cd34_Z1abcd.jpg": "4",
      "_astro/raw.Ab12Cd34.jpg": "5",
      "share.png": "6",
    });
    const names = [
      "photo.jpg",
      "drawing.svg",
      "_astro/made.Ab12Cd34.webp",
      "_astro/made.Ab12Cd34_Z1abcd.jpg",
      "_astro/raw.Ab12Cd34.jpg",
    ];
    const { assets } = await site.rewrite(
      `<!doctype html><meta property="og:image" content="https://example.com/share.png">${names.map((name) => `<img src="/${name}" alt="Alt">`).join("")}`,
    );
    expect(assets.map(({ name, optimize, alt }) => [name, optimize, alt])).toEqual([
      ["share.png", "same-type", undefined],
      ["photo.jpg", "any-type", "Alt"],
      ["drawing.svg", "never", "Alt"],
      ["made.Ab12Cd34.webp", "never", "Alt"],
      ["made.Ab12Cd34_Z1abcd.jpg", "never", "Alt"],
      ["raw.Ab12Cd34.jpg", "any-type", "Alt"],
    ]);
  });

  it("are found in srcset and poster values that scripts write, concatenated or not", async () => {
    const names = ["a-one.png", "a-two.png", "b-one.jpg", "c.webp", "d.webp"];
    const site = makeSite(Object.fromEntries(names.map((name) => [name, name])));
    const scripts = [
      "img.srcset = `/a-${name}.png 1x, /gone/${name}.png 2x`",
      'box.innerHTML = `<video poster="/b-${name}.jpg">`',
      `box.innerHTML += '<img srcset="/c.webp 400w, /d.webp 800w">'`,
    ];
    const { html, assets } = await site.rewrite(`<!doctype html><script>${scripts.join(";")}</script>`);
    expect(assets.map(({ name }) => name).toSorted()).toEqual(names);
    expect(publish(html, assets)).toContain(
      `'<img srcset="https://library.example/c.webp 400w, https://library.example/d.webp 800w">'`,
    );
  });

  it("are in the route map if scripts add a base or an origin to them", async () => {
    const site = makeSite({ "a.png": "png", "b.png": "other", "c.png": "third" });
    const script =
      'one.src = base + "/a.png"; two.src = `${origin}/b.png`; three.style.background = "url(" + "/c.png" + ")"';
    const { html, assets } = await site.rewrite(`<!doctype html><script>${script}</script>`);
    const page = publish(html, assets);
    expect(page).toContain(script.replace("/c.png", "https://library.example/c.png"));
    expect(page).toContain('"a.png":"https://library.example/a.png","b.png":"https://library.example/b.png"');
  });

  it("have the file's absolute path and the page that uses it first", async () => {
    const site = makeSite({ "a.png": "png" });
    const { assets } = await site.rewrite('<!doctype html><img src="/a.png">');
    expect(assets).toMatchObject([
      { usedIn: "index.html", source: { kind: "file", path: join(site.dist, "a.png"), bytes: 3 } },
    ]);
  });

  it("are deduplicated if files are identical, and separate if one file is needed in two ways", async () => {
    const site = makeSite({ "a.jpg": "same", "b.jpg": "same" });
    const { assets } = await site.rewrite(
      '<!doctype html><img src="/a.jpg"><img src="/b.jpg"><link rel="icon" href="/a.jpg">',
    );
    expect(assets.map(({ optimize }) => optimize)).toEqual(["any-type", "same-type"]);
  });
});

describe("strict mode", () => {
  it("stops at a dead link, with its location", async () => {
    await expect(makeSite().rewrite('<!doctype html>\n<a href="/gone/">', { strict: true })).rejects.toMatchObject({
      code: "ASSET_MISSING",
      location: { file: "index.html", line: 2 },
    });
  });
});

describe("hostile pages", () => {
  it("can't read files outside the site", async () => {
    const outside = makeFolder();
    writeSiteFile(outside, "secret.css", "secret{}");
    const site = makeSite();
    symlinkSync(join(outside, "secret.css"), join(site.dist, "secret.css"));
    symlinkSync(outside, join(site.dist, "linked"));
    const up = "../".repeat(20);
    const html = `<!doctype html><link rel="stylesheet" href="/secret.css"><link rel="stylesheet" href="/linked/secret.css"><link rel="stylesheet" href="${up}${outside.slice(1)}/secret.css"><link rel="stylesheet" href="/%2e%2e/%2e%2e${outside}/secret.css"><link rel="stylesheet" href="/..%2f..%2f${outside}/secret.css">`;
    const rewritten = await site.rewrite(html, { placement: PLACEMENTS.inline });
    expect(rewritten.assets).toEqual([]);
    expect(rewritten.html).not.toContain("secret{}");
    expect(rewritten.warnings.map(({ code }) => code)).toEqual(Array(5).fill("missing-file"));
  });

  it("can't cause an endless loop with circular stylesheets and modules", async () => {
    const site = makeSite({
      "a.css": '@import "b.css";a{}',
      "b.css": '@import "a.css";@import "b.css";b{}',
      "a.js": 'import "./b.js"',
      "b.js": 'import "./a.js";import "./b.js"',
    });
    const html =
      '<!doctype html><link rel="stylesheet" href="/a.css"><link rel="stylesheet" href="/b.css"><script type="module" src="/a.js"></script>';
    const { html: published } = await site.rewrite(html, { placement: PLACEMENTS.inline });
    expect(published).toContain("<style>b{}a{}</style><style>a{}b{}</style>");
    expect(published).toContain('"@i/b.js":');
  });

  it("can be nested deeper than the call stack", async () => {
    const { html } = await makeSite().rewrite(`<!doctype html>${"<div>".repeat(20_000)}<a href="/about/">`);
    expect(html).toContain('<a href="/p/about">');
  });

  it("can have ten thousand links, half of them dead", async () => {
    const links = Array.from(
      { length: 10_000 },
      (_, index) => `<a href="${index % 2 === 0 ? "/about/" : `/gone-${index}/`}">`,
    );
    const { html, warnings } = await makeSite().rewrite(`<!doctype html>${links.join("</a>\n")}`);
    expect(html.split('href="/p/about"')).toHaveLength(5001);
    expect(warnings).toHaveLength(5000);
    expect(warnings.at(-1)).toMatchObject({ code: "dangling-link", line: 10_000 });
  });

  it("change only in known attributes and elements", async () => {
    const site = makeSite({ "a.png": "png", "a.css": "a{background:url(a.png)}", "a.js": "a()" });
    await fc.assert(
      fc.asyncProperty(
        fc.array(PIECES, { maxLength: 30 }),
        fc.constantFrom(...Object.values(PLACEMENTS)),
        async (pieces, placement) => {
          const source = `<!doctype html>${pieces.join("")}`;
          const first = await site.rewrite(source, { placement });
          expect(skeletonOf(first.html)).toEqual(skeletonOf(source));
          const published = publish(first.html, first.assets);
          const second = await site.rewrite(published, { placement });
          expect(second.html.replace(MARKER, "")).toBe(published.replace(MARKER, ""));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("never cause an exception", async () => {
    const site = makeSite();
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary", maxLength: 200 }).filter((text) => text.isWellFormed()),
        async (text) => {
          const source = `<!doctype html>${text}`;
          const { html } = await site.rewrite(source);
          expect(html.replace(MARKER, "")).toBe(source);
        },
      ),
    );
  });
});

const MARKER = /<meta name="imprint"[^>]*>/;

/** Parts of pages, valid and broken: what the rewriter edits, and what could shift its positions. */
const PIECES = fc.constantFrom(
  '<a href="/about/">',
  "<A HREF=/about/ x>",
  "<a href='/about/?a&b'>",
  "<a href=/gone",
  '<a href="/about/',
  "</a>",
  "<b>",
  "</b>",
  '<img src="/a.png" srcset="/a.png, data:a,b 2x">',
  "<img\nsrc\n=\n/a.png\n>",
  '<link rel="stylesheet" href="/a.css">',
  "<style>b{background:url(/a.png)}",
  "</style>",
  '<script type="module" src="/a.js"></script>',
  "<script>import('/a.js')</script>",
  "<script>",
  "</script>",
  "<template>",
  "</template>",
  "<noscript>",
  "</noscript>",
  "<table>",
  "<tr>",
  "<td>",
  "</table>",
  "<svg>",
  "</svg>",
  '<use href="/a.png#b"/>',
  "<math>",
  "<select>",
  '<option value="/about/">',
  "<p style=\"background:url('/a.png')\">",
  "<!--",
  "-->",
  "<![CDATA[",
  "]]>",
  "<title>",
  "</title>",
  "<textarea>",
  "</textarea>",
  "<body>",
  "<body background=/a.png>",
  "</body>",
  "<head>",
  "</head>",
  "<html lang=en>",
  "<frameset>",
  "\0",
  "\r\n",
  "\n",
  "&amp;",
  "&",
  "<",
  ">",
  '"',
  "'",
  "=",
  "text é 日本 \u{1F600}",
  "<base href='/about/'>",
  "<meta charset=utf-8>",
  '<meta http-equiv="content-security-policy" content="default-src \'self\'">',
  '<astro-island component-url="/a.js" props="{&quot;a&quot;:[0,&quot;/about/&quot;]}">',
  "<form action=/about/ method=post>",
);

/** What must stay: the sequence of elements, except those that the rewriter may add, remove, or replace. */
function skeletonOf(html: string): readonly string[] {
  const skeleton: string[] = [];
  visitElements(parseHtml(html), (element) => {
    if (["link", "style", "script"].includes(element.tagName)) return;
    if (element.tagName === "meta" && findAttribute(element, "name") === "imprint") return;
    const names = element.attrs.map(({ name, value }) =>
      /^(?:x|lang|charset|method|http-equiv)$/.test(name) ? `${name}=${value}` : name,
    );
    skeleton.push(`${element.tagName} ${names.join(" ")}`);
  });
  return skeleton;
}
