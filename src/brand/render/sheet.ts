import type { BrandKitBody } from "../../contract/requests.ts";
import { readableFrom, readableOn } from "../derive.ts";
import { fontStack, headingWeight } from "../tokens.ts";
import { escapeMarkup } from "./markup.ts";
import { renderColors } from "./sheet-colors.ts";
import { readSheetInput, type SheetInput, type SheetOptions, type SheetScheme } from "./sheet-input.ts";
import { renderLogos } from "./sheet-logos.ts";
import { SHEET_STYLE } from "./sheet-style.ts";
import { renderType } from "./sheet-type.ts";

/**
 * The kit as a page to look at: colors with their contrast, fonts, logos, and all of it in use, light and dark. The
 * page is one file that loads nothing and runs nothing.
 */
export function renderSheet(kit: BrandKitBody, options: SheetOptions = {}): string {
  const input = readSheetInput(kit, options);
  const [usual] = input.schemes;
  const name = escapeMarkup(input.name);
  const sections = [
    usual === undefined ? "" : renderCover(input, usual),
    ...input.schemes.map((scheme) =>
      renderPanel({ title: `Color, ${scheme.scheme}`, scheme, input }, renderColors(scheme)),
    ),
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
  return [...fontFiles]
    .map(
      ([family, data]) =>
        `@font-face{font-family:"${family.replaceAll(/["\\<>\n]/g, "")}";src:url("${data}");font-weight:1 1000}`,
    )
    .join("");
}

function renderCover(input: SheetInput, scheme: SheetScheme): string {
  const name = escapeMarkup(input.name);
  const logo = input.logos.find(({ kind, dataAddress }) => kind === "logo" && dataAddress !== undefined);
  const mark =
    logo?.dataAddress === undefined ? "" : `<img class="mark" src="${escapeMarkup(logo.dataAddress)}" alt="">`;
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
    return found === undefined
      ? role === "mono"
        ? "ui-monospace, monospace"
        : "system-ui, sans-serif"
      : fontStack(found);
  };
  const heading = fonts.find(({ role }) => role === "heading")?.weights ?? [];
  const variables: Readonly<Record<string, string>> = {
    background,
    text: colorOf("text"),
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
<p>Running text in the body font, long enough to show its color, its rhythm and <a>how a link stands in it</a>. It should
read well at arm’s length and in a hurry.</p>
<div class="actions"><span>Primary button</span><span class="hover">Under the pointer</span><span class="quiet">Quiet button</span></div></div>
<aside class="card"><b>A card on the surface</b><p>Smaller text for the things that stand beside the main one.</p><pre>npm run build
published 12 pages</pre></aside></div>`;
}
