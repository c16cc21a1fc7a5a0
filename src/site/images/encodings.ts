import type { Sharp } from "sharp";
import type { ImageInfo } from "./decode.ts";

export interface ShrinkSettings {
  readonly mode: "same-type" | "any-type";
  readonly formats: readonly ("webp" | "avif")[];
}

/** Memory per pixel while processing an image, in bytes, measured on photographs of 2 to 49 megapixels. */
const MEMORY = {
  avif: 34,
  halfColorAvif: 22,
  losslessWebp: 30,
  animatedWebp: 9,
  webp: 8,
  largeWebp: 5.3,
  jpeg: 7,
  others: 5,
  turning: 3,
};

/** Total memory of the images processed concurrently. An image that needs more is processed alone. */
export const ROOM_BYTES = 150_000_000;

/**
 * Larger images are encoded with less effort, which takes a third less memory, and are compared only by larger sample
 * tiles: decoding all of a WebP takes more memory than encoding it.
 */
export const LARGE_PIXELS = 12_000_000;

/** Memory that an image needs while it is processed, in bytes. */
export function memoryOf({ width, height, frames, isTurned }: ImageInfo, pixelBytes: number): number {
  return width * height * frames * (pixelBytes + (isTurned ? MEMORY.turning : 0));
}

export type ImageFormat = "jpeg" | "png" | "webp" | "avif" | "gif";

/** An encoding whose result is used or discarded. */
interface Encoding {
  readonly format: ImageFormat;
  /** Memory per pixel, in bytes. */
  readonly pixelBytes: number;
  readonly encode: (image: Sharp) => Sharp;
}

/** A lossy encoding, for which the lowest quality that looks like the original is searched. */
export interface Ladder {
  readonly format: ImageFormat;
  /** Memory per pixel, in bytes. */
  readonly pixelBytes: number;
  /** Ascending. */
  readonly qualities: readonly number[];
  /** A faster encoder with the same visual result. */
  readonly probe: (image: Sharp, quality: number) => Sharp;
  readonly encode: (image: Sharp, quality: number) => Sharp;
}

export interface Encodings {
  readonly exact: readonly Encoding[];
  readonly ladders: readonly Ladder[];
  /** Minimum similarity of the result, as measured by `similarity`. */
  readonly threshold: number;
}

/**
 * Measured on photographs: WebP reaches 0.95 at quality 77 to 81 and AVIF at 55 to 69, depending on the image. Flaws
 * are more visible in graphics, so their formats require more.
 */
const PHOTO_THRESHOLD = 0.95;
const GRAPHIC_THRESHOLD = 0.98;

const WEBP_EFFORT = 4;

const JPEG: Ladder = {
  format: "jpeg",
  pixelBytes: MEMORY.jpeg,
  qualities: [66, 74, 80, 85, 89, 93, 96],
  probe: (image, quality) => image.jpeg({ quality, mozjpeg: true }),
  encode: (image, quality) => image.jpeg({ quality, mozjpeg: true }),
};

const WEBP: Ladder = {
  format: "webp",
  pixelBytes: MEMORY.webp,
  qualities: [52, 60, 68, 75, 80, 85, 89, 93],
  probe: (image, quality) => image.webp({ quality, effort: 2 }),
  encode: (image, quality) => image.webp({ quality, effort: WEBP_EFFORT }),
};

const LARGE_WEBP: Ladder = { ...WEBP, pixelBytes: MEMORY.largeWebp, encode: WEBP.probe };

// Color stored at half size in a photograph can't be restored by encoding it at full size, which would only cost memory
// and time.
function avifLadder(chromaSubsampling: "4:2:0" | "4:4:4"): Ladder {
  return {
    format: "avif",
    pixelBytes: chromaSubsampling === "4:2:0" ? MEMORY.halfColorAvif : MEMORY.avif,
    qualities: [38, 45, 51, 56, 61, 66, 72, 80],
    probe: (image, quality) => image.avif({ quality, effort: 0, chromaSubsampling }),
    // Effort 1 takes twice the time for a 5% smaller file, and saves nothing above a quality of 70.
    encode: (image, quality) => image.avif({ quality, effort: quality > 70 ? 0 : 1, chromaSubsampling }),
  };
}

