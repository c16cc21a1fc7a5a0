import type { BrandKitBody } from "../../contract/operations/content.ts";
import { contrastOf, gradeContrast, readableFrom, readableOn } from "../color/contrast.ts";
import { fontStack, headingWeight, type FontToken } from "../tokens.ts";
import {
  backgroundsOf,
  escapeMarkup,
  titleOf,
  readSheetInput,
  type SheetInput,
  type SheetLogo,
  type SheetOptions,
  type SheetScheme,
} from "./sheet-input.ts";
import { SHEET_STYLE } from "./sheet-style.ts";

/**
 * Renders the kit as a page: colors with their contrast, fonts, logos, and examples, light and dark. The page is a
 * single file that loads and runs nothing.
 */
export function renderSheet(kit: BrandKitBody, options: SheetOptions = {}): string {
  const input = readSheetInput(kit, options);
  const [usual] = input.schemes;
  const name = escapeMarkup(input.name);
  const sections = [
    usual === undefined ? "" : renderCover(input, usual),
    ...input.schemes
      .filter(({ colors }) => colors.length > 0)
      .map((scheme) => renderPanel({ title: `Color, ${scheme.scheme}`, scheme, input }, renderColors(scheme))),
    usual === undefined || input.fonts.length === 0
      ? ""
      : renderPanel({ title: "Type", scheme: usual, input }, renderType(input.fonts)),
    usual === undefined || input.logos.length === 0
      ? ""
      : renderPanel({ title: "Logo", scheme: usual, input }, renderLogos(input)),
    ...input.schemes.map((scheme) =>
      renderPanel({ title: `In use, ${scheme.scheme}`, scheme, input }, renderUse(input)),
    ),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:">
<title>${name}: brand kit</title>
<style>${renderFontFaces(input)}${SHEET_STYLE}</style>
</head>
<body><main>${sections.filter((section) => section !== "").join("\n")}</main></body>
</html>
`;
}

function renderFontFaces({ fontFiles }: SheetInput): string {
  const faces = [...fontFiles].map(([family, data]) => {
    return `@font-face{font-family:"${family.replaceAll(/["\\<>\n]/g, "")}";src:url("${data}");font-weight:1 1000}`;
  });
  return faces.join("");
}

function renderCover(input: SheetInput, scheme: SheetScheme): string {
  const name = escapeMarkup(input.name);
  const logo = input.logos.find(({ kind, dataAddress }) => kind === "logo" && dataAddress !== undefined);
  const plate = logo?.background === undefined ? "" : ` style="background:${escapeMarkup(logo.background)}"`;
  const mark =
    logo?.dataAddress === undefined ? "" : `<img class="mark"${plate} src="${escapeMarkup(logo.dataAddress)}" alt="">`;
  const facts = [
    "Brand kit",
    `${scheme.colors.filter(({ derivedFrom }) => derivedFrom === undefined).length} colors`,
    ...(input.schemes.length > 1 ? ["light and dark"] : []),
    ...(input.sourceUrl === undefined ? [] : [input.sourceUrl]),
  ];
  return `<header class="panel cover" style="${variablesOf(input, scheme)}">${mark === "" ? "<span></span>" : mark}
<div><h1>${name}</h1></div><p class="label">${facts.map((fact) => `<span>${escapeMarkup(fact)}</span>`).join("")}</p></header>`;
}

function renderPanel(
  { title, scheme, input }: { readonly title: string; readonly scheme: SheetScheme; readonly input: SheetInput },
  content: string,
): string {
  return `<section class="panel" style="${variablesOf(input, scheme)}"><h2 class="label">${title}</h2>${content}</section>`;
}

