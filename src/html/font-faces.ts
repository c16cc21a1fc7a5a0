import { findCssAddresses, endOfComment, endOfString } from "./css-addresses.ts";

/** An `@font-face` rule with its range in the style sheet. */
export interface FontFace {
  readonly start: number;
  readonly end: number;
  /** Code points that the face covers, as pairs of first and last; `undefined`: all. */
  readonly ranges: readonly (readonly [number, number])[] | undefined;
  /** Range of the value of the last `src` descriptor, which takes precedence. */
  readonly source: { readonly start: number; readonly end: number } | undefined;
}

/** Finds the `@font-face` rules of a style sheet, including those inside `@media` and `@layer`. */
export function findFontFaces(css: string): readonly FontFace[] {
  const faces: FontFace[] = [];
  const opening = /\/\*|["']|@font-face\s*\{/gi;
  for (let match = opening.exec(css); match !== null; match = opening.exec(css)) {
    const { 0: token, index: start } = match;
    if (token.startsWith("@")) {
      const face = readFace(css, start, start + token.length);
      faces.push(face);
      opening.lastIndex = face.end;
    } else {
      opening.lastIndex = token === "/*" ? endOfComment(css, start) : endOfString(css, start);
    }
  }
  return faces;
}

function readFace(css: string, start: number, inner: number): FontFace {
  let source: FontFace["source"];
  let ranges: FontFace["ranges"];
  let position = inner;
  while (true) {
    const stop = endOfDeclaration(css, position);
    const declaration = css.slice(position, stop);
    const [prefix = "", name = ""] = /^\s*([\w-]+)\s*:\s*/.exec(declaration) ?? [];
    if (name.toLowerCase() === "src") source = { start: position + prefix.length, end: stop };
    if (name.toLowerCase() === "unicode-range") ranges = parseRanges(declaration.slice(prefix.length));
    position = stop + 1;
    if (stop >= css.length || css[stop] === "}") break;
  }
  return { start, end: Math.min(position, css.length), ranges, source };
}

function endOfDeclaration(css: string, start: number): number {
  const stop = /[;}"'(]/g;
  stop.lastIndex = start;
  for (let match = stop.exec(css); match !== null; match = stop.exec(css)) {
    const { 0: token, index } = match;
    if (token === ";" || token === "}") return index;
    if (token === "(") stop.lastIndex = endOfParenthesis(css, index);
    else stop.lastIndex = Math.max(endOfString(css, index), index + 1);
  }
  return css.length;
}

/** Semicolons in an unquoted `url(data:…;base64,…)` don't end a declaration. */
function endOfParenthesis(css: string, start: number): number {
  const stop = /[)"'\\]/g;
  stop.lastIndex = start + 1;
  for (let match = stop.exec(css); match !== null; match = stop.exec(css)) {
    const { 0: token, index } = match;
    if (token === ")") return index + 1;
    stop.lastIndex = token === "\\" ? index + 2 : Math.max(endOfString(css, index), index + 1);
  }
  return css.length;
}

/** Code points of a `unicode-range`, as pairs of first and last. */
export function parseRanges(text: string): readonly (readonly [number, number])[] {
  return Array.from(text.matchAll(/U\+([0-9a-f?]{1,6})(?:-([0-9a-f]{1,6}))?/gi), ([, first = "", last]) => {
    const start = Number.parseInt(first.replaceAll("?", "0"), 16);
    return [start, Number.parseInt(last ?? first.replaceAll("?", "F"), 16)] as const;
  });
}

const FORMAT_RANK = ["woff2", "woff", "opentype", "truetype"];

/** The entry of a `src` value that current browsers choose, and what surrounds its address. */
export interface FontSource {
  readonly address: string;
  /** `local()` entries, each followed by a comma. */
  readonly before: string;
  /** The format of the entry. */
  readonly after: string;
  /** Whether no other entry has an address. */
  readonly isOnly: boolean;
}

/** Finds the entry with the best format among those with an address; `undefined` if there is none. */
export function findBestFontSource(source: string): FontSource | undefined {
  const entries = findCssAddresses(source)
    .filter((entry) => entry.kind === "url")
    .map((entry) => ({ address: entry.address, rank: rankOf(source, entry.address, entry.end) }));
  const [best] = entries.toSorted((one, other) => one.rank - other.rank);
  if (best === undefined) return undefined;
  const format = FORMAT_RANK[best.rank];
  return {
    address: best.address,
    before: Array.from(source.matchAll(/local\([^)]*\)/gi), ([local]) => `${local},`).join(""),
    after: format === undefined ? "" : ` format("${format}")`,
    isOnly: entries.length === 1,
  };
}

function rankOf(source: string, address: string, end: number): number {
  const [, hint] = /^\s*format\(\s*["']?([\w-]+)/i.exec(source.slice(end)) ?? [];
  const [, ending = ""] = /\.(\w+)(?:[?#]|$)/.exec(address) ?? [];
  const name = (hint ?? ENDINGS[ending.toLowerCase()] ?? "").toLowerCase().replace(/-variations$/, "");
  const rank = FORMAT_RANK.indexOf(name);
  return rank === -1 ? FORMAT_RANK.length : rank;
}

const ENDINGS: Readonly<Record<string, string>> = {
  woff2: "woff2",
  woff: "woff",
  otf: "opentype",
  ttf: "truetype",
};
