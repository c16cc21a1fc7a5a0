import { sha256 } from "../base/hash.ts";
import { renderMarker } from "../html/marker.ts";
import { findInlineFaces, findInlineSheets, removeInlineFaces, type InlineFace } from "./inline-fonts.ts";
import type { RewrittenPage, SiteWarning } from "./model.ts";
import { findPageParts } from "./page-parts.ts";

export interface PageBudget {
  /** Largest page in bytes. */
  readonly maxBytes: number;
  /** Path of the page's file below the dist folder, for warnings. */
  readonly file: string;
}

/**
 * Makes a page fit into a budget by leaving out fonts that were put into it, in an order that readers notice little of:
 * italics, weights besides the regular one, characters beyond basic Latin. Each is a warning. A page that does not fit
 * even so comes back whole, with a warning that names its largest parts.
 */
export function fitPage(page: RewrittenPage, { maxBytes, file }: PageBudget): RewrittenPage {
  if (Buffer.byteLength(page.html) <= maxBytes) return page;
  const size = `The page has ${inWords(page.html)}, and ${formatSize(maxBytes)} are allowed`;
  const warnings: SiteWarning[] = [];
  let html = page.html;
  for (const sacrifice of SACRIFICES) {
    const faces = findInlineSheets(html).flatMap(({ css }) => findInlineFaces(css));
    const leftOut = faces.filter((face) => sacrifice.isLeftOut(face, faces));
    if (leftOut.length === 0) continue;
    html = removeInlineFaces(html, (face) => sacrifice.isLeftOut(face, faces));
    const families = [...new Set(leftOut.map(({ family }) => family))].join(", ");
    warnings.push({ code: "font-left-out", file, message: `${size}: ${sacrifice.words(families)}.` });
    if (Buffer.byteLength(html) <= maxBytes) {
      return { ...page, ...markAgain(html, page.hash), warnings: [...page.warnings, ...warnings] };
    }
  }
  const message = `${size}. Its largest parts: ${describeParts(page.html)}.`;
  return { ...page, warnings: [...page.warnings, { code: "page-too-large", file, message }] };
}

interface Sacrifice {
  readonly isLeftOut: (face: InlineFace, all: readonly InlineFace[]) => boolean;
  /** What is left out and what readers see instead. */
  readonly words: (families: string) => string;
}

const LAST_ASCII = 0x7f;

const SACRIFICES: readonly Sacrifice[] = [
  {
    isLeftOut: (face, all) => face.style === "italic" && all.some((other) => isUprightOf(other, face)),
    words: (families) => `italics of ${families} are left out, and browsers slant the upright face`,
  },
  {
    isLeftOut: (face, all) =>
      all.some((other) => isSibling(other, face) && distanceToRegular(other) < distanceToRegular(face)),
    words: (families) => `weights of ${families} besides the regular one are left out, and browsers thicken it`,
  },
  {
    isLeftOut: ({ ranges }) => ranges !== undefined && ranges.every(([first]) => first > LAST_ASCII),
    words: (families) => `characters of ${families} beyond basic Latin are left out, and other fonts show them`,
  },
];

function isUprightOf(other: InlineFace, face: InlineFace): boolean {
  return other.style === "upright" && other.family === face.family;
}

function isSibling(other: InlineFace, face: InlineFace): boolean {
  return other.family === face.family && other.style === face.style;
}

function distanceToRegular({ weights: [lightest, boldest] }: InlineFace): number {
  return Math.max(lightest - 400, 400 - boldest, 0);
}

/** The hash is taken without the marker, which holds it. */
function markAgain(html: string, hash: string): Pick<RewrittenPage, "html" | "hash"> {
  const marker = renderMarker(hash);
  const place = html.indexOf(marker);
  const before = html.slice(0, place);
  const after = html.slice(place + marker.length);
  const fresh = sha256(before + after);
  return { hash: fresh, html: before + renderMarker(fresh) + after };
}

function describeParts(html: string): string {
  return findPageParts(html)
    .slice(0, 3)
    .map(({ name, bytes }) => `${name} (${formatSize(bytes)})`)
    .join(", ");
}

function inWords(html: string): string {
  return formatSize(Buffer.byteLength(html));
}

function formatSize(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
