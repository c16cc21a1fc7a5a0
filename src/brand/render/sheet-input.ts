import { Buffer } from "node:buffer";
import type { BrandKitBody } from "../../contract/operations/content.ts";
import { bytesDataAddress } from "../../html/placeholders.ts";
import type { SchemeName } from "../findings.ts";
import { readTokens, type BrandTokens, type ColorToken } from "../tokens.ts";

/** The content of a file referenced by a kit. */
export interface SheetFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

export interface SheetOptions {
  /**
   * Logo and font files by their address in the kit. A sheet loads nothing: only the name of a missing file is shown.
   * SVGs don't need sanitizing, since nothing in them runs.
   */
  readonly files?: ReadonlyMap<string, SheetFile>;
}

export interface SheetLogo {
  readonly kind: string;
  /** `undefined` if the file is missing. */
  readonly dataAddress: string | undefined;
  readonly url: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** The color on which the site shows it. */
  readonly background: string | undefined;
}

export interface SheetScheme {
  readonly scheme: SchemeName;
  readonly colors: readonly ColorToken[];
  /**
   * Returns a color by role. A role missing from the kit falls back to another color, so that the sheet is always
   * readable.
   */
  colorOf(role: string): string;
}

/** A kit, prepared for drawing sheets. */
export interface SheetInput extends Omit<BrandTokens, "schemes"> {
  readonly schemes: readonly SheetScheme[];
  readonly logos: readonly SheetLogo[];
  /** Font files by family, as `data:` addresses. */
  readonly fontFiles: ReadonlyMap<string, string>;
  readonly sourceUrl: string | undefined;
}

/** The backgrounds that logos are shown on. */
export function backgroundsOf(schemes: readonly SheetScheme[]): readonly [light: string, dark: string] {
  const find = (name: SchemeName) => schemes.find(({ scheme }) => scheme === name)?.colorOf("background");
  return [find("light") ?? "#ffffff", find("dark") ?? "#141414"];
}

export function readSheetInput(kit: BrandKitBody, { files = new Map() }: SheetOptions): SheetInput {
  const tokens = readTokens(kit);
  const dataOf = (url: string): string | undefined => {
    const file = files.get(url);
    return file === undefined ? undefined : bytesDataAddress(file.contentType, Buffer.from(file.bytes));
  };
  return {
    ...tokens,
    schemes: tokens.schemes.map(({ scheme, colors }) => ({ scheme, colors, colorOf: createLookup(scheme, colors) })),
    logos: (kit.logos ?? []).map(({ kind, url, width, height, background }) => ({
      kind,
      url,
      dataAddress: dataOf(url),
      width: width ?? undefined,
      height: height ?? undefined,
      background: background ?? undefined,
    })),
    fontFiles: new Map(
      (kit.fonts ?? []).flatMap(({ family, url }): [string, string][] => {
        const data = url === null || url === undefined ? undefined : dataOf(url);
        return data === undefined ? [] : [[family, data]];
      }),
    ),
    sourceUrl: kit.sourceUrl ?? undefined,
  };
}

const STAND_INS: Readonly<Record<SchemeName, Readonly<Record<string, string>>>> = {
  light: { background: "#ffffff", text: "#1a1a1a", primary: "#1a1a1a" },
  dark: { background: "#141414", text: "#f2f2f2", primary: "#f2f2f2" },
};

function createLookup(scheme: SchemeName, colors: readonly ColorToken[]): (role: string) => string {
  const own = new Map(colors.map(({ role, hex }) => [role, hex.slice(0, 7)]));
  return (role) =>
    own.get(role) ?? STAND_INS[scheme][role] ?? own.get("text") ?? STAND_INS[scheme]["text"] ?? "#808080";
}

/** Escapes text for HTML and XML content and quoted attributes. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Formats a role for display: `dark-background` becomes "Dark background". */
export function titleOf(role: string): string {
  const words = role.replaceAll(/[-_]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
