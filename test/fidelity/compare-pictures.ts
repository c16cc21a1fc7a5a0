import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pixelmatch from "pixelmatch";
import sharp from "sharp";

const artifacts = fileURLToPath(new URL("../../test-artifacts/fidelity/", import.meta.url));

/** The difference of two screenshots of a page. */
export interface Difference {
  /** Share of differing pixels, from 0 to 1. Pixels that only one image has count as different. */
  readonly share: number;
  /** PNG that marks the differing pixels in red. */
  readonly picture: Buffer;
}

export async function comparePictures(original: Buffer, published: Buffer): Promise<Difference> {
  const sizes = await Promise.all([original, published].map((picture) => sharp(picture).metadata()));
  const width = Math.max(...sizes.map((size) => size.width));
  const height = Math.max(...sizes.map((size) => size.height));
  const [one, other] = await Promise.all([readPixels(original, width, height), readPixels(published, width, height)]);
  const marked = Buffer.alloc(width * height * 4);
  // Without `includeAA`, a line of text that is half a pixel lower would not count.
  const count = pixelmatch(one, other, marked, width, height, { includeAA: true });
  const picture = await sharp(marked, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  return { share: count / (width * height), picture };
}

/** Saves the three screenshots of a page for review. */
export async function keepPictures(name: string, pictures: Readonly<Record<string, Buffer>>): Promise<void> {
  await mkdir(artifacts, { recursive: true });
  for (const [kind, picture] of Object.entries(pictures)) {
    await writeFile(join(artifacts, `${name}-${kind}.png`), picture);
  }
}

// Pads the smaller image with a color that no site uses.
async function readPixels(picture: Buffer, width: number, height: number): Promise<Buffer> {
  const image = sharp(picture).ensureAlpha();
  const size = await image.metadata();
  const background = { r: 255, g: 0, b: 255, alpha: 1 };
  return image
    .extend({ right: width - size.width, bottom: height - size.height, background })
    .raw()
    .toBuffer();
}
