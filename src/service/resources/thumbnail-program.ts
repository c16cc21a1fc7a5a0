import sharp from "sharp";
import { LIMITS } from "../../contract/limits.ts";
import { serveProgram } from "../../disk/program.ts";
import type { CroppedPicture, SmallPicture } from "./thumbnails.ts";

// The program that `createThumbnails` starts: it receives an image and returns a thumbnail or a part of it.

const QUALITIES = [75, 55, 35, 15];

sharp.concurrency(1);
sharp.cache(false);

serveProgram<SmallPicture | CroppedPicture, Uint8Array<ArrayBuffer>>((order) =>
  "area" in order ? crop(order) : shrink(order),
);

/** Removes metadata, including the location of a photo; keeps the color profile. */
async function crop({ bytes, area }: CroppedPicture): Promise<Uint8Array<ArrayBuffer>> {
  const picture = sharp(bytes, { limitInputPixels: LIMITS.maxImagePixels }).autoOrient().extract(area).keepIccProfile();
  const { format } = await sharp(bytes).metadata();
  const encoded =
    format === "jpeg" ? picture.jpeg({ quality: 90 }) : format === "webp" ? picture.webp({ quality: 90 }) : picture;
  return new Uint8Array(await encoded.toBuffer());
}

async function shrink({ bytes, side, maxBytes }: SmallPicture): Promise<Uint8Array<ArrayBuffer>> {
  const pixels = await sharp(bytes, { limitInputPixels: LIMITS.maxImagePixels })
    .autoOrient()
    .toColourspace("srgb")
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = pixels.info;
  if (channels !== 3 && channels !== 4) throw new Error(`The image has ${channels} channels.`);
  for (const quality of QUALITIES) {
    const raw = { width, height, channels };
    const made = await sharp(pixels.data, { raw }).webp({ quality, alphaQuality: quality }).toBuffer();
    if (made.byteLength <= maxBytes) return new Uint8Array(made);
  }
  throw new Error(`The thumbnail exceeds ${maxBytes} bytes at the lowest quality.`);
}
