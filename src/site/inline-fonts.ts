import { applyEdits } from "../html/edits.ts";
import { findFontFaces, type FontFace } from "../html/font-faces.ts";
import { parseHtml } from "../html/parse.ts";
import { innerRange, visitElements } from "../html/tree.ts";
import { policyHash, renderTextHashPlaceholder } from "../html/placeholders.ts";

/** A font that stands in a `<style>` of a page as a `data:` address. */
export interface InlineFace {
  readonly family: string;
  readonly style: "upright" | "italic";
  /** The lightest and the boldest weight that the face is for. */
  readonly weights: readonly [lightest: number, boldest: number];
  /** Code points the face is for; `undefined`: all. */
  readonly ranges: FontFace["ranges"];
  /** Bytes of its rule in the page. */
  readonly bytes: number;
}

/** The stylesheets in a page's `<style>` elements, with their places. */
export function findInlineSheets(
  html: string,
): readonly { readonly css: string; readonly start: number; readonly end: number }[] {
  const sheets: { readonly css: string; readonly start: number; readonly end: number }[] = [];
  visitElements(parseHtml(html), (element) => {
    const range = element.tagName === "style" ? innerRange(element) : undefined;
    if (range !== undefined) sheets.push({ ...range, css: html.slice(range.start, range.end) });
  });
  return sheets;
}

/** The fonts of a stylesheet that stand in it themselves. */
export function findInlineFaces(css: string): readonly InlineFace[] {
  return locateFaces(css).map(({ face }) => face);
}

/** Takes fonts out of a page's stylesheets; its content security policies stay right. */
export function removeInlineFaces(html: string, isLeftOut: (face: InlineFace) => boolean): string {
  const changes = findInlineSheets(html).flatMap(({ css, start, end }) => {
    const removed = locateFaces(css).filter(({ face }) => isLeftOut(face));
    if (removed.length === 0) return [];
    return [
      {
        start,
        end,
        css,
        text: applyEdits(
          css,
          removed.map((place) => ({ ...place, text: "" })),
        ),
      },
    ];
  });
  return changes.reduce(
    (page, { css, text }) =>
      page
        .replaceAll(policyHash(css), policyHash(text))
        .replaceAll(renderTextHashPlaceholder(css), renderTextHashPlaceholder(text)),
    applyEdits(html, changes),
  );
}

interface FacePlace {
  readonly start: number;
  readonly end: number;
  readonly face: InlineFace;
}

function locateFaces(css: string): readonly FacePlace[] {
  return findFontFaces(css).flatMap(({ start, end, source, ranges }) => {
    const isInline = source !== undefined && css.slice(source.start, source.end).includes("data:");
    if (!isInline) return [];
    const descriptors = css.slice(start, source.start) + css.slice(source.end, end);
    const face: InlineFace = {
      family: (descriptorOf(descriptors, "family") ?? "").replaceAll(/^["']|["']$/g, ""),
      style: /italic|oblique/i.test(descriptorOf(descriptors, "style") ?? "") ? "italic" : "upright",
      weights: parseWeights(descriptorOf(descriptors, "weight") ?? "400"),
      ranges,
      bytes: Buffer.byteLength(css.slice(start, end)),
    };
    return [{ start, end, face }];
  });
}

function descriptorOf(descriptors: string, name: string): string | undefined {
  return new RegExp(`font-${name}\\s*:\\s*([^;}]+)`, "i").exec(descriptors)?.[1]?.trim();
}

function parseWeights(text: string): readonly [number, number] {
  const [lightest = 400, boldest = lightest] = text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => (word === "bold" ? 700 : Number.parseInt(word, 10) || 400));
  return [lightest, boldest];
}
