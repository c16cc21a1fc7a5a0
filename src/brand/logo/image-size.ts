export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Reads the size from a PNG header; `undefined` for other files. */
export function findPngSize(bytes: Uint8Array): ImageSize | undefined {
  const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  if (bytes.length < 24 || signature.some((byte, index) => bytes[index] !== byte)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** Reads the size of an SVG from `width` and `height`, or else from its `viewBox`. */
export function findSvgSize(text: string): ImageSize | undefined {
  const tag = /<svg\b[^>]*>/i.exec(text)?.[0];
  if (tag === undefined) return undefined;
  const width = numberOf(/\swidth\s*=\s*["']\s*([\d.]+)(?:px)?\s*["']/i.exec(tag)?.[1]);
  const height = numberOf(/\sheight\s*=\s*["']\s*([\d.]+)(?:px)?\s*["']/i.exec(tag)?.[1]);
  if (width !== undefined && height !== undefined) return { width, height };
  const box = /\sviewBox\s*=\s*["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/i.exec(tag);
  const boxWidth = numberOf(box?.[1]);
  const boxHeight = numberOf(box?.[2]);
  return boxWidth === undefined || boxHeight === undefined ? undefined : { width: boxWidth, height: boxHeight };
}

/** Parses a number and rounds it to whole pixels; `undefined` if it isn't a positive number. */
export function numberOf(text: string | undefined): number | undefined {
  const number = text === undefined ? Number.NaN : Math.round(Number.parseFloat(text));
  return Number.isFinite(number) && number > 0 ? number : undefined;
}
