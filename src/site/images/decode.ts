import type { Sharp } from "sharp";
import { LIMITS } from "../../contract/limits.ts";
import { planesOf, type Planes } from "./similarity.ts";

/** What the bytes are, whatever the file is called. Size as it is shown, after turning by the EXIF orientation. */
export interface ImageInfo {
  readonly bytes: number;
  readonly format: string;
  readonly width: number;
  readonly height: number;
  /** 1 for a still picture. */
  readonly frames: number;
}

/** Longest side of the pictures that are compared, in pixels. */
const COMPARED_SIDE = 1024;

export async function inspectImage(sharp: SharpFactory, bytes: Uint8Array): Promise<ImageInfo> {
  const { format, autoOrient, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata();
  return {
    bytes: bytes.length,
    format: format ?? "unknown",
    width: autoOrient.width,
    height: autoOrient.height,
    frames: pages,
  };
}

/** Opens an image for encoding: every frame, turned upright, with the limits that keep a hostile file harmless. */
export function openImage(sharp: SharpFactory, bytes: Uint8Array): Sharp {
  return sharp(bytes, { animated: true, limitInputPixels: LIMITS.maxImagePixels, failOn: "error" }).autoOrient();
}

/**
 * The frames of an image that are compared with another encoding of it: the only one, or the first, the middle and
 * the last one. Decodes completely, so that a broken image throws.
 */
export async function readPlanes(sharp: SharpFactory, bytes: Uint8Array, frames: number): Promise<readonly Planes[]> {
  const chosen = [...new Set([0, Math.floor((frames - 1) / 2), frames - 1])];
  return await Promise.all(chosen.map(async (page) => await readFrame(sharp, bytes, page)));
}

async function readFrame(sharp: SharpFactory, bytes: Uint8Array, page: number): Promise<Planes> {
  const { data, info } = await sharp(bytes, { page, limitInputPixels: LIMITS.maxImagePixels, failOn: "error" })
    .autoOrient()
    .toColourspace("srgb")
    // A decoder that shrinks while it loads does so in its own way, which would count as a difference.
    .resize({
      width: COMPARED_SIDE,
      height: COMPARED_SIDE,
      fit: "inside",
      withoutEnlargement: true,
      fastShrinkOnLoad: false,
    })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return planesOf({ data, width: info.width, height: info.height, channels: info.channels });
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