function variablesOf({ fonts }: SheetInput, { colorOf, colors }: SheetScheme): string {
  const has = new Set(colors.map(({ role }) => role));
  const background = colorOf("background");
  const primary = colorOf("primary");
  const font = (role: string): string => {
    const found =
      fonts.find((other) => other.role === role) ??
      (role === "mono" ? undefined : fonts.find((other) => other.role === "body"));
    if (found !== undefined) return fontStack(found);
    return role === "mono" ? "ui-monospace, monospace" : "system-ui, sans-serif";
  };
  const heading = fonts.find(({ role }) => role === "heading")?.weights ?? [];
  const variables: Readonly<Record<string, string>> = {
    background,
    text: colorOf("text"),
    "heading-color": colorOf("heading"),
    primary,
    "on-primary": readableOn(primary),
    "primary-hover": has.has("primary-hover") ? colorOf("primary-hover") : primary,
    "primary-text": has.has("primary-text") ? colorOf("primary-text") : readableFrom(primary, background),
    link: has.has("link") ? colorOf("link") : colorOf("text"),
    surface: has.has("surface") ? colorOf("surface") : background,
    border: has.has("border") ? colorOf("border") : "color-mix(in srgb, currentColor 18%, transparent)",
    heading: font("heading"),
    body: font("body"),
    mono: font("mono"),
    "heading-weight": String(headingWeight(heading)),
  };
  return escapeMarkup(
    Object.entries(variables)
      .map(([name, value]) => `--${name}:${value}`)
      .join(";"),
  );
}

function renderUse({ name }: SheetInput): string {
  return `<div class="use"><div><h2>A heading that says what ${escapeMarkup(name)} is for</h2>
<p>Running text in the body font, long enough to show its color, its rhythm and <a>how a link looks in it</a>. It should
read well at arm’s length and in a hurry.</p>
<div class="actions"><span>Primary button</span><span class="hover">On hover</span><span class="quiet">Quiet button</span></div></div>
<aside class="card"><b>A card on the surface</b><p>Smaller text for supporting content.</p><pre>npm run build
published 12 pages</pre></aside></div>`;
}

/** A text color and its background. */
interface Pair {
  readonly text: string;
  readonly ground: string;
  readonly words: string;
}

const PAIRS: readonly Pair[] = [
  { text: "text", ground: "background", words: "Running text" },
  { text: "heading", ground: "background", words: "Headings" },
  { text: "link", ground: "background", words: "A link in text" },
  { text: "primary", ground: "background", words: "Primary as text" },
  { text: "primary-text", ground: "background", words: "Readable primary" },
  { text: "on-primary", ground: "primary", words: "On the primary color" },
  { text: "text", ground: "surface", words: "Text on a surface" },
];

/** Renders the colors of a scheme: the site's own as swatches, the derived ones, and the contrast of pairs. */
export function renderColors(scheme: SheetScheme): string {
  const own = scheme.colors.filter(({ derivedFrom }) => derivedFrom === undefined);
  const derived = scheme.colors.filter(({ derivedFrom }) => derivedFrom !== undefined);
  const primaryFirst = own.toSorted((a, b) => rankOf(a.role) - rankOf(b.role));
  return `<ul class="swatches">${primaryFirst.map(({ role, hex }) => renderSwatch(role, hex, scheme)).join("")}</ul>
<ul class="derived">${derived.map(renderDerived).join("")}</ul>
<ul class="pairs">${pairsOf(scheme)
    .map((pair) => renderPair(pair, scheme))
    .join("")}</ul>`;
}

/** Pairs whose colors are both in the kit, without duplicates of the same two colors. */
function pairsOf({ colors, colorOf }: SheetScheme): readonly Pair[] {
  const roles = new Set(colors.map(({ role }) => role));
  const pairs = PAIRS.filter(({ text, ground }) => roles.has(text) && roles.has(ground));
  return [
    ...new Map(pairs.toReversed().map((pair) => [`${colorOf(pair.text)} ${colorOf(pair.ground)}`, pair])).values(),
  ].toReversed();
}

function rankOf(role: string): number {
  return role === "primary" ? 0 : 1;
}

function renderSwatch(role: string, hex: string, { colorOf, scheme }: SheetScheme): string {
  const solid = hex.slice(0, 7);
  const isPrimary = role === "primary";
  const contrast = contrastOf(solid, colorOf("background"));
  const grade = role === "background" ? `the ${scheme} background` : `${contrast.toFixed(1)}:1 on background`;
  return `<li class="swatch${isPrimary ? " large" : ""}" style="--color:${solid};--on:${readableOn(solid)}">
<b>${escapeMarkup(titleOf(role))}</b>${isPrimary ? '<span class="sample" aria-hidden="true">Aa</span>' : ""}
<span class="foot"><span><span class="hex">${escapeMarkup(hex)}</span><br><span class="label">${grade}</span></span></span></li>`;
}

