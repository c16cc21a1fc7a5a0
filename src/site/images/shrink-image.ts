import { LIMITS } from "../../contract/limits.ts";
import { inspectImage, openImage, readPlanes, type ImageInfo } from "./decode.ts";
import { encodingsFor, type Encodings, type ImageFormat, type Ladder } from "./encodings.ts";
import type { SharpFactory } from "./load-sharp.ts";
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
