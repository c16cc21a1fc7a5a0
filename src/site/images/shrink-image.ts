import type { Sharp } from "sharp";
import { createGate } from "../../base/gate.ts";
import {
  comparedScale,
  inspectImage,
  openImage,
  openPixels,
  openStill,
  readPixels,
  readPlanes,
  reducePlanes,
  type ImageInfo,
  type SharpFactory,
} from "./decode.ts";
import {
  encodingsFor,
  LARGE_PIXELS,
  memoryOf,
  ROOM_BYTES,
  type Encodings,
  type ImageFormat,
  type Ladder,
  type ShrinkSettings,
} from "./encodings.ts";
import { similarity, type Pixels, type Planes } from "./similarity.ts";

export interface ShrunkImage {
  /** `undefined`: the original, byte for byte. */
  readonly bytes: Uint8Array | undefined;
  readonly format: string;
  readonly width: number;
  readonly height: number;
  /** Whether it stays unchanged because its pixels would need too much memory. */
  readonly isTooLarge: boolean;
}

interface Encoded {
  readonly bytes: Uint8Array;
  readonly format: ImageFormat;
}

/** A result must save this share of the original; less isn't worth another generation loss. */
const LEAST_SAVING = 0.05;

// Every browser decodes WebP, and does so faster, so AVIF must be this much smaller.
const AVIF_HANDICAP = 1.1;

/** Nothing that needs more is processed: no photograph above 34 megapixels, or 21 if it must be rotated. */
const MOST_BYTES = 180_000_000;

/** Pixels of larger images aren't kept: they are decoded again for each encoding. */
const MOST_KEPT_PIXELS = 4_000_000;

const working = createGate(ROOM_BYTES);

/** Returns the smallest encoding that looks like the original. Throws sharp's errors for broken images. */
export async function shrinkImage(
  sharp: SharpFactory,
  original: Uint8Array,
  settings: ShrinkSettings,
): Promise<ShrunkImage> {
  const info = await inspectImage(sharp, original);
  const { format, width, height } = info;
  const kept: ShrunkImage = { bytes: undefined, format, width, height, isTooLarge: false };
  if (!REENCODED.has(format) || isAnimatedPng(info, original)) return kept;
  const encodings = encodingsFor(info, { ...settings, isLossy: isLossyWebp(info, original) });
  const ways = [...encodings.exact, ...encodings.ladders];
  const bytes = memoryOf(info, Math.max(0, ...ways.map(({ pixelBytes }) => pixelBytes)));
  if (bytes > MOST_BYTES) return { ...kept, isTooLarge: true };
  const best = await working.run(async () => {
    const picture = await (info.frames === 1 ? readStill(sharp, original, info) : readAnimation(sharp, original, info));
    return await findSmallest(sharp, { original, picture, encodings });
  }, bytes);
  return best === undefined ? kept : { ...kept, bytes: best.bytes, format: best.format };
}

/** AVIF is already small, SVG isn't a raster image, and formats that sharp can't read are left alone. */
const REENCODED: ReadonlySet<string> = new Set(["jpeg", "png", "webp", "gif", "tiff"]);

/** sharp reads only the first frame of an animated PNG, so re-encoding would stop the animation. */
function isAnimatedPng({ format }: ImageInfo, bytes: Uint8Array): boolean {
  if (format !== "png") return false;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const control = view.indexOf("acTL");
  return control !== -1 && control < view.indexOf("IDAT");
}

/** The chunk name shows whether a WebP is lossy. A lossy image never becomes smaller without further loss. */
function isLossyWebp({ format }: ImageInfo, bytes: Uint8Array): boolean {
  if (format !== "webp") return false;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf("VP8L") === -1;
}

/** The image to encode, and the reference for comparing its encodings. */
interface Subject {
  readonly pixels: number;
  open(): Sharp;
  readonly reference: readonly Planes[];
  /** Decodes an encoding of it. */
  read(bytes: Uint8Array): Promise<readonly Planes[]>;
}

interface Picture {
  readonly whole: Subject;
  /** Used to try qualities; for a small image or an animation, the whole. */
  readonly sample: Subject;
  /** Whether the sample alone determines the visual result. */
  readonly isLarge: boolean;
}

