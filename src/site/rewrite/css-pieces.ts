import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renderCssString, renderCssUrl, type CssAddress } from "../../html/css-addresses.ts";
import { bytesDataAddress, renderPlaceholder } from "../../html/placeholders.ts";
import { findBestFontSource, type FontFace } from "../../html/font-faces.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { SiteAsset, SiteWarning } from "../model.ts";
import { sheetOf, type StylePiece, type StyleSheet } from "./style-sheet.ts";
import type { CssPlace, StyleTools } from "./style-sheets.ts";

export interface CssContext extends StyleTools {
  readonly css: string;
  readonly place: CssPlace;
  readonly importFile: (path: string) => StyleSheet;
}

/** An image or font address of a stylesheet; `undefined` when it stays as it is. */
export function rewriteCssAddress(address: CssAddress, context: CssContext): StylePiece | undefined {
  const { start, end } = address;
  const placed = placeAddress(address.address, { context, start, isInImageSet: address.kind === "string" });
  if (placed === undefined) return undefined;
  if (placed.kind === "missing") {
    return { start, end, sheet: sheetOf(context.css.slice(start, end), { warnings: [placed.warning] }) };
  }
  const css = address.kind === "string" ? renderCssString(placed.address) : renderCssUrl(placed.address);
  return { start, end, sheet: sheetOf(css, { assets: placed.assets }) };
}

/** A font face with its best format put in, which may be left out where its characters are not used. */
export function rewriteFontFace(face: FontFace, context: CssContext): StylePiece | undefined {
  const { css } = context;
  const { start, end, source } = face;
  const best = source === undefined ? undefined : findBestFontSource(css.slice(source.start, source.end));
  if (source === undefined || best === undefined) return undefined;
  const placed = placeAddress(best.address, { context, start: source.start, isInImageSet: false });
  if (placed?.kind === "missing") {
    return { start, end, sheet: sheetOf(css.slice(start, end), { warnings: [placed.warning] }) };
  }
  // What is put in already, or comes from another site, only loses the worse formats.
  if (placed === undefined && best.isOnly) return undefined;
  const value = `${best.before}${renderCssUrl(placed?.address ?? best.address)}${best.after}`;
  const text = css.slice(start, source.start) + value + css.slice(source.end, end);
  const part = face.ranges === undefined ? { css: text } : { css: text, ranges: face.ranges };
  return { start, end, sheet: sheetOf("", { parts: [part], assets: placed?.assets ?? [] }) };
}

/** An imported stylesheet in place of its `@import`; one of another site is moved to the start. */
export function importSheet(address: CssAddress, context: CssContext): StylePiece | undefined {
  const { start, end } = address;
  const source = context.css.slice(start, end);
  const target = context.addresses.resolve(address.address, context.place.base);
  if (target.kind === "file") {
    const sheet = context.importFile(target.path);
    const [opening, closing] = renderConditions(address.conditions);
    return { start, end, sheet: { ...sheet, parts: [{ css: opening }, ...sheet.parts, { css: closing }] } };
  }
  if (target.kind === "foreign") return { start, end, sheet: sheetOf("", { imports: [source] }) };
  const warning = warnMissing(address.address, { context, start });
  return { start, end, sheet: sheetOf(source, { warnings: [warning] }) };
}

type Placed =
  | { readonly kind: "placed"; readonly address: string; readonly assets: readonly SiteAsset[] }
  | { readonly kind: "missing"; readonly warning: SiteWarning };

interface Spot {
  readonly context: CssContext;
  readonly start: number;
  readonly isInImageSet: boolean;
}

function placeAddress(address: string, { context, start, isInImageSet }: Spot): Placed | undefined {
  const target = context.addresses.resolve(address, context.place.base);
  if (target.kind === "missing") return { kind: "missing", warning: warnMissing(address, { context, start }) };
  if (target.kind !== "file") return undefined;
  const contentType = contentTypeOf(target.path);
  if (kindOf(contentType) === "font" && context.placement.fonts === "inline") {
    const bytes = readFileSync(join(context.site.root, target.path));
    return { kind: "placed", address: bytesDataAddress(contentType, bytes), assets: [] };
  }
  const asset = context.assets.fromFile(target.path, {
    usedIn: context.place.usedIn,
    // `image-set()` names types, which a re-encoded file has to keep.
    optimize: isInImageSet ? "same-type" : "any-type",
  });
  const [fragment = ""] = /#.*$/s.exec(target.suffix) ?? [];
  return { kind: "placed", address: renderPlaceholder(asset.hash) + fragment, assets: [asset] };
}

function warnMissing(
  address: string,
  { context, start }: { readonly context: CssContext; readonly start: number },
): SiteWarning {
  const { css, place } = context;
  const line = place.firstLine + (css.slice(0, start).match(/\n/g)?.length ?? 0);
  const message = `The stylesheet names ${address}, which the built site does not have.`;
  return { code: "missing-file", file: place.file, line, message };
}

/** `layer(base) supports(display: grid) screen` as the rules that mean the same around the imported sheet. */
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
