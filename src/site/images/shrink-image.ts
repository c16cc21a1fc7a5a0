import type { Sharp } from "sharp";
import { LIMITS } from "../../contract/limits.ts";
import { createGate } from "../../base/gate.ts";
import {
  comparedScale,
  inspectImage,
  openImage,
  openPixels,
  readPixels,
  readPlanes,
  reducePlanes,
  type ImageInfo,
  type SharpFactory,
} from "./decode.ts";
import { similarity, type Pixels, type Planes } from "./similarity.ts";

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

/** Above this many pixels AVIF takes seconds, which no build should wait for, and 200 MB. */
const MAX_AVIF_PIXELS = 6_000_000;

// As many pixels are in memory at a time. A larger image is worked on alone.
const decoding = createGate(MAX_AVIF_PIXELS);

/** The smallest encoding that looks the same as the original. Throws what sharp throws for a broken image. */
export async function shrinkImage(
  sharp: SharpFactory,
  original: Uint8Array,
  settings: ShrinkSettings,
): Promise<ShrunkImage> {
  const info = await inspectImage(sharp, original);
  const kept: ShrunkImage = { bytes: undefined, format: info.format, width: info.width, height: info.height };
  if (!REENCODED.has(info.format) || isHuge(info) || isAnimatedPng(info, original)) return kept;
  const encodings = encodingsFor(info, { ...settings, isLossy: isLossyWebp(info, original) });
  const best = await decoding.run(
    async () => {
      const picture = await (info.frames === 1 ? readStill(sharp, original) : readAnimation(sharp, original, info));
      return await findSmallest(sharp, { original, picture, encodings });
    },
    info.width * info.height * info.frames,
  );
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

/** WebP holds its pixels in a chunk of the one name or the other. What lost something once is never smaller without loss. */
function isLossyWebp({ format }: ImageInfo, bytes: Uint8Array): boolean {
  if (format !== "webp") return false;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf("VP8L") === -1;
}

/** What is encoded, with what its encodings are compared with. */
interface Subject {
  readonly pixels: number;
  open(): Sharp;
  readonly reference: readonly Planes[];
  /** Decodes an encoding of it. */
  read(bytes: Uint8Array): Promise<readonly Planes[]>;
}

interface Picture {
  readonly whole: Subject;
  /** On which qualities are tried; of a small picture and of an animation, the whole. */
  readonly sample: Subject;
}

/** Decodes a still image once for all that is done with it. */
async function readStill(sharp: SharpFactory, original: Uint8Array): Promise<Picture> {
  const pixels = await readPixels(sharp, original);
  const whole = await subjectOf(sharp, pixels);
  const tiles = cutTiles(pixels);
  if (tiles === undefined) return { whole, sample: whole };
  const side = Math.round(Math.max(tiles.width, tiles.height) * comparedScale(pixels));
  return { whole, sample: await subjectOf(sharp, tiles, side) };
}

async function subjectOf(sharp: SharpFactory, pixels: Pixels, side?: number): Promise<Subject> {
  return {
    pixels: pixels.width * pixels.height,
    open: () => openPixels(sharp, pixels),
    reference: [await reducePlanes(openPixels(sharp, pixels), side)],
    read: async (bytes) => await readPlanes(sharp, bytes, side === undefined ? {} : { side }),
  };
}

async function readAnimation(sharp: SharpFactory, original: Uint8Array, info: ImageInfo): Promise<Picture> {
  const { width, height, frames } = info;
  const whole: Subject = {
    pixels: width * height * frames,
    open: () => openImage(sharp, original),
    reference: await readPlanes(sharp, original, { frames }),
    read: async (bytes) => await readPlanes(sharp, bytes, { frames }),
  };
  return { whole, sample: whole };
}

const TILE = 192;
const TILES_A_SIDE = 3;
const CUT_SIDE = TILE * TILES_A_SIDE;

/**
 * Nine parts of a large picture, laid side by side. Measured on photographs, their likeness differs from that of the
 * whole by 0.001 to 0.002, where that of a reduced copy differs by 0.02.
 */
function cutTiles({ data, width, height, channels }: Pixels): Pixels | undefined {
  if (width < CUT_SIDE || height < CUT_SIDE || width * height < 1.5 * CUT_SIDE * CUT_SIDE) return undefined;
  const tiles = new Uint8Array(CUT_SIDE * CUT_SIDE * channels);
  for (let row = 0; row < CUT_SIDE; row += 1) {
    const from = placeInWhole(row, height);
    for (let column = 0; column < CUT_SIDE; column += TILE) {
      const start = (from * width + placeInWhole(column, width)) * channels;
      tiles.set(data.subarray(start, start + TILE * channels), (row * CUT_SIDE + column) * channels);
    }
  }
  return { data: tiles, width: CUT_SIDE, height: CUT_SIDE, channels };
}

/** Tiles begin where encoders begin a block, so that what is encoded once more is encoded alike. */
function placeInWhole(position: number, length: number): number {
  const tile = Math.floor(position / TILE);
  const start = Math.round(((length - TILE) * tile) / (TILES_A_SIDE - 1) / 16) * 16;
  return Math.min(start, length - TILE) + (position % TILE);
}

interface Task {
  readonly original: Uint8Array;
  readonly picture: Picture;
  readonly encodings: Encodings;
}

/** Tries one way after the other; each has to beat the best so far, the first ones the original. */
async function findSmallest(sharp: SharpFactory, task: Task): Promise<Encoded | undefined> {
  const { original, picture, encodings } = task;
  const { threshold } = encodings;
  let best: Encoded | undefined;
  const limitFor = (format: ImageFormat): number => {
    const limit =
      best === undefined ? original.length * (1 - LEAST_SAVING) : best.bytes.length * handicapOf(best.format);
    return limit / handicapOf(format);
  };
  for (const { format, encode } of encodings.exact) {
    const bytes = await encode(openImage(sharp, original)).toBuffer();
    if (bytes.length < limitFor(format) && (await isAlike(bytes, picture.whole, threshold))) best = { bytes, format };
  }
  for (const { ladder, step } of await findSteps(picture, { encodings, limitFor })) {
    const maxBytes = limitFor(ladder.format);
    best = (await encodeWhole(ladder, { subject: picture.whole, step, threshold, maxBytes })) ?? best;
  }
  return best;
}

function handicapOf(format: ImageFormat): number {
  return format === "avif" ? AVIF_HANDICAP : 1;
}

interface FoundStep {
  readonly ladder: Ladder;
  readonly step: number;
  /** What the whole should take, with the handicap of its format. */
  readonly weight: number;
}

// So much may the whole be smaller than what its sample makes one expect.
const SAMPLE_SLACK = 1.2;

/**
 * The lowest step of each ladder at which the sample is alike. Of several ladders only those remain whose result may be
 * the smallest one.
 */
async function findSteps(
  { whole, sample }: Picture,
  { encodings, limitFor }: { readonly encodings: Encodings; readonly limitFor: (format: ImageFormat) => number },
): Promise<readonly FoundStep[]> {
  const share = sample.pixels / whole.pixels;
  const slack = sample === whole ? 1 : SAMPLE_SLACK;
  const found: FoundStep[] = [];
  let least = Infinity;
  for (const ladder of encodings.ladders) {
    const handicap = handicapOf(ladder.format);
    const maxBytes = Math.min(limitFor(ladder.format), least / handicap) * share * slack;
    const lowest = await findLowest(ladder, { subject: sample, threshold: encodings.threshold, maxBytes });
    if (lowest === undefined) continue;
    const weight = (lowest.bytes / share) * handicap;
    least = Math.min(least, weight);
    found.push({ ladder, step: lowest.step, weight });
  }
  return found.filter(({ weight }) => weight <= least * slack).toSorted((one, other) => one.weight - other.weight);
}

interface Search {
  readonly subject: Subject;
  readonly threshold: number;
  readonly maxBytes: number;
}

/**
 * Finds the lowest quality of the ladder that is alike, by halving: size and likeness rise together, so that what is
 * too large need not be compared.
 */
async function findLowest(
  { qualities, probe }: Ladder,
  { subject, threshold, maxBytes }: Search,
): Promise<{ readonly step: number; readonly bytes: number } | undefined> {
  let found: { readonly step: number; readonly bytes: number } | undefined;
  let low = 0;
  let high = qualities.length - 1;
  while (low <= high) {
    const step = Math.floor((low + high) / 2);
    const bytes = await probe(subject.open(), qualities[step] ?? 100).toBuffer();
    const isSmall = bytes.length < maxBytes;
    const isGood = isSmall && (await isAlike(bytes, subject, threshold));
    if (isGood) found = { step, bytes: bytes.length };
    if (isGood || !isSmall) high = step - 1;
    else low = step + 1;
  }
  return found;
}

/** Encodes the whole at the step that its sample needs, or at a higher one when it needs that. */
async function encodeWhole(
  { format, qualities, encode }: Ladder,
  { subject, step, threshold, maxBytes }: Search & { readonly step: number },
): Promise<Encoded | undefined> {
  for (const quality of qualities.slice(step)) {
    const bytes = await encode(subject.open(), quality).toBuffer();
    if (bytes.length >= maxBytes) return undefined;
    if (await isAlike(bytes, subject, threshold)) return { bytes, format };
  }
  return undefined;
}

async function isAlike(bytes: Uint8Array, { reference, read }: Subject, threshold: number): Promise<boolean> {
  const frames = await read(bytes);
  return reference.every((each, index) => {
    const frame = frames[index];
    return frame !== undefined && similarity(each, frame) >= threshold;
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
  /** A quick way to write it, with the same look. */
  readonly probe: (image: Sharp, quality: number) => Sharp;
  readonly encode: (image: Sharp, quality: number) => Sharp;
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

const WEBP_EFFORT = 4;

const JPEG: Ladder = {
  format: "jpeg",
  qualities: [66, 74, 80, 85, 89, 93, 96],
  probe: (image, quality) => image.jpeg({ quality, mozjpeg: true }),
  encode: (image, quality) => image.jpeg({ quality, mozjpeg: true }),
};

const WEBP: Ladder = {
  format: "webp",
  qualities: [52, 60, 68, 75, 80, 85, 89, 93],
  probe: (image, quality) => image.webp({ quality, effort: 2 }),
  encode: (image, quality) => image.webp({ quality, effort: WEBP_EFFORT }),
};

const AVIF: Ladder = {
  format: "avif",
  qualities: [38, 45, 51, 56, 61, 66, 72, 80],
  probe: (image, quality) => image.avif({ quality, effort: 0 }),
  // Effort 1 takes twice the time for 5 % less, and for nothing above a quality of 70.
  encode: (image, quality) => image.avif({ quality, effort: quality > 70 ? 0 : 1 }),
};

const ANIMATED_WEBP: Ladder = {
  format: "webp",
  qualities: [60, 75, 85],
  probe: (image, quality) => image.webp({ quality, effort: 2, mixed: true }),
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
  { mode, formats, isLossy }: ShrinkSettings & { readonly isLossy: boolean },
): Encodings {
  const threshold = info.format === "png" || info.format === "gif" ? GRAPHIC_THRESHOLD : PHOTO_THRESHOLD;
  const same = { ...sameType(info, isLossy), threshold };
  if (mode === "same-type") return same;
  const withAvif = formats.includes("avif") && info.frames === 1 && info.width * info.height <= MAX_AVIF_PIXELS;
  const withWebp = formats.includes("webp");
  if (!withAvif && !withWebp) return same;
  return {
    exact: withWebp && info.format !== "jpeg" && !isLossy ? [LOSSLESS_WEBP] : [],
    // AVIF first: it mostly wins, and then few steps show that WebP can't.
    ladders: [...(withAvif ? [AVIF] : []), ...(withWebp ? [webpLadder(info)] : [])],
    threshold,
  };
}

function sameType(info: ImageInfo, isLossy: boolean): Pick<Encodings, "exact" | "ladders"> {
  if (info.format === "jpeg") return { exact: [], ladders: [JPEG] };
  if (info.format === "png")
    return { exact: hasFewColors(info) ? [LOSSLESS_PNG, PALETTE_PNG] : [LOSSLESS_PNG], ladders: [] };
  if (info.format === "webp") return { exact: isLossy ? [] : [LOSSLESS_WEBP], ladders: [webpLadder(info)] };
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