/** Decodes a still image, once for all encodings unless it is large. */
async function readStill(sharp: SharpFactory, original: Uint8Array, { width, height }: ImageInfo): Promise<Picture> {
  const isKept = width * height <= MOST_KEPT_PIXELS;
  const isLarge = width * height > LARGE_PIXELS;
  const pixels = isKept ? await readPixels(openStill(sharp, original)) : undefined;
  const open = () => (pixels === undefined ? openStill(sharp, original) : openPixels(sharp, pixels));
  const whole = await subjectOf(sharp, { open, width, height });
  const tiles = await cutTiles({ open, width, height }, isLarge ? LARGE_TILE : TILE);
  if (tiles === undefined) return { whole, sample: whole, isLarge };
  const side = Math.round(Math.max(tiles.width, tiles.height) * comparedScale({ width, height }));
  return { whole, sample: await subjectOf(sharp, { ...tiles, open: () => openPixels(sharp, tiles), side }), isLarge };
}

interface Still {
  readonly open: () => Sharp;
  readonly width: number;
  readonly height: number;
}

async function subjectOf(
  sharp: SharpFactory,
  { open, width, height, side }: Still & { readonly side?: number },
): Promise<Subject> {
  return {
    pixels: width * height,
    open,
    reference: [await reducePlanes(open(), side)],
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
  return { whole, sample: whole, isLarge: false };
}

const TILE = 192;
const LARGE_TILE = 576;
const TILES_A_SIDE = 3;

/**
 * Cuts nine parts from a large image and joins them. On photographs, their similarity differs from the whole's by 0.001
 * to 0.002, while a reduced copy's differs by 0.02.
 */
async function cutTiles({ open, width, height }: Still, tile: number): Promise<Pixels | undefined> {
  const side = tile * TILES_A_SIDE;
  if (width < side || height < side || width * height < 1.5 * side * side) return undefined;
  const numbers = Array.from({ length: TILES_A_SIDE }, (_, number) => number);
  const tiles = { width: side, height: side };
  let cut: Pixels | undefined;
  for (const row of numbers) {
    const strip = await readPixels(open().extract({ left: 0, top: placeOf(row, height, tile), width, height: tile }));
    const { data, channels } = strip;
    cut ??= { ...tiles, channels, data: new Uint8Array(side * side * channels) };
    for (let line = 0; line < tile; line += 1) {
      for (const column of numbers) {
        const start = (line * width + placeOf(column, width, tile)) * channels;
        const to = ((row * tile + line) * side + column * tile) * channels;
        cut.data.set(data.subarray(start, start + tile * channels), to);
      }
    }
  }
  return cut;
}

/** Tiles begin at encoder block boundaries, so that re-encoding affects them alike. */
function placeOf(number: number, length: number, tile: number): number {
  const start = Math.round(((length - tile) * number) / (TILES_A_SIDE - 1) / 16) * 16;
  return Math.min(start, length - tile);
}

/** Tries one encoding after another; each must beat the best so far, and the first ones the original. */
async function findSmallest(
  sharp: SharpFactory,
  task: { readonly original: Uint8Array; readonly picture: Picture; readonly encodings: Encodings },
): Promise<Encoded | undefined> {
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
    best = (await encodeWhole(ladder, { picture, step, threshold, maxBytes })) ?? best;
  }
  return best;
}

function handicapOf(format: ImageFormat): number {
  return format === "avif" ? AVIF_HANDICAP : 1;
}

interface FoundStep {
  readonly ladder: Ladder;
  readonly step: number;
  /** Expected size of the whole, weighted by the handicap of its format. */
  readonly weight: number;
}

// How much smaller the whole may be than its sample suggests.
const SAMPLE_SLACK = 1.2;

/**
 * Finds the lowest step of each ladder at which the sample is similar enough. Of several ladders, keeps only those that
 * may produce the smallest result.
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
 * Finds the lowest sufficient quality of the ladder by binary search: size and similarity increase together, so results
 * that are too large needn't be compared.
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

interface WholeTask extends Omit<Search, "subject"> {
  readonly picture: Picture;
  readonly step: number;
}

/** Encodes the whole at the step that its sample needs, or a higher one if necessary. */
async function encodeWhole(
  { format, qualities, encode }: Ladder,
  { picture: { whole, isLarge }, step, threshold, maxBytes }: WholeTask,
): Promise<Encoded | undefined> {
  // What was decoded so far is no longer needed, but V8 wouldn't free it before its own heap is full.
  globalThis.gc?.();
  for (const quality of qualities.slice(step)) {
    const bytes = await encode(whole.open(), quality).toBuffer();
    if (bytes.length >= maxBytes) return undefined;
    if (isLarge || (await isAlike(bytes, whole, threshold))) return { bytes, format };
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
