import type { Sharp } from "sharp";
import { LIMITS } from "../../contract/limits.ts";
import { inspectImage, openImage, readPlanes, type ImageInfo, type SharpFactory } from "./decode.ts";
import { similarity, type Planes } from "./similarity.ts";

export interface ShrinkSettings {
  readonly mode: "same-type" | "any-type";
  readonly formats: readonly ("webp" | "avif")[];
}

/** An image in the form in which it is sent. */
export interface ShrunkImage {
  /** `undefined`: the original, byte for byte. */
  readonly bytes: Uint8Array | undefined;
  readonly format: string;
  readonly width: number;
  readonly height: number;
}

interface Encoded {
  readonly bytes: Uint8Array;
  readonly format: ImageFormat;
}

/** A result has to save this share of the original; for less, the loss of one more generation is not worth it. */
const LEAST_SAVING = 0.05;

// Every browser decodes WebP, and faster: AVIF has to earn its place.
const AVIF_HANDICAP = 1.1;

/** The smallest encoding that looks the same as the original. Throws what sharp throws for a broken image. */
export async function shrinkImage(
  sharp: SharpFactory,
  original: Uint8Array,
  settings: ShrinkSettings,
): Promise<ShrunkImage> {
  const info = await inspectImage(sharp, original);
  const kept: ShrunkImage = { bytes: undefined, format: info.format, width: info.width, height: info.height };
  if (!REENCODED.has(info.format) || isHuge(info) || isAnimatedPng(info, original)) return kept;
  const reference = await readPlanes(sharp, original, info.frames);
  const encodings = encodingsFor(info, settings.mode, settings.formats);
  const best = await findSmallest(sharp, { original, info, reference, encodings });
  return best === undefined ? kept : { ...kept, bytes: best.bytes, format: best.format };
}

/** AVIF is small as it is; SVG is no picture of pixels; what sharp can't read is not ours to judge. */
const REENCODED: ReadonlySet<string> = new Set(["jpeg", "png", "webp", "gif", "tiff"]);

function isHuge({ width, height, frames }: ImageInfo): boolean {
  return width * height * frames > LIMITS.maxImagePixels;
}

/** sharp reads the first frame of an animated PNG only, so that re-encoding would stop the animation. */
function isAnimatedPng({ format }: ImageInfo, bytes: Uint8Array): boolean {
  if (format !== "png") return false;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const control = view.indexOf("acTL");
  return control !== -1 && control < view.indexOf("IDAT");
}

interface Task {
  readonly original: Uint8Array;
  readonly info: ImageInfo;
  readonly reference: readonly Planes[];
  readonly encodings: Encodings;
}

/** Tries one way after the other; each has to beat the best so far, the first ones the original. */
async function findSmallest(sharp: SharpFactory, task: Task): Promise<Encoded | undefined> {
  let best: Encoded | undefined;
  const limitFor = (format: ImageFormat): number => {
    const limit =
      best === undefined ? task.original.length * (1 - LEAST_SAVING) : best.bytes.length * handicapOf(best.format);
    return limit / handicapOf(format);
  };
  for (const { format, encode } of task.encodings.exact) {
    const bytes = await encode(openImage(sharp, task.original)).toBuffer();
    if (bytes.length < limitFor(format) && (await isAlike(sharp, bytes, task))) best = { bytes, format };
  }
  for (const ladder of task.encodings.ladders) {
    best = (await climb(sharp, ladder, { ...task, maxBytes: limitFor(ladder.format) })) ?? best;
  }
  return best;
}

function handicapOf(format: ImageFormat): number {
  return format === "avif" ? AVIF_HANDICAP : 1;
}

/**
 * Finds the lowest quality of the ladder that is alike, by halving: size and likeness rise together, so that what is
 * too large need not be compared.
 */
async function climb(
  sharp: SharpFactory,
  ladder: Ladder,
  task: Task & { readonly maxBytes: number },
): Promise<Encoded | undefined> {
  const { format, qualities, encode, finish } = ladder;
  let found: { readonly bytes: Uint8Array; readonly quality: number } | undefined;
  let low = 0;
  let high = qualities.length - 1;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const quality = qualities[middle] ?? 100;
    const bytes = await encode(openImage(sharp, task.original), quality).toBuffer();
    const isSmall = bytes.length < task.maxBytes;
    const isGood = isSmall && (await isAlike(sharp, bytes, task));
    if (isGood) found = { bytes, quality };
    if (isGood || !isSmall) high = middle - 1;
    else low = middle + 1;
  }
  if (found === undefined || finish === undefined) return found && { bytes: found.bytes, format };
  const finished = await finish(openImage(sharp, task.original), found.quality).toBuffer();
  const isBetter = finished.length < found.bytes.length && (await isAlike(sharp, finished, task));
  return { bytes: isBetter ? finished : found.bytes, format };
}

async function isAlike(sharp: SharpFactory, bytes: Uint8Array, task: Task): Promise<boolean> {
  const frames = await readPlanes(sharp, bytes, task.info.frames);
  return task.reference.every((reference, index) => {
    const frame = frames[index];
    return frame !== undefined && similarity(reference, frame) >= task.encodings.threshold;
  });
}

/** A type that images are written in. */
type ImageFormat = "jpeg" | "png" | "webp" | "avif" | "gif";

/** One way to write an image whose result is taken or left. */
interface Encoding {
  readonly format: ImageFormat;
  readonly encode: (image: Sharp) => Sharp;
}

/** A lossy way to write an image, for which the lowest quality that looks the same as the original is searched. */
interface Ladder {
  readonly format: ImageFormat;
  /** Rising. */
  readonly qualities: readonly number[];
  readonly encode: (image: Sharp, quality: number) => Sharp;
  /** A slower way to write the quality that was found, usually smaller. */
  readonly finish?: (image: Sharp, quality: number) => Sharp;
}

interface Encodings {
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
function encodingsFor(
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
