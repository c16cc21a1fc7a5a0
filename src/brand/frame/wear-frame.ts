import { parseFragment } from "parse5";
import { adapter } from "parse5-htmlparser2-tree-adapter";
import type { BrandFrame } from "../../contract/brand-parts.ts";
import { findCssAddresses } from "../../html/css-addresses.ts";
import { applyEdits } from "../../html/edits.ts";
import { cleanMarkup, COLUMN, COLUMN_FROM, isDataPicture, isPlainLink } from "./clean-markup.ts";

/** A frame ready for use in a page: each part in its own shadow tree, so that its styles don't affect the page. */
export interface WornFrame {
  readonly header: string;
  readonly footer: string;
  /** The text of the style elements in both, for a content security policy. */
  readonly css: string;
  readonly fonts: string;
  /** Styles of the page if the header is a column beside it. */
  readonly column: string;
}

/**
 * Sanitizes an untrusted frame and wraps it in shadow trees. `fileOf` returns the path of a file in the service's own
 * library; nothing else is loaded. Returns `undefined` if the styles could break out of their element.
 */
export function wearFrame(
  { header, footer, css, fonts }: BrandFrame,
  fileOf: (address: string) => string | undefined,
): WornFrame | undefined {
  const styles = cleanStyles(css, fileOf);
  const faces = cleanStyles(fonts, fileOf);
  if (styles === undefined || faces === undefined || header === "") return undefined;
  const wear = (html: string) => (html === "" ? "" : renderShadow(clean(html, fileOf), styles));
  const isOnlyFaces = /^(?:\s*@font-face\{[^{}]*\})*\s*$/.test(faces);
  const worn = { header: wear(header), footer: wear(footer), css: styles, fonts: isOnlyFaces ? faces : "" };
  const width = COLUMN_START.exec(header)?.[1];
  const column = width === undefined ? "" : renderColumn(width === "" ? "fit-content(20rem)" : `${width}px`);
  return { ...worn, column };
}

const COLUMN_START = new RegExp(`^<div class="imprint-header" ${COLUMN}="(\\d{3}|)"`);

/** The column is beside the page if the window is wide enough. */
function renderColumn(track: string): string {
  return `@media (width >= ${COLUMN_FROM}) {
body { display: grid; grid-template: 1fr auto / ${track} minmax(0, 1fr) }
.frame:first-child { grid-row: 1 / -1; position: sticky; top: 0; height: 100vh; overflow-y: auto }
}
`;
}

function clean(html: string, fileOf: (address: string) => string | undefined): string {
  const { children } = parseFragment(html, { treeAdapter: adapter });
  return cleanMarkup(children, {
    linkOf: (href) => (isPlainLink(href) ? href : undefined),
    pictureOf: (source) => (isDataPicture(source) ? source : fileOf(source)),
  });
}

/** Returns `undefined` for styles that end their element, import others, or load from elsewhere. */
function cleanStyles(css: string, fileOf: (address: string) => string | undefined): string | undefined {
  if (/<\/|<!--|@import|@charset|expression\(|-moz-binding/i.test(css) || hidesAddresses(css)) return undefined;
  const edits = findCssAddresses(css).map(({ kind, address, start, end }) => {
    const isOwn = kind === "url" && (address.startsWith("#") || isDataPicture(address));
    const file = kind === "url" && !isOwn ? fileOf(address) : undefined;
    return { start, end, text: isOwn ? css.slice(start, end) : file === undefined ? undefined : `url("${file}")` };
  });
  const kept = edits.flatMap(({ start, end, text }) => (text === undefined ? [] : [{ start, end, text }]));
  return kept.length < edits.length ? undefined : applyEdits(css, kept);
}

const LOADING = /(?:url|src|image|image-set|cross-fade)\(|@import/gi;

/** Whether an address is written with escapes, which browsers decode but a search for addresses doesn't. */
function hidesAddresses(css: string): boolean {
  const plain = css
    .replaceAll(/\\([\da-f]{1,6})\s?/gi, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16) % 0x110000),
    )
    .replaceAll(/\\([^\n])/g, "$1");
  return (plain.match(LOADING)?.length ?? 0) !== (css.match(LOADING)?.length ?? 0);
}

function renderShadow(html: string, css: string): string {
  return `<div class="frame"><template shadowrootmode="open"><style>${css}</style>${html}</template></div>\n`;
}
