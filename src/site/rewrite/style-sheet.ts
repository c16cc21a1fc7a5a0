import type { FontFace } from "../../html/font-faces.ts";
import type { SiteAsset, SiteWarning } from "../model.ts";

/** A stylesheet whose addresses are rewritten. Fonts that were put into it stand apart: a page can do without them. */
export interface StyleSheet {
  readonly parts: readonly StylePart[];
  /** `@import` rules of other sites, which have to stand first. */
  readonly imports: readonly string[];
  readonly assets: readonly SiteAsset[];
  readonly warnings: readonly SiteWarning[];
}

export interface StylePart {
  readonly css: string;
  /** Of a font face that was put in: the code points it is for. */
  readonly ranges?: FontFace["ranges"];
}

/** Whether a page has a character from `first` to `last`. */
export type HasCharacter = (first: number, last: number) => boolean;

export const EMPTY_SHEET: StyleSheet = { parts: [], imports: [], assets: [], warnings: [] };

/** A sheet of one part. */
export function sheetOf(css: string, rest: Partial<StyleSheet> = {}): StyleSheet {
  return { ...EMPTY_SHEET, parts: [{ css }], ...rest };
}

/** Whether a sheet holds fonts that a page may do without. */
export function hasOptionalFonts(sheet: StyleSheet): boolean {
  return sheet.parts.some((part) => part.ranges !== undefined);
}

/** Writes a stylesheet out; `hasCharacter` decides which of its fonts stay. Without it all do. */
export function renderStyleSheet({ imports, parts }: StyleSheet, hasCharacter?: HasCharacter): string {
  const shown = parts.filter(
    ({ ranges }) =>
      hasCharacter === undefined || ranges === undefined || ranges.some(([first, last]) => hasCharacter(first, last)),
  );
  return [...imports, ...shown.map((part) => part.css)].join("");
}

export interface StylePiece {
  readonly start: number;
  readonly end: number;
  readonly sheet: StyleSheet;
}

/** Puts sheets in the places of a stylesheet that they replace. */
export function joinPieces(css: string, pieces: readonly StylePiece[]): StyleSheet {
  const parts: StylePart[] = [];
  let position = 0;
  for (const { start, end, sheet } of pieces.toSorted((one, other) => one.start - other.start)) {
    if (start < position) continue;
    parts.push({ css: css.slice(position, start) }, ...sheet.parts);
    position = end;
  }
  parts.push({ css: css.slice(position) });
  const sheets = pieces.map((piece) => piece.sheet);
  return {
    parts,
    imports: sheets.flatMap((sheet) => sheet.imports),
    assets: sheets.flatMap((sheet) => sheet.assets),
    warnings: sheets.flatMap((sheet) => sheet.warnings),
  };
}
