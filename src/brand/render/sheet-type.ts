import { fontStack, headingWeight, type FontToken } from "../tokens.ts";
import { escapeMarkup, titleOf } from "./markup.ts";

/** Specimens of the fonts: a large pair of letters, the alphabet, and every weight. Fonts of one family stand together. */
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