function renderDerived({ role, hex, derivedFrom = "" }: SheetScheme["colors"][number]): string {
  return `<li><i style="--color:${hex}"></i><span><b>${escapeMarkup(titleOf(role))}</b><span class="hex">${hex}</span>
<span class="label">derived from ${escapeMarkup(derivedFrom)}</span></span></li>`;
}

function renderPair({ text, ground, words }: Pair, { colorOf }: SheetScheme): string {
  const contrast = contrastOf(colorOf(text), colorOf(ground));
  return `<li class="pair" style="--color:${colorOf(text)};--on:${colorOf(ground)};--ink:${readableOn(colorOf(ground))}"><p>${words}</p>
<span class="foot"><span class="hex">${contrast.toFixed(2)}:1</span><span class="grade">${gradeContrast(contrast)}</span></span></li>`;
}

/** Renders font specimens: a large pair of letters, the alphabet, and every weight. Fonts of one family are grouped. */
export function renderType(fonts: readonly FontToken[]): string {
  const families = Map.groupBy(fonts, ({ family }) => family);
  return `<div class="type">${[...families.values()].map(renderFace).join("")}</div>`;
}

function renderFace(fonts: readonly FontToken[]): string {
  const [font] = fonts;
  if (font === undefined) return "";
  const stack = escapeMarkup(fontStack(font));
  const weights = [...new Set(fonts.flatMap((other) => other.weights))].toSorted((a, b) => a - b);
  const weight = fonts.some(({ role }) => role === "heading") ? headingWeight(weights) : 400;
  const isMono = fonts.every(({ role }) => role === "mono");
  return `<article class="face" style="font-family:${stack}"><div><div class="big" style="font-weight:${weight}" aria-hidden="true">${isMono ? "{}" : "Aa"}</div></div>
<div><p class="label">${fonts.map(({ role }) => escapeMarkup(titleOf(role))).join(" and ")}</p>
<h3 style="font-weight:${weight}">${escapeMarkup(font.family)}</h3>
<p class="glyphs">ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz 0123456789 &amp; ! ? € @ # → “”</p>
<ul class="weights">${weights.map((value) => `<li style="font-weight:${value}">Sphinx<span>${value}</span></li>`).join("")}</ul></div></article>`;
}

interface Ground {
  readonly name: string;
  readonly color: string;
  readonly ink: string;
}

/** Renders every logo on each background: light, dark, and the primary color. */
export function renderLogos({ logos, schemes, name }: SheetInput): string {
  const grounds = groundsOf(schemes);
  return `<div class="logos" style="--grounds:${grounds.length}">${logos
    .flatMap((logo) => grounds.map((ground) => renderLogo(logo, ground, name)))
    .join("")}</div>`;
}

function groundsOf(schemes: SheetInput["schemes"]): readonly Ground[] {
  const [light, dark] = backgroundsOf(schemes);
  const [usual] = schemes;
  const hasPrimary = usual?.colors.some(({ role }) => role === "primary") ?? false;
  return [
    { name: "on light", color: light, ink: "#161616" },
    { name: "on dark", color: dark, ink: "#f4f4f4" },
    ...(usual === undefined || !hasPrimary
      ? []
      : [{ name: "on primary", color: usual.colorOf("primary"), ink: usual.colorOf("on-primary") }]),
  ];
}

function renderLogo({ kind, dataAddress, url, width, height }: SheetLogo, ground: Ground, name: string): string {
  const size = width === undefined || height === undefined ? "" : ` · ${width} × ${height}`;
  const picture =
    dataAddress === undefined
      ? `<span class="missing">File not available<br><span class="hex">${escapeMarkup(url)}</span></span>`
      : `<img src="${escapeMarkup(dataAddress)}" alt="${escapeMarkup(`${name}, ${kind}`)}">`;
  const isSmall = kind === "icon" || kind === "touch-icon";
  return `<figure${isSmall ? ' class="small"' : ""} style="--ground:${ground.color};--ink:${ground.ink}">${picture}
<figcaption>${escapeMarkup(titleOf(kind))} ${ground.name}${size}</figcaption></figure>`;
}
