import { findCssAddresses, renderCssString, renderCssUrl, type CssAddress } from "../../html/css-addresses.ts";
import { applyEdits } from "../../html/edits.ts";
import { findBestFontSource, findFontFaces, type FontFace } from "../../html/font-faces.ts";
import { renderHtml } from "../../html/page-html.ts";
import { renderPlaceholder } from "../../html/placeholders.ts";
import type { Target } from "../address-book.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { SiteAsset, SiteWarning } from "../model.ts";
import { readSiteText } from "../read-file.ts";
import { rewriteImageSelectors } from "./image-selectors.ts";
import { rewriteLinkSelectors } from "./link-selectors.ts";
import {
  fileDataAddress,
  resolveIn,
  warningAt,
  type RewriteTools,
  type TextContext,
  type TextPlace,
} from "./text-context.ts";

export interface StyleSheets {
  /** Returns the style sheet in a file, including its imports. Read and rewritten once per site. */
  fromFile(path: string, usedIn: string): StyleSheet;
  fromText(css: string, place: TextPlace): StyleSheet;
  /** Returns a style sheet file that is loaded from the library. */
  addressOf(path: string, usedIn: string): AddressedSheet;
  /** Returns a style sheet that a script imports as a module, in which browsers ignore `@import`. */
  moduleOf(path: string, usedIn: string): StyleSheet;
}

interface AddressedSheet {
  readonly address: string;
  readonly assets: readonly SiteAsset[];
  readonly warnings: readonly SiteWarning[];
}

/**
 * Creates the rewriter of style sheets: imports are inlined, and images and fonts become placeholders or `data:`
 * addresses.
 */
