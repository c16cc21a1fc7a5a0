import { findCssAddresses } from "../../html/css-addresses.ts";
import { findFontFaces } from "../../html/font-faces.ts";
import { renderPlaceholder } from "../../html/placeholders.ts";
import type { AddressBook } from "../address-book.ts";
import type { BuiltSite, Placement, SiteAsset, SiteWarning } from "../model.ts";
import { readSiteText } from "../read-file.ts";
import type { AssetShelf } from "./asset-shelf.ts";
import { importSheet, rewriteCssAddress, rewriteFontFace } from "./css-pieces.ts";
import { EMPTY_SHEET, joinPieces, renderStyleSheet, type StyleSheet } from "./style-sheet.ts";

export interface CssPlace {
  /** The file the CSS stands in, below the dist folder. */
  readonly file: string;
  /** What relative addresses are relative to, as a path below the dist folder. */
  readonly base: string;
  /** The HTML file that uses it. */
  readonly usedIn: string;
  /** Line of the file at which the CSS begins. */
  readonly firstLine: number;
}

export interface StyleSheets {
  /** The stylesheet of a file, with everything it imports. Read and rewritten once per site. */
  fromFile(path: string, usedIn: string): StyleSheet;
  fromText(css: string, place: CssPlace): StyleSheet;
  /** A stylesheet file that is loaded from the library. */
  addressOf(path: string, usedIn: string): AddressedSheet;
}

export interface AddressedSheet {
  readonly address: string;
  readonly assets: readonly SiteAsset[];
  readonly warnings: readonly SiteWarning[];
}

export interface StyleTools {
  readonly site: BuiltSite;
  readonly addresses: AddressBook;
  readonly assets: AssetShelf;
  readonly placement: Placement;
}

/** Rewrites stylesheets: imports are put in their place, images and fonts become placeholders or `data:` addresses. */
export function createStyleSheets(tools: StyleTools): StyleSheets {
  const sheets = new Map<string, StyleSheet>();
  const addressed = new Map<string, AddressedSheet>();
  // Files that are being read, to stop at a stylesheet that imports itself.
  const open = new Set<string>();

  function fromFile(path: string, usedIn: string): StyleSheet {
    // What a circle of imports leaves out depends on where it was entered, so only whole sheets are kept.
    const isWhole = open.size === 0;
    const known = isWhole ? sheets.get(path) : undefined;
    if (known !== undefined) return known;
    if (open.has(path)) return EMPTY_SHEET;
    open.add(path);
    const css = readSiteText(tools.site.root, path).replace(/^@charset\s+(?:"[^"]*"|'[^']*')\s*;/i, "");
    const sheet = fromText(css, { file: path, base: path, usedIn, firstLine: 1 });
    open.delete(path);
    if (isWhole) sheets.set(path, sheet);
    return sheet;
  }

  function fromText(css: string, place: CssPlace): StyleSheet {
    const context = { ...tools, css, place, importFile: (path: string) => fromFile(path, place.usedIn) };
    const faces = tools.placement.fonts === "inline" ? findFontFaces(css) : [];
    const addresses = findCssAddresses(css).filter(
      ({ start }) => !faces.some((face) => face.start <= start && start < face.end),
    );
    const pieces = [
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

  function addressOf(path: string, usedIn: string): AddressedSheet {
    const known = addressed.get(path);
    if (known !== undefined) return known;
    const sheet = fromFile(path, usedIn);
    const { assets, warnings } = sheet;
    const asset = tools.assets.fromText(renderStyleSheet(sheet), { path, kind: "style", assets, usedIn });
    const made = { address: renderPlaceholder(asset.hash), assets: [asset, ...assets], warnings };
    addressed.set(path, made);
    return made;
  }

  return { fromFile, fromText, addressOf };
}
