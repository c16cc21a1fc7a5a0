import type { FontSource } from "../findings.ts";
import { isSameOrigin, resolveAddress } from "../page/address.ts";
import type { SitePage } from "../page/site-page.ts";

/** What is known of a family: where it comes from and which weights it has. */
export interface FontFile {
  readonly source: FontSource;
  readonly address: string | null;
  readonly weights: readonly number[];
}

export interface FontFiles {
  /** The family as the styles write it; `undefined` when no file of it was found. */
  find(family: string): FontFile | undefined;
}

const GOOGLE_FILES = /^https?:\/\/fonts\.gstatic\.com\//;

/** Collects the fonts that the pages load. */
export function collectFontFiles(pages: readonly SitePage[]): FontFiles {
  const files = new Map<string, FontFile>();
  const google = new Set(pages.flatMap((page) => page.googleFonts));
  for (const address of google)
    for (const [family, weights] of readGoogleAddress(address))
      addFile(files, family, { source: "google", address, weights });
  const sheets = new Set(pages.flatMap((page) => page.sheets.map(({ sheet }) => sheet)));
  const home = pages[0]?.address ?? "";
  for (const sheet of sheets) {
    for (const face of sheet.fontFaces) {
      const address = face.addresses.flatMap((reference) => resolveAddress(reference, sheet.address) ?? [])[0];
      // Faces with only `local()` give another name or other metrics to a font of the system.
      const isEmbedded = face.addresses.some((reference) => /^data:/i.test(reference));
      if (address === undefined && !isEmbedded) continue;
      const source = address === undefined ? "self-hosted" : sourceOf(address, home);
      addFile(files, face.family, { source, address: address ?? null, weights: parseWeights(face.weight) });
    }
  }
  return { find: (family) => files.get(family.toLowerCase()) };
}

function sourceOf(address: string, home: string): FontSource {
  if (GOOGLE_FILES.test(address)) return "google";
  return isSameOrigin(address, home) ? "self-hosted" : "remote";
}

function addFile(files: Map<string, FontFile>, family: string, file: FontFile): void {
  const key = family.toLowerCase();
  const known = files.get(key);
  const weights = [...new Set([...(known?.weights ?? []), ...file.weights])].toSorted((a, b) => a - b);
  files.set(key, { ...(known ?? file), weights });
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

/** The hundreds in the range of a variable font. */
function spread(from: number, to: number): readonly number[] {
  return [100, 200, 300, 400, 500, 600, 700, 800, 900].filter((weight) => weight >= from && weight <= to);
}

/** Families and weights of `https://fonts.googleapis.com/css2?family=Inter:wght@400;700&family=Lora`. */
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
