import type { Sharp } from "sharp";
import type { ImageInfo } from "./decode.ts";

/** A type that images are written in. */
export type ImageFormat = "jpeg" | "png" | "webp" | "avif" | "gif";

/** One way to write an image whose result is taken or left. */
interface Encoding {
  readonly format: ImageFormat;
  readonly encode: (image: Sharp) => Sharp;
}

/** A lossy way to write an image, for which the lowest quality that looks the same as the original is searched. */
export interface Ladder {
  readonly format: ImageFormat;
  /** Rising. */
  readonly qualities: readonly number[];
  readonly encode: (image: Sharp, quality: number) => Sharp;
  /** A slower way to write the quality that was found, usually smaller. */
  readonly finish?: (image: Sharp, quality: number) => Sharp;
}

export interface Encodings {
  readonly exact: readonly Encoding[];
  readonly ladders: readonly Ladder[];
  /** How alike the result has to be, as `similarity` measures it. */
  readonly threshold: number;
}

/**
 * Measured on photographs: 0.95 is what WebP reaches at quality 77 to 81 and AVIF at 55 to 69, depending on the
 * picture. Graphics show every flaw, so that their sources ask for more.
 */
const PHOTO_THRESHOLD = 0.95;
const GRAPHIC_THRESHOLD = 0.98;

/** Above this many pixels AVIF takes seconds, which no build should wait for. */
const MAX_AVIF_PIXELS = 6_000_000;

const WEBP_EFFORT = 4;

const JPEG: Ladder = {
  format: "jpeg",
  qualities: [66, 74, 80, 85, 89, 93, 96],
  encode: (image, quality) => image.jpeg({ quality, mozjpeg: true }),
};

const WEBP: Ladder = {
  format: "webp",
  qualities: [60, 68, 75, 80, 85, 89, 93],
  encode: (image, quality) => image.webp({ quality, effort: WEBP_EFFORT }),
};

const AVIF: Ladder = {
  format: "avif",
  qualities: [45, 51, 56, 61, 66, 72, 80],
  // Effort 0 takes a third of the time of effort 1, and effort 3 nine times as long, for 2 to 13 % less.
  encode: (image, quality) => image.avif({ quality, effort: 0 }),
  finish: (image, quality) => image.avif({ quality, effort: 1 }),
};

const ANIMATED_WEBP: Ladder = {
  format: "webp",
  qualities: [60, 75, 85],
  encode: (image, quality) => image.webp({ quality, effort: 2, mixed: true }),
};

const LOSSLESS_WEBP: Encoding = {
  format: "webp",
  encode: (image) => image.webp({ lossless: true, effort: WEBP_EFFORT }),
};

const LOSSLESS_PNG: Encoding = {
  format: "png",
  encode: (image) => image.png({ compressionLevel: 9, adaptiveFiltering: true }),
};

const PALETTE_PNG: Encoding = { format: "png", encode: (image) => image.png({ palette: true }) };

const GIF: Encoding = { format: "gif", encode: (image) => image.gif({ reuse: true, effort: 7 }) };

/** The ways worth trying for an image. None: the image stays as it is. */
export function encodingsFor(
  info: ImageInfo,
  mode: "same-type" | "any-type",
  formats: readonly ("webp" | "avif")[],
): Encodings {
  const threshold = info.format === "png" || info.format === "gif" ? GRAPHIC_THRESHOLD : PHOTO_THRESHOLD;
  if (mode === "same-type") return { ...sameType(info), threshold };
  const withAvif = formats.includes("avif") && info.frames === 1 && info.width * info.height <= MAX_AVIF_PIXELS;
  const withWebp = formats.includes("webp");
  if (!withAvif && !withWebp) return { ...sameType(info), threshold };
  return {
    exact: withWebp && info.format !== "jpeg" ? [LOSSLESS_WEBP] : [],
    // AVIF first: it mostly wins, and then few steps show that WebP can't.
    ladders: [...(withAvif ? [AVIF] : []), ...(withWebp ? [webpLadder(info)] : [])],
    threshold,
  };
}

function sameType(info: ImageInfo): Pick<Encodings, "exact" | "ladders"> {
  if (info.format === "jpeg") return { exact: [], ladders: [JPEG] };
  if (info.format === "png")
    return { exact: hasFewColors(info) ? [LOSSLESS_PNG, PALETTE_PNG] : [LOSSLESS_PNG], ladders: [] };
  if (info.format === "webp") return { exact: [LOSSLESS_WEBP], ladders: [webpLadder(info)] };
  if (info.format === "gif") return { exact: [GIF], ladders: [] };
  return { exact: [], ladders: [] };
}

function webpLadder({ frames }: ImageInfo): Ladder {
  return frames > 1 ? ANIMATED_WEBP : WEBP;
}

/** A photograph stored as PNG takes more than a byte a pixel, seconds to reduce to a palette, and looks bad then. */
function hasFewColors({ bytes, width, height }: ImageInfo): boolean {
  return bytes <= width * height;
}
