import { findInlineFaces, findInlineSheets, type InlineFace } from "./inline-fonts.ts";

/** A part of a page that makes it large. */
export interface PagePart {
  readonly name: string;
  readonly bytes: number;
}

/** What a page consists of, largest first: each font and module that was put into it, its styles and the rest. */
export function findPageParts(html: string): readonly PagePart[] {
  const sheets = findInlineSheets(html).map(({ css }) => css);
  const fonts = sheets.flatMap(findInlineFaces).map((face) => ({ name: nameOf(face), bytes: face.bytes }));
  const modules = findModules(html);
  const styles = {
    name: "styles",
    bytes: sumOf(sheets.map((css) => ({ bytes: Buffer.byteLength(css) }))) - sumOf(fonts),
  };
  const rest = Buffer.byteLength(html) - sumOf([...fonts, ...modules, styles]);
  const parts = [...fonts, ...modules, styles, { name: "markup and inline scripts", bytes: rest }];
  return parts.filter(({ bytes }) => bytes > 0).toSorted((one, other) => other.bytes - one.bytes);
}

function sumOf(parts: readonly { readonly bytes: number }[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** `Literata 400 italic` */
function nameOf({ family, weights, style }: InlineFace): string {
  const [lightest, boldest] = weights;
  const weight = lightest === boldest ? String(lightest) : `${lightest}–${boldest}`;
  return `font ${family} ${weight}${style === "italic" ? " italic" : ""}`;
}

// An import map names each module that was put into the page: `"@i/_astro/a.js":"data:text/javascript,…"`.
function findModules(html: string): readonly PagePart[] {
  return Array.from(html.matchAll(/"@i\/([^"]+)":"(data:(?:[^"\\]|\\.)*)"/g), ([, path = "", address = ""]) => ({
    name: `script ${path}`,
    bytes: Buffer.byteLength(address),
  }));
}