const ANIMATED_WEBP: Ladder = {
  format: "webp",
  pixelBytes: MEMORY.animatedWebp,
  qualities: [60, 75, 85],
  probe: (image, quality) => image.webp({ quality, effort: 2, mixed: true }),
  encode: (image, quality) => image.webp({ quality, effort: 2, mixed: true }),
};

const LOSSLESS_WEBP: Encoding = {
  format: "webp",
  pixelBytes: MEMORY.losslessWebp,
  encode: (image) => image.webp({ lossless: true, effort: WEBP_EFFORT }),
};

const LOSSLESS_PNG: Encoding = {
  format: "png",
  pixelBytes: MEMORY.others,
  encode: (image) => image.png({ compressionLevel: 9, adaptiveFiltering: true }),
};

const PALETTE_PNG: Encoding = {
  format: "png",
  pixelBytes: MEMORY.others,
  encode: (image) => image.png({ palette: true }),
};

const GIF: Encoding = {
  format: "gif",
  pixelBytes: MEMORY.others,
  encode: (image) => image.gif({ reuse: true, effort: 7 }),
};

/** Returns the encodings worth trying for an image. If there are none, the image stays unchanged. */
export function encodingsFor(
  info: ImageInfo,
  { mode, formats, isLossy }: ShrinkSettings & { readonly isLossy: boolean },
): Encodings {
  const threshold = info.format === "png" || info.format === "gif" ? GRAPHIC_THRESHOLD : PHOTO_THRESHOLD;
  const hasRoom = (pixelBytes: number): boolean => memoryOf(info, pixelBytes) <= ROOM_BYTES;
  const lossless = !isLossy && hasRoom(MEMORY.losslessWebp) ? [LOSSLESS_WEBP] : [];
  const same = { ...sameType(info, lossless), threshold };
  if (mode === "same-type") return same;
  const hasHalfColor = info.hasHalfColor || (info.format === "webp" && isLossy);
  const avif = avifLadder(hasHalfColor ? "4:2:0" : "4:4:4");
  const ladders = [
    // AVIF first: it usually wins, and few steps then show that WebP can't.
    ...(formats.includes("avif") && info.frames === 1 && hasRoom(avif.pixelBytes) ? [avif] : []),
    ...(formats.includes("webp") ? [webpLadder(info)] : []),
  ];
  if (ladders.length === 0) return same;
  return { exact: formats.includes("webp") && info.format !== "jpeg" ? lossless : [], ladders, threshold };
}

function sameType(info: ImageInfo, lossless: readonly Encoding[]): Pick<Encodings, "exact" | "ladders"> {
  if (info.format === "jpeg") return { exact: [], ladders: [JPEG] };
  if (info.format === "png")
    return { exact: hasFewColors(info) ? [LOSSLESS_PNG, PALETTE_PNG] : [LOSSLESS_PNG], ladders: [] };
  if (info.format === "webp") return { exact: lossless, ladders: [webpLadder(info)] };
  if (info.format === "gif") return { exact: [GIF], ladders: [] };
  return { exact: [], ladders: [] };
}

function webpLadder({ width, height, frames }: ImageInfo): Ladder {
  if (frames > 1) return ANIMATED_WEBP;
  return width * height > LARGE_PIXELS ? LARGE_WEBP : WEBP;
}

/**
 * A photograph stored as PNG has more than one byte per pixel. Reducing it to a palette would take seconds and look
 * bad.
 */
function hasFewColors({ bytes, width, height }: ImageInfo): boolean {
  return bytes <= width * height;
}