export function createStyleSheets(tools: RewriteTools): StyleSheets {
  const sheets = new Map<string, StyleSheet>();
  const addressed = new Map<string, AddressedSheet>();
  // Files that are being read, to detect a style sheet that imports itself.
  const open = new Set<string>();

  function fromFile(path: string, usedIn: string): StyleSheet {
    // What a cyclic import omits depends on where the cycle was entered, so only complete sheets are cached.
    const isWhole = open.size === 0;
    const known = isWhole ? sheets.get(path) : undefined;
    if (known !== undefined) return known;
    if (open.has(path)) return EMPTY_SHEET;
    open.add(path);
    const sheet = fromText(readSheet(path), { file: path, base: path, usedIn, firstLine: 1 });
    open.delete(path);
    if (isWhole) sheets.set(path, sheet);
    return sheet;
  }

  function readSheet(path: string): string {
    return readSiteText(tools.site.root, path).replace(/^@charset\s+(?:"[^"]*"|'[^']*')\s*;/i, "");
  }

  function fromText(css: string, place: TextPlace): StyleSheet {
    const importFile = (path: string) => fromFile(path, place.usedIn);
    const context = { ...tools, text: css, place, importFile };
    const faces = tools.settings.placement.fonts === "inline" ? findFontFaces(css) : [];
    const addresses = findCssAddresses(css).filter(
      ({ start }) => !faces.some((face) => face.start <= start && start < face.end),
    );
    const pieces = [
      ...rewriteLinkSelectors(context, (address) => resolveIn(context, address)).map(({ start, end, text }) => ({
        start,
        end,
        sheet: sheetOf(text),
      })),
      ...rewriteImageSelectors(context, (start, warning) => warningAt(start, context, warning)).map(
        ({ edit, assets = [], warnings = [] }) => {
          const { start, end, text } = edit ?? { start: 0, end: 0, text: "" };
          return { start, end, sheet: sheetOf(text, { assets, warnings }) };
        },
      ),
      ...faces.map((face) => rewriteFontFace(face, context)),
      ...addresses.map((address) =>
        address.kind === "import" ? importSheet(address, context) : rewriteCssAddress(address, context),
      ),
    ];
    return joinPieces(
      css,
      pieces.filter((piece) => piece !== undefined),
    );
  }

  function moduleOf(path: string, usedIn: string): StyleSheet {
    const css = readSheet(path);
    const imports = findCssAddresses(css).filter(({ kind }) => kind === "import");
    const text = applyEdits(
      css,
      imports.map(({ start, end }) => ({ start, end, text: "" })),
    );
    return fromText(text, { file: path, base: path, usedIn, firstLine: 1 });
  }

  function addressOf(path: string, usedIn: string): AddressedSheet {
    const known = addressed.get(path);
    if (known !== undefined) return known;
    const sheet = fromFile(path, usedIn);
    const { assets, warnings } = sheet;
    const text = renderWholeSheet(sheet, tools);
    const asset = tools.assets.fromText(text, { path, kind: "style", assets, usedIn });
    const made = { address: renderPlaceholder(asset.hash), assets: [asset, ...assets], warnings };
    addressed.set(path, made);
    return made;
  }

  return { fromFile, fromText, addressOf, moduleOf };
}

/** A style sheet with rewritten addresses. Embedded fonts are separate parts, since a page may not need them. */
export interface StyleSheet {
  readonly parts: readonly StylePart[];
  /** `@import` rules of other sites, which must come first. */
  readonly imports: readonly string[];
  readonly assets: readonly SiteAsset[];
  readonly warnings: readonly SiteWarning[];
}

interface StylePart {
  readonly css: string;
  /** For an embedded font face: the code points that it covers. */
  readonly ranges?: FontFace["ranges"];
}

/** Whether a page has a character from `first` to `last`. */
export type HasCharacter = (first: number, last: number) => boolean;

const EMPTY_SHEET: StyleSheet = { parts: [], imports: [], assets: [], warnings: [] };

function sheetOf(css: string, rest: Partial<StyleSheet> = {}): StyleSheet {
  return { ...EMPTY_SHEET, parts: [{ css }], ...rest };
}

export function hasOptionalFonts(sheet: StyleSheet): boolean {
  return sheet.parts.some((part) => part.ranges !== undefined);
}

/** Renders a style sheet. `hasCharacter` determines which fonts to include; without it, all are. */
export function renderStyleSheet({ imports, parts }: StyleSheet, hasCharacter?: HasCharacter): string {
  const shown = parts.filter(
    ({ ranges }) =>
      hasCharacter === undefined || ranges === undefined || ranges.some(([first, last]) => hasCharacter(first, last)),
  );
  return [...imports, ...shown.map((part) => part.css)].join("");
}

export function renderWholeSheet(sheet: StyleSheet, { inserts }: Pick<RewriteTools, "inserts">): string {
  return renderHtml({ html: renderStyleSheet(sheet), findInsert: inserts.find });
}

interface StylePiece {
  readonly start: number;
  readonly end: number;
  readonly sheet: StyleSheet;
}

/** Inserts sheets into a style sheet in place of the ranges that they replace. */
function joinPieces(css: string, pieces: readonly StylePiece[]): StyleSheet {
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

interface CssContext extends TextContext {
  readonly importFile: (path: string) => StyleSheet;
}

/** Rewrites an image or font address; `undefined` if it stays unchanged. */
function rewriteCssAddress(address: CssAddress, context: CssContext): StylePiece | undefined {
  const { start, end } = address;
  const placed = placeAddress(address, context);
  if (placed === undefined) return undefined;
  if ("code" in placed) return { start, end, sheet: sheetOf(context.text.slice(start, end), { warnings: [placed] }) };
  const css = address.kind === "string" ? renderCssString(placed.address) : renderCssUrl(placed.address);
  return { start, end, sheet: sheetOf(css, { assets: placed.assets }) };
}

/** Embeds the best format of a font face, which may be omitted if its characters aren't used. */
function rewriteFontFace(face: FontFace, context: CssContext): StylePiece | undefined {
  const { text: css } = context;
  const { start, end, source } = face;
  const best = source === undefined ? undefined : findBestFontSource(css.slice(source.start, source.end));
  if (source === undefined || best === undefined) return undefined;
  const placed = placeAddress({ ...best, start: source.start, kind: "url" }, context);
  if (placed !== undefined && "code" in placed)
    return { start, end, sheet: sheetOf(css.slice(start, end), { warnings: [placed] }) };
  // A font that is already embedded or from another site only loses its inferior formats.
  if (placed === undefined && best.isOnly) return undefined;
  const value = `${best.before}${renderCssUrl(placed?.address ?? best.address)}${best.after}`;
  const text = css.slice(start, source.start) + value + css.slice(source.end, end);
  const part = face.ranges === undefined ? { css: text } : { css: text, ranges: face.ranges };
  return { start, end, sheet: sheetOf("", { parts: [part], assets: placed?.assets ?? [] }) };
}

/** Replaces an `@import` with the imported style sheet; one from another site is moved to the start. */
function importSheet(address: CssAddress, context: CssContext): StylePiece | undefined {
  const { start, end } = address;
  const source = context.text.slice(start, end);
  const target = resolveIn(context, address.address);
  if (target.kind === "file") {
    const sheet = context.importFile(target.path);
    const [opening, closing] = renderConditions(address.conditions);
    return { start, end, sheet: { ...sheet, parts: [{ css: opening }, ...sheet.parts, { css: closing }] } };
  }
  if (target.kind === "foreign") return { start, end, sheet: sheetOf("", { imports: [source] }) };
  return { start, end, sheet: sheetOf(source, { warnings: [warnMissing(address, target, context)] }) };
}

function placeAddress(
  written: Pick<CssAddress, "address" | "start" | "kind">,
  context: CssContext,
): Omit<AddressedSheet, "warnings"> | SiteWarning | undefined {
  const target = resolveIn(context, written.address);
  if (target.kind === "missing") return warnMissing(written, target, context);
  if (target.kind !== "file") return undefined;
  if (kindOf(contentTypeOf(target.path)) === "font" && context.settings.placement.fonts === "inline") {
    return { address: fileDataAddress(target.path, context), assets: [] };
  }
  const asset = context.assets.fromFile(target.path, {
    usedIn: context.place.usedIn,
    // Strings occur in `image-set()`, which specifies types, which a re-encoded file must keep.
    optimize: written.kind === "string" ? "same-type" : "any-type",
  });
  const [fragment = ""] = /#.*$/s.exec(target.suffix) ?? [];
  return { address: renderPlaceholder(asset.hash) + fragment, assets: [asset] };
}

function warnMissing({ address, start }: Pick<CssAddress, "address" | "start">, target: Target, context: CssContext) {
  const message = `The style sheet refers to ${address}, which is missing from the built site.`;
  const missing = target.kind === "missing" ? { target: target.path } : {};
  return warningAt(start, context, { code: "missing-file", message, ...missing });
}

/** Converts `layer(base) supports(display: grid) screen` to equivalent rules around the imported sheet. */
function renderConditions(conditions: string): readonly [opening: string, closing: string] {
  const [, layer, layerName = "", supports, media = ""] =
    /^(layer(?:\(([^)]*)\))?(?![\w-]))?\s*(?:supports\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\))?\s*(.*)$/is.exec(
      conditions,
    ) ?? [];
  const openings = [
    layer === undefined ? "" : `@layer ${layerName}{`,
    supports === undefined ? "" : `@supports ${/^[\w-]+\s*:/.test(supports) ? `(${supports})` : supports}{`,
    media === "" ? "" : `@media ${media}{`,
  ];
  return [openings.join(""), "}".repeat(openings.filter((opening) => opening !== "").length)];
}
