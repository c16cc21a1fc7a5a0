import type { Element } from "domhandler";
import type { ComputedStyle } from "../css/computed-style.ts";
import type { BrandFindings, FontFinding, FontRole } from "../findings.ts";
import { closest, textHolderOf, textOf } from "../document.ts";
import { findLandmarks } from "../page/landmarks.ts";
import type { Look } from "../page/look.ts";
import { createProbe, findContent, isInPageFrame, shownElements, type SitePage } from "../page/site-page.ts";
import { roundConfidence, sum } from "../vote/tally.ts";
import { cleanFamily, isSystemFamily, splitFamilies } from "./family-name.ts";
import { collectFontFiles, type FontFiles } from "./font-files.ts";

interface FontVote {
  readonly stack: string;
  readonly weight: number;
  readonly fontWeight: number;
  readonly words: string;
}

/** Finds the fonts of headings, running text, and code. `null` if the styles leave the browser's default. */
export function findFonts(pages: readonly SitePage[]): BrandFindings["fonts"] {
  const files = collectFontFiles(pages);
  const find = (role: FontRole): FontFinding | null =>
    toFinding(
      pages.flatMap((page) => {
        const look = page.looks[page.looks.defaultScheme];
        return look === undefined ? [] : voteFor(role, page, look);
      }),
      { role, files },
    );
  return { heading: find("heading"), body: find("body"), mono: find("mono") };
}

const SEARCHED: Readonly<
  Record<FontRole, { readonly names: readonly string[]; readonly limit: number; readonly probe: string }>
> = {
  heading: { names: ["h1", "h2", "h3"], limit: 12, probe: "h2" },
  body: { names: ["p", "li"], limit: 40, probe: "p" },
  mono: { names: ["code", "pre", "kbd", "samp"], limit: 12, probe: "code" },
};

function voteFor(role: FontRole, page: SitePage, look: Look): readonly FontVote[] {
  const { names, limit, probe } = SEARCHED[role];
  const { header } = findLandmarks(page);
  const find = (test: (element: Element) => boolean) =>
    shownElements(page, look, {
      test: (element) =>
        test(element) &&
        textOf(element) !== "" &&
        !isInPageFrame(element) &&
        closest(element, (ancestor) => ancestor === header) === undefined,
      limit,
    });
  const named = find(({ name }) => names.includes(name));
  const found = named.length === 0 && role === "body" ? find(holdsText) : named;
  const content = findContent(page);
  const asked = found.length > 0 ? found : content === undefined ? [] : [createProbe(content, [probe])];
  return asked
    .map((element) => ({ element, style: look.styleOf(textHolderOf(element)) }))
    .filter(({ style }) => isChosen(role, style))
    .map(({ element, style }) => ({
      stack: style.fontFamily,
      weight: (page.weight * weightOf(element)) / asked.length,
      fontWeight: style.fontWeight,
      words: found.length > 0 ? `${element.name} elements` : `styles of ${element.name}`,
    }));
}

/** Running text outside paragraphs, directly in a cell, a `font`, or a `div`. */
function holdsText({ children }: Element): boolean {
  return children.some((child) => child.type === "text" && child.data.trim().length > LEAST_TEXT);
}

const LEAST_TEXT = 40;

/** A plain `monospace` on code and the fonts of unstyled controls are the browser's, not the site's. */
function isChosen(role: FontRole, { fontFamily }: ComputedStyle): boolean {
  if (fontFamily.startsWith("-imprint-")) return false;
  return role !== "mono" || splitFamilies(fontFamily).some((family) => family.toLowerCase() !== "monospace");
}

function weightOf(element: Element): number {
  return element.name === "h1" ? 3 : element.name === "h2" || element.name === "p" ? 2 : 1;
}

function toFinding(
  votes: readonly FontVote[],
  { role, files }: { readonly role: FontRole; readonly files: FontFiles },
): FontFinding | null {
  const groups = new Map<string, FontVote[]>();
  for (const vote of votes) {
    const family = familyOf(vote.stack);
    if (family !== undefined) groups.set(family, [...(groups.get(family) ?? []), vote]);
  }
  const ranked = [...groups].map(([family, group]) => ({
    family,
    group,
    weight: sum(group.map(({ weight }) => weight)),
  }));
  const best = ranked.toSorted((a, b) => b.weight - a.weight || (a.family < b.family ? -1 : 1))[0];
  const first = best?.group[0];
  if (best === undefined || first === undefined) return null;
  const used = [...new Set(best.group.map(({ fontWeight }) => fontWeight))].toSorted((a, b) => a - b);
  const file = splitFamilies(first.stack)
    .slice(0, 1)
    .flatMap((family) => files.find(family, role === "heading" ? (used.at(-1) ?? 700) : 400) ?? [])[0];
  const share = best.weight / sum(ranked.map(({ weight }) => weight));
  return {
    family: best.family,
    stack: first.stack,
    weights: file === undefined || file.weights.length === 0 ? used : file.weights,
    source: file?.source ?? "system",
    address: file?.address ?? null,
    confidence: roundConfidence((0.5 + share / 2) * (file !== undefined || isSystemFamily(best.family) ? 0.97 : 0.9)),
    evidence: [...countElements(best.group), ...(file === undefined ? [] : [`${file.source} font files`])],
  };
}

function familyOf(stack: string): string | undefined {
  const [first] = splitFamilies(stack);
  return first === undefined ? undefined : cleanFamily(first);
}

function countElements(votes: readonly FontVote[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { words } of votes) counts.set(words, (counts.get(words) ?? 0) + 1);
  return [...counts].map(([words, count]) => (words.startsWith("styles") ? words : `${count} ${words}`));
}
