import type { Sharp } from "sharp";
import { LIMITS } from "../../contract/limits.ts";
import { planesOf, type Pixels, type Planes } from "./similarity.ts";

/** What the bytes are, whatever the file is called. Size as it is shown, after turning by the EXIF orientation. */
export interface ImageInfo {
  readonly bytes: number;
  readonly format: string;
  readonly width: number;
  readonly height: number;
  /** 1 for a still picture. */
  readonly frames: number;
  /** Whether color is kept at half the width and height of brightness, as in most photographs. */
  readonly hasHalfColor: boolean;
  /** Whether it is turned by a quarter when it is shown. */
  readonly isTurned: boolean;
}

/** Longest side of the pictures that are compared, in pixels. */
const COMPARED_SIDE = 1024;

export async function inspectImage(sharp: SharpFactory, bytes: Uint8Array): Promise<ImageInfo> {
  const metadata = await sharp(bytes, { limitInputPixels: false }).metadata();
  const { format, autoOrient, pages = 1, chromaSubsampling, orientation = 1 } = metadata;
  return {
    bytes: bytes.length,
    format: format ?? "unknown",
    width: autoOrient.width,
    height: autoOrient.height,
    frames: pages,
    hasHalfColor: chromaSubsampling === "4:2:0",
    isTurned: orientation > 4,
  };
}

/** Opens an image for encoding: every frame, turned upright, with the limits that keep a hostile file harmless. */
export function openImage(sharp: SharpFactory, bytes: Uint8Array): Sharp {
  return sharp(bytes, { animated: true, limitInputPixels: LIMITS.maxImagePixels, failOn: "error" }).autoOrient();
}

/** Opens a still image as it is shown: upright and in sRGB. */
export function openStill(sharp: SharpFactory, bytes: Uint8Array): Sharp {
  const image = sharp(bytes, { limitInputPixels: LIMITS.maxImagePixels, failOn: "error" });
  return image.autoOrient().toColourspace("srgb");
}

/** Decodes what was opened completely. A broken image throws. */
export async function readPixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

/** Opens pixels for encoding, without decoding the image again. */
export function openPixels(sharp: SharpFactory, { data, width, height, channels }: Pixels): Sharp {
  if (channels !== 1 && channels !== 2 && channels !== 3 && channels !== 4) throw new Error(`${channels} channels`);
  return sharp(data, { raw: { width, height, channels } });
}

/**
 * The frames of an image that are compared with another encoding of it: the only one, or the first, the middle and
 * the last one. Decodes completely, so that a broken image throws.
 *
 * @param scale.frames how many frames the image has. Default: 1
 * @param scale.side longest side of what is compared, in pixels. Default: 1024
 */
export async function readPlanes(
  sharp: SharpFactory,
  bytes: Uint8Array,
  { frames = 1, side = COMPARED_SIDE }: { readonly frames?: number; readonly side?: number } = {},
): Promise<readonly Planes[]> {
  const chosen = [...new Set([0, Math.floor((frames - 1) / 2), frames - 1])];
  return await Promise.all(
    chosen.map(async (page) => {
      const frame = sharp(bytes, { page, limitInputPixels: LIMITS.maxImagePixels, failOn: "error" }).autoOrient();
      return await reducePlanes(frame, side);
    }),
  );
}

/** What is compared of an opened image. */
export async function reducePlanes(image: Sharp, side = COMPARED_SIDE): Promise<Planes> {
  const { data, info } = await image
    .toColourspace("srgb")
    // A decoder that shrinks while it loads does so in its own way, which would count as a difference.
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true, fastShrinkOnLoad: false })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return planesOf({ data, width: info.width, height: info.height, channels: info.channels });
}

/** How much smaller the compared picture is than the picture itself: 1 when it is not. */
export function comparedScale({ width, height }: Pick<ImageInfo, "width" | "height">): number {
  return Math.min(1, COMPARED_SIDE / Math.max(width, height));
}

/**
 * sharp, loaded when the first image needs it: it costs 40 ms that a run without new images should not pay.
 *
 * One thread an image, since several images are worked on at a time, and no cache of decoded images, since none is
 * opened a second time.
 */
export async function loadSharp() {
  const { default: sharp } = await import("sharp");
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

export type SharpFactory = Awaited<ReturnType<typeof loadSharp>>;
