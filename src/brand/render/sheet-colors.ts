import { contrastOf, gradeContrast } from "../color/contrast.ts";
import { readableOn } from "../derive.ts";
import { escapeMarkup, titleOf } from "./markup.ts";
import type { SheetScheme } from "./sheet-input.ts";

/** Two colors that meet as text and ground. */
interface Pair {
  readonly text: string;
  readonly ground: string;
  readonly words: string;
}

const PAIRS: readonly Pair[] = [
  { text: "text", ground: "background", words: "Running text" },
  { text: "link", ground: "background", words: "A link in it" },
  { text: "primary", ground: "background", words: "Primary as text" },
  { text: "primary-text", ground: "background", words: "Readable primary" },
  { text: "on-primary", ground: "primary", words: "On the primary color" },
  { text: "text", ground: "surface", words: "Text on a surface" },
];

/** The colors of a scheme: the site's own as swatches, those that are derived, and how they can be read together. */
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

/** The pairs of which both colors are in the kit. A second one with the same colors is left out. */
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
  const grade = role === "background" ? `the ${scheme} ground` : `${contrast.toFixed(1)}:1 on background`;
  return `<li class="swatch${isPrimary ? " large" : ""}" style="--color:${solid};--on:${readableOn(solid)}">
<b>${escapeMarkup(titleOf(role))}</b>${isPrimary ? '<span class="sample" aria-hidden="true">Aa</span>' : ""}
<span class="foot"><span><span class="hex">${escapeMarkup(hex)}</span><br><span class="label">${grade}</span></span></span></li>`;
}

function renderDerived({
  role,
  hex,
  derivedFrom = "",
}: {
  readonly role: string;
  readonly hex: string;
  readonly derivedFrom?: string;
}): string {
  return `<li><i style="--color:${hex}"></i><span><b>${escapeMarkup(titleOf(role))}</b><span class="hex">${hex}</span>
<span class="label">derived from ${escapeMarkup(derivedFrom)}</span></span></li>`;
}

function renderPair({ text, ground, words }: Pair, { colorOf }: SheetScheme): string {
  const contrast = contrastOf(colorOf(text), colorOf(ground));
  return `<li class="pair" style="--color:${colorOf(text)};--on:${colorOf(ground)};--ink:${readableOn(colorOf(ground))}"><p>${words}</p>
<span class="foot"><span class="hex">${contrast.toFixed(2)}:1</span><span class="grade">${gradeContrast(contrast)}</span></span></li>`;
}
