import { ProblemError } from "./problem-error.ts";

export interface ImageSize {
  readonly width: number | null;
  readonly height: number | null;
}

const UNKNOWN: ImageSize = { width: null, height: null };

const DECODED_TYPES: ReadonlySet<string> = new Set([
  "image/apng",
  "image/avif",
  "image/gif",
  "image/jpeg",
  "image/png",
  "image/tiff",
  "image/webp",
]);

/**
 * The size of an image in pixels, read from its header: nothing is decoded, so a small file with huge dimensions costs
 * nothing. Throws `image_unreadable` or `image_too_many_pixels`.
 */
export async function readImageSize(
  contentType: string,
  { name, bytes, maxPixels }: { readonly name: string; readonly bytes: Uint8Array; readonly maxPixels: number },
): Promise<ImageSize> {
  if (!DECODED_TYPES.has(contentType)) return UNKNOWN;
  const { default: sharp } = await import("sharp");
  const { width, height } = await sharp(bytes, { limitInputPixels: false, failOn: "error" })
    .metadata()
    .catch((error: unknown) => {
      throw new ProblemError("image_unreadable", { detail: `${name} can't be decoded.`, cause: error });
    });
  if (width * height > maxPixels) {
    throw new ProblemError("image_too_many_pixels", {
      detail: `${name} has ${width} × ${height} pixels, ${maxPixels} are allowed.`,
    });
  }
  return { width, height };
}
