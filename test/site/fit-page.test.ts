import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/base/hash.ts";
import { renderMarker } from "../../src/html/marker.ts";
import { policyHash } from "../../src/html/fill-placeholders.ts";
import { fitPage } from "../../src/site/fit-page.ts";
import type { RewrittenPage } from "../../src/site/model.ts";

interface Face {
  readonly weight?: string;
  readonly style?: string;
  readonly range?: string;
}

function face({ weight = "400", style = "normal", range }: Face): string {
  const data = `url(data:font/woff2;base64,${"A".repeat(10_000)})`;
  const ranges = range === undefined ? "" : `;unicode-range:${range}`;
  return `@font-face{font-family:"Literata";font-style:${style};font-weight:${weight};src:${data} format("woff2")${ranges}}`;
}

const REGULAR = face({});
const BOLD = face({ weight: "bold" });
const ITALIC = face({ style: "italic" });
const CYRILLIC = face({ range: "U+0400-045F" });

function pageOf(faces: readonly string[], rest = ""): RewrittenPage {
  const css = `${faces.join("")}body{font-family:Literata}`;
  const policy = `<meta http-equiv="content-security-policy" content="style-src '${policyHash({ html: css })}'">`;
  const before = `<!doctype html><html><head><meta charset="utf-8">`;
  const after = `${policy}<style>${css}</style></head><body>${rest}</body></html>`;
  const hash = sha256(before + after);
  const html = before + renderMarker(hash) + after;
  return {
    html,
    hash,
    title: "Page",
    description: undefined,
    parts: [],
    hasRouteMap: false,
    assets: [],
    warnings: [],
  };
}

const SIZE_OF_FACE = Buffer.byteLength(REGULAR);
const fit = (page: RewrittenPage, faces: number) =>
  fitPage(page, { maxBytes: 1200 + faces * SIZE_OF_FACE, file: "index.html" });
const facesOf = ({ html }: RewrittenPage) =>
  [...html.matchAll(/font-style:(\w+);font-weight:(\w+);[^}]*?(U\+\w+|\})/g)].map(([, style, weight, range]) =>
    range === "}" ? `${style} ${weight}` : `${style} ${weight} ${range}`,
  );

describe("fitPage", () => {
  const whole = pageOf([REGULAR, BOLD, ITALIC, CYRILLIC]);

  it("doesn't change a page that fits", () => {
    expect(fit(whole, 4)).toBe(whole);
  });

  it.each([
    [3, ["normal 400", "normal bold", "normal 400 U+0400"], ["italics of Literata"]],
    [2, ["normal 400", "normal 400 U+0400"], ["italics of Literata", "weights of Literata"]],
    [1, ["normal 400"], ["italics of Literata", "weights of Literata", "beyond basic Latin"]],
  ])("omits italics, then weights, then rare characters until %i fonts fit", (faces, left, expected) => {
    const page = fit(whole, faces);
    expect(facesOf(page)).toEqual(left);
    expect(page.warnings.map(({ code, file }) => [code, file])).toEqual(
      expected.map(() => ["font-left-out", "index.html"]),
    );
    for (const [index, words] of expected.entries()) expect(page.warnings[index]?.message).toContain(words);
  });

  it("keeps the marker and the hashes of the content security policy valid", () => {
    const page = fit(whole, 1);
    const marker = renderMarker(page.hash);
    expect(page.html).toContain(marker);
    expect(page.hash).toBe(sha256(page.html.replace(marker, "")));
    const [, css = ""] = /<style>(.*)<\/style>/s.exec(page.html) ?? [];
    expect(page.html).toContain(`style-src '${policyHash({ html: css })}'`);
  });

  it("keeps an italic font without an upright one, and a bold font without a regular one", () => {
    const page = pageOf([face({ style: "italic", weight: "700" }), CYRILLIC.replaceAll("Literata", "Other")]);
    expect(facesOf(fit(page, 1))).toEqual(["italic 700"]);
  });

  it("returns a page unchanged that can't fit, with its size and its largest parts", () => {
    const script = `<script type="importmap">{"imports":{"@i/_astro/app.js":"data:text/javascript,${"x".repeat(60_000)}"}}</script>`;
    const page = pageOf([REGULAR, ITALIC], script);
    const fitted = fit(page, 1);
    expect(fitted.html).toBe(page.html);
    expect(fitted.warnings).toEqual([
      {
        code: "page-too-large",
        file: "index.html",
        message:
          "The page has 81 kB, but at most 12 kB is allowed. Its largest parts: script _astro/app.js (61 kB), font Literata 400 (11 kB), font Literata 400 italic (11 kB).",
      },
    ]);
  });
});
