import { describe, expect, it } from "vitest";
import { extractBrand } from "../../src/brand/extract.ts";
import { extractFrom, HOME, pageOf } from "./site-of.ts";

const TEXT = "<p>A paragraph that is long enough to count as text of a page, with a full stop.</p>";

function messages(problems: readonly { readonly message: string }[]): string {
  return problems.map(({ message }) => message).join("\n");
}

describe("extractBrand", () => {
  it("finds nothing on a page without styles, and reports why", async () => {
    const { colors, fonts, logos, problems } = await extractFrom({
      "/": `<html><body>${TEXT}<a href="/x">x</a></body></html>`,
    });
    expect(new Set(Object.values(colors.light ?? {}))).toEqual(new Set([null]));
    expect(colors.dark).toBeNull();
    expect(fonts).toEqual({ heading: null, body: null, mono: null });
    expect(logos).toEqual([]);
    expect(messages(problems)).toContain("no readable style sheet");
  });

  it("finds nothing if there is no page, and reports it", async () => {
    const findings = await extractFrom({});
    expect(findings).toMatchObject({
      name: null,
      home: HOME,
      pages: [],
      colors: { light: null, dark: null },
      logos: [],
    });
    expect(findings.problems).toEqual([
      { subject: HOME, message: "Nothing was found at this address, or reading it is not allowed." },
    ]);
  });

  it("reports what a JavaScript-only page hides, and invents nothing", async () => {
    const { colors, problems } = await extractFrom({
      "/": `<html><head><link rel="stylesheet" href="/a.css"></head><body><div id="app"></div><script src="/a.js"></script></body></html>`,
      "/a.css": ".button { background: red }",
    });
    expect(colors.light).toMatchObject({ primary: null, link: null, background: null, text: null });
    expect(messages(problems)).toContain("without its scripts");
  });

  it("keeps what is certain on a JavaScript-only page", async () => {
    const { colors } = await extractFrom({
      "/": pageOf(":root { --color-brand: #25c2a0 } body { background: #fafafa; color: #222 }", `<div id="app"></div>`),
    });
    expect(colors.light).toMatchObject({
      primary: { hex: "#25c2a0" },
      background: { hex: "#fafafa" },
      text: { hex: "#222222" },
    });
  });

  it("lists all evidence for the primary color", async () => {
    const { colors } = await extractFrom({
      "/": `<html><head><meta name="theme-color" content="#25c2a0"><style>
        :root { --brand: #25c2a0; --swiper-theme-color: #007aff } body { background: #fff; color: #222 }
        a { color: #25c2a0 } .btn { background: var(--brand); color: #000 }</style></head>
        <body>${TEXT}<a class="btn" href="/a">One</a><a class="btn" href="/b">Two</a></body></html>`,
    });
    expect(colors.light?.primary).toEqual({
      hex: "#25c2a0",
      confidence: 0.98,
      evidence: ["--brand", "2 buttons", "links", "theme-color"],
    });
  });

  it("doesn't mistake a dark header for the primary color", async () => {
    const css =
      "body { background: #fff; color: #222 } header { background: #101828; color: #fff } a { color: #d6336c }";
    const body = `<header><nav>Menu</nav></header><main>${TEXT}<p><a href="/x">More</a></p></main>`;
    const { colors } = await extractFrom({ "/": pageOf(css, body) });
    expect(colors.light?.primary?.hex).toBe("#d6336c");
  });

  it("has no primary color if the site uses only black and white", async () => {
    const css = "body { background: #fff; color: #222 } a { color: inherit } header { background: #222 }";
    const { colors } = await extractFrom({ "/": pageOf(css, `<header>Top</header>${TEXT}`) });
    expect(colors.light?.primary).toBeNull();
  });

  it("ignores links with the browser's default styles", async () => {
    const { colors } = await extractFrom({
      "/": pageOf("body { background: #fff; color: #222 }", `${TEXT}<a href="/x">x</a>`),
    });
    expect(colors.light?.link).toBeNull();
  });

  it("finds the color of links in prose if other links have none", async () => {
    const css = "body { background: #fff; color: #222 } a { color: inherit } .prose a { color: #b5179e }";
    const { colors } = await extractFrom({ "/": pageOf(css, `<main>${TEXT}</main>`) });
    expect(colors.light?.link).toMatchObject({ hex: "#b5179e", evidence: ["styles of links in .prose"] });
  });

  it("uses the background of the wrapper that covers the body", async () => {
    const css = "body { background: #fff } .app { background: #fdf6e3; color: #333 }";
    const { colors } = await extractFrom({ "/": pageOf(css, `<div class="app"><main>${TEXT}</main></div>`) });
    expect(colors.light?.background).toMatchObject({
      hex: "#fdf6e3",
      evidence: ["background of the wrapper of the page"],
    });
  });

  it("recognizes a site that is always dark", async () => {
    const { defaultScheme, colors } = await extractFrom({
      "/": pageOf("body { background: #0b0f19; color: #e5e7eb }", TEXT),
    });
    expect(defaultScheme).toBe("dark");
    expect(colors).toMatchObject({ light: null, dark: { background: { hex: "#0b0f19" }, text: { hex: "#e5e7eb" } } });
  });

  it("reports a color that can't be parsed", async () => {
    const { problems } = await extractFrom({
      "/": pageOf("body { background-color: color-mix(in jzazbz, red, blue) }", TEXT),
    });
    expect(messages(problems)).toContain('"color-mix(in jzazbz, red, blue)" could not be parsed as a color.');
  });

  it("reads style sheets that import each other once, and reports them", async () => {
    const { colors, problems } = await extractFrom({
      "/": `<html><head><link rel="stylesheet" href="/a.css"></head><body>${TEXT}</body></html>`,
      "/a.css": '@import "b.css"; body { background: #fafafa }',
      "/b.css": "@import url(a.css); body { background: red; color: #321 }",
    });
    expect(colors.light).toMatchObject({ background: { hex: "#fafafa" }, text: { hex: "#332211" } });
    expect(messages(problems)).toContain("imports itself");
  });

  it("continues without style sheets that are missing, forbidden, or HTML pages", async () => {
    const links = ["/gone.css", "/secret.css", "/page.css"]
      .map((href) => `<link rel="stylesheet" href="${href}">`)
      .join("");
    const page = `<html><head>${links}<style>body{background:#fafafa}</style></head><body>${TEXT}</body></html>`;
    const { colors, problems } = await extractBrand({
      home: HOME,
      read: async (address) => {
        if (address.endsWith("secret.css")) throw new Error("that host is not public");
        return address.endsWith("gone.css") ? undefined : { content: page, contentType: "text/html" };
      },
    });
    expect(colors.light?.background?.hex).toBe("#fafafa");
    expect(problems.map(({ subject, message }) => [subject, message])).toEqual([
      [`${HOME}gone.css`, "Nothing was found at this address, or reading it is not allowed."],
      [`${HOME}page.css`, "Expected a style sheet, found an HTML page."],
      [`${HOME}secret.css`, "Reading failed: that host is not public"],
    ]);
  });

  it("visits one page of each section first, seven in all, once each", async () => {
    const links = [
      "/blog/a",
      "/blog/b",
      "/blog/c",
      "/docs/a/",
      "/docs/b/",
      "/about",
      "/",
      "/#top",
      "/a.pdf",
      "https://else.example/",
      "/not-built/",
    ];
    const home = pageOf("", `<nav>${links.map((href) => `<a href="${href}">x</a>`).join("")}</nav>${TEXT}`);
    const asked: string[] = [];
    const { pages } = await extractBrand({
      home: HOME,
      pages: ["prices", ...links.slice(0, 6), "blog/d"].map((path) => new URL(path, HOME).href),
      read: async (address) => {
        asked.push(address);
        return { content: home, contentType: "text/html" };
      },
    });
    expect(pages.map((page) => page.slice(HOME.length))).toEqual([
      "",
      "blog/a",
      "docs/a/",
      "about",
      "prices",
      "blog/b",
      "docs/b/",
    ]);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it("stops when aborted", async () => {
    const controller = new AbortController();
    const running = extractBrand({
      home: HOME,
      signal: controller.signal,
      read: async () => {
        controller.abort(new Error("enough"));
        throw new Error("the request was ended");
      },
    });
    await expect(running).rejects.toThrow("enough");
  });

  it("returns the same findings regardless of the order of files", async () => {
    const files = new Map([
      [
        HOME,
        `<html><head><link rel="stylesheet" href="/1.css"><link rel="stylesheet" href="/2.css"></head><body>${TEXT}<a href="/b">b</a><a href="/gone">b</a></body></html>`,
      ],
      [`${HOME}b`, pageOf("body { color: #345 }", TEXT)],
      [`${HOME}1.css`, "body { background: #eee; color: bad(1) }"],
      [`${HOME}2.css`, "body { background: #fff } :root { --primary: #d6336c }"],
    ]);
    const extractLate = (isLate: (address: string) => boolean) =>
      extractBrand({
        home: HOME,
        read: async (address) => {
          for (let turn = 0; turn < (isLate(address) ? 20 : 0); turn += 1) await Promise.resolve();
          const content = files.get(address);
          return content === undefined
            ? undefined
            : { content, contentType: address.endsWith(".css") ? "text/css" : "text/html" };
        },
      });
    const found = await extractLate((address) => address.endsWith("1.css"));
    expect(await extractLate((address) => address.endsWith("2.css"))).toEqual(found);
    expect(found.colors.light?.background?.hex).toBe("#ffffff");
  });
});

describe("fonts", () => {
  it.each([
    ['"Heebo-741c5c09cc53d9d5", "Heebo-741c5c09cc53d9d5 fallback: Arial", sans-serif', "Heebo"],
    ["__Inter_d65c78, __Inter_Fallback_d65c78", "Inter"],
    ["__Open_Sans_d65c78", "Open Sans"],
    ["-apple-system, BlinkMacSystemFont, sans-serif", "system-ui"],
    ["'Press Start 2P', cursive", "Press Start 2P"],
    ["Georgia, serif", "Georgia"],
  ])("have readable names: %s", async (stack, family) => {
    const { fonts } = await extractFrom({ "/": pageOf(`body { font-family: ${stack} }`, `<h1>Title</h1>${TEXT}`) });
    expect([fonts.heading?.family, fonts.body?.family]).toEqual([family, family]);
  });

  it("list their files and their weights", async () => {
    const css = `@font-face { font-family: "Inter"; src: url(/fonts/inter.woff2); font-weight: 400 }
      @font-face { font-family: "Inter"; src: url(/fonts/inter-bold.woff2); font-weight: bold }
      body { font-family: Inter, sans-serif } h1 { font-family: Lora } code { font-family: "Fira Code", monospace }`;
    const head = `<link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Lora:ital,wght@0,500;1,700&family=Fira+Code">`;
    const page = pageOf(css, `<h1>Title</h1>${TEXT}<code>x</code>`).replace("</head>", `${head}</head>`);
    const { fonts, problems } = await extractFrom({ "/": page });
    expect(fonts).toMatchObject({
      body: { family: "Inter", source: "self-hosted", address: `${HOME}fonts/inter.woff2`, weights: [400, 700] },
      heading: { family: "Lora", source: "google", weights: [500, 700] },
      mono: { family: "Fira Code", source: "google", weights: [400] },
    });
    expect(problems).toEqual([]);
  });

  it("list the upright file with Latin letters in the used weight", async () => {
    const face = (file: string, descriptors: string) =>
      `@font-face { font-family: "Inter"; src: url(/fonts/${file}.woff2); ${descriptors} }`;
    const css = [
      face("greek", "font-weight: 400; unicode-range: U+0370-03FF"),
      face("italic", "font-weight: 400; font-style: italic; unicode-range: U+0000-00FF"),
      face("latin", "font-weight: 400; unicode-range: U+00??, U+0131"),
      face("bold", "font-weight: 700; unicode-range: U+0000-00FF"),
      "body { font-family: Inter, sans-serif } h1 { font-weight: 700 }",
    ].join("\n");
    const { fonts } = await extractFrom({ "/": pageOf(css, `<h1>Title</h1>${TEXT}`) });
    expect(fonts.body).toMatchObject({ address: `${HOME}fonts/latin.woff2`, weights: [400, 700] });
    expect(fonts.heading).toMatchObject({ address: `${HOME}fonts/bold.woff2`, weights: [400, 700] });
  });

  it("are omitted if they are the browser's defaults", async () => {
    const { fonts } = await extractFrom({
      "/": pageOf("body { color: #222 } pre { font-family: monospace }", `<h1>Title</h1>${TEXT}<pre>x</pre>`),
    });
    expect(fonts).toEqual({ heading: null, body: null, mono: null });
  });
});

describe("a hostile site", () => {
  const attributes = Array.from({ length: 40_000 }, (_, index) => `[a${index}]{color:red}`).join("");
  const names = Array.from({ length: 50 }, (_, index) => `--v${index}:var(--v${index + 1}) var(--v${index + 1});`).join(
    "",
  );

  it.each([
    [
      "selectors that match very slowly",
      ":has(a:has(b)) p, *:not(:has(*:not(:has(*)))) { color: red }",
      TEXT.repeat(2000),
    ],
    ["tens of thousands of selectors that may match anything", attributes, TEXT.repeat(50)],
    [
      "variables that double at each step",
      `:root{${names}--v50:x} p,h1,body{color:var(--v0);font-family:var(--v1)}`,
      TEXT.repeat(200),
    ],
    ["endlessly nested elements", "div div div div div div p { color: red }", "<div>".repeat(50_000) + TEXT],
    ["endless pictures", "", `<header class="${"logo ".repeat(50_000)}">${"<img src=/a.png>".repeat(20_000)}`],
    ["endless links", "a { color: red }", "<a href=/x>x</a>".repeat(50_000)],
    [
      "endless drawings",
      "",
      `<header><a href="/"><svg class="logo">${"<use href='#a'/>".repeat(20_000)}<path d="M0 0"/></svg></a></header>`,
    ],
  ])("with %s is read within limits, and returns what is certain", async (_, css, body) => {
    const files = { "/": pageOf(`body { background: #fafafa } ${css}`, body) };
    const { colors } = await extractFrom(files);
    expect(colors.light?.background?.hex).toBe("#fafafa");
  });
});
