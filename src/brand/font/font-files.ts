import { parseRanges } from "../../html/font-faces.ts";
import type { FontFace } from "../css/parse-sheet.ts";
import type { FontSource } from "../findings.ts";
import { isSameOrigin, resolveAddress } from "../document.ts";
import type { SitePage } from "../page/site-page.ts";

/** What is known about a family: its origin and its weights. */
export interface FontFile {
  readonly source: FontSource;
  /** Address of the best matching file: upright, with Latin letters, and close to the requested weight. */
  readonly address: string | null;
  readonly weights: readonly number[];
}

export interface FontFiles {
  /** Finds a family by its name in the styles; `undefined` if it has no file. */
  find(family: string, weight: number): FontFile | undefined;
}

interface Face {
  readonly source: FontSource;
  readonly address: string | null;
  readonly weights: readonly number[];
  readonly isItalic: boolean;
  readonly hasLatin: boolean;
}

const GOOGLE_FILES = /^https?:\/\/fonts\.gstatic\.com\//;

export function collectFontFiles(pages: readonly SitePage[]): FontFiles {
  const families = new Map<string, Face[]>();
  const addFace = (family: string, face: Face) =>
    families.set(family.toLowerCase(), [...(families.get(family.toLowerCase()) ?? []), face]);
  const google = new Set(pages.flatMap((page) => page.googleFonts));
  for (const address of google)
    for (const [family, weights] of readGoogleAddress(address))
      addFace(family, { source: "google", address, weights, isItalic: false, hasLatin: true });
  const sheets = new Set(pages.flatMap((page) => page.sheets.map(({ sheet }) => sheet)));
  const home = pages[0]?.address ?? "";
  for (const sheet of sheets) {
    for (const face of sheet.fontFaces) {
      const read = readFace(face, { base: sheet.address, home });
      if (read !== undefined) addFace(face.family, read);
    }
  }
  return {
    find(family, weight) {
      const faces = families.get(family.toLowerCase());
      return faces && chooseFace(faces, weight);
    },
  };
}

function readFace(face: FontFace, { base, home }: { readonly base: string; readonly home: string }): Face | undefined {
  const address = face.addresses.flatMap((reference) => resolveAddress(reference, base) ?? [])[0];
  // Faces with only `local()` rename a system font or change its metrics.
  const isEmbedded = face.addresses.some((reference) => /^data:/i.test(reference));
  if (address === undefined && !isEmbedded) return undefined;
  return {
    source: address === undefined ? "self-hosted" : sourceOf(address, home),
    address: address ?? null,
    weights: parseWeights(face.weight),
    isItalic: /italic|oblique/i.test(face.style),
    hasLatin: coversLatin(face.unicodeRange),
  };
}

function chooseFace(faces: readonly Face[], weight: number): FontFile | undefined {
  const distance = ({ weights, isItalic, hasLatin }: Face): number =>
    (hasLatin ? 0 : 10_000) + (isItalic ? 5_000 : 0) + Math.min(1_000, ...weights.map((own) => Math.abs(own - weight)));
  const [best] = faces.toSorted((first, second) => distance(first) - distance(second));
  if (best === undefined) return undefined;
  const weights = [...new Set(faces.flatMap((face) => face.weights))].toSorted((a, b) => a - b);
  return { source: best.source, address: best.address, weights };
}

const LETTER_A = 0x41;

/** Whether a face covers the letters of English. */
export function coversLatin(unicodeRange: string): boolean {
  const ranges = parseRanges(unicodeRange);
  return ranges.length === 0 || ranges.some(([first, last]) => first <= LETTER_A && LETTER_A <= last);
}

function sourceOf(address: string, home: string): FontSource {
  if (GOOGLE_FILES.test(address)) return "google";
  return isSameOrigin(address, home) ? "self-hosted" : "remote";
}

function parseWeights(descriptor: string): readonly number[] {
  const words: Readonly<Record<string, number>> = { normal: 400, bold: 700 };
  const numbers = descriptor
    .toLowerCase()
    .split(/\s+/)
    .map((word) => (Object.hasOwn(words, word) ? (words[word] ?? 400) : Number(word)))
    .filter((weight) => weight >= 1 && weight <= 1000)
    .map(Math.round);
  const [from, to] = numbers;
  return from === undefined || to === undefined ? numbers : spread(from, to);
}

/** The hundreds in the weight range of a variable font. */
function spread(from: number, to: number): readonly number[] {
  return [100, 200, 300, 400, 500, 600, 700, 800, 900].filter((weight) => weight >= from && weight <= to);
}

/** Parses families and weights of `https://fonts.googleapis.com/css2?family=Inter:wght@400;700&family=Lora`. */
function readGoogleAddress(address: string): readonly (readonly [family: string, weights: readonly number[]])[] {
  const families = URL.parse(address)?.searchParams.getAll("family") ?? [];
  return families
    .flatMap((value) => value.split("|"))
    .map((value) => {
      const [family = "", axes = ""] = value.split(":");
      const weights = [...axes.matchAll(/(?<![\d.])(\d{3,4})(?:\.\.(\d{3,4}))?/g)].flatMap(([, from, to]) =>
        to === undefined ? [Number(from)] : spread(Number(from), Number(to)),
      );
      const isWeighted = !axes.includes("@") || axes.includes("wght");
      return [family.trim(), isWeighted && weights.length > 0 ? [...new Set(weights)] : [400]] as const;
    });
}
