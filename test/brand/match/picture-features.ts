// What can be seen in a picture of a page without reading it: which colors, which at the top, how large the lines of text
// are, how round the corners.
import sharp from "sharp";
import { differenceOf } from "../../../src/brand/color/contrast.ts";

export interface PictureFeatures {
  /** Colors that cover a share of the picture, the largest first. */
  readonly palette: readonly { readonly hex: string; readonly share: number }[];
  /** The color that each strip at the top mostly has. */
  readonly bands: readonly string[];
  /** Heights of lines with something in them, in pixels: the largest and the middle one. */
  readonly lines: readonly [number, number];
  /** Share of the filled boxes whose corners are round. */
  readonly roundness: number;
}

interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

const STEP = 8;
const LEAST_SHARE = 0.0004;
const BANDS = 8;
const BAND_HEIGHT = 16;

export async function readFeatures(picture: Buffer): Promise<PictureFeatures> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixels = { data, width: info.width, height: info.height };
  const bands = Array.from({ length: BANDS }, (_, index) => {
    const [top] = tally(pixels, { from: index * BAND_HEIGHT, to: (index + 1) * BAND_HEIGHT });
    return top?.hex ?? "#ffffff";
  });
  const palette = tally(pixels, { from: 0, to: pixels.height }).filter(({ share }) => share >= LEAST_SHARE);
  return { palette: palette.slice(0, 24), bands, lines: measureLines(pixels), roundness: measureCorners(pixels) };
}

/** How unlike two pictures are: 0 for the same. */
export function distanceOf(one: PictureFeatures, other: PictureFeatures): number {
  const colors = (paletteDistance(one, other) + paletteDistance(other, one)) / 2;
  const bands = mean(one.bands.map((hex, index) => differenceOf(hex, other.bands[index] ?? hex)));
  const type = mean(one.lines.map((height, index) => Math.abs(Math.log(height / (other.lines[index] ?? height)))));
  return colors + 0.5 * bands + 6 * type + 4 * Math.abs(one.roundness - other.roundness);
}

// Small areas count for more than their share: a brand is known by its buttons.
function paletteDistance({ palette }: PictureFeatures, other: PictureFeatures): number {
  const weights = palette.map(({ share }) => share ** 0.4);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const nearest = palette.map(({ hex }) => Math.min(...other.palette.map((own) => differenceOf(hex, own.hex))));
  return nearest.reduce((sum, distance, index) => sum + (distance * (weights[index] ?? 0)) / total, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function tally({ data, width }: Pixels, { from, to }: { readonly from: number; readonly to: number }) {
  const counts = new Map<number, number>();
  for (let at = from * width * 3; at < to * width * 3; at += 3) {
    const key = colorAt(data, at);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const all = (to - from) * width;
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([key, count]) => ({ hex: `#${key.toString(16).padStart(6, "0")}`, share: count / all }));
}

function colorAt(data: Buffer, at: number): number {
  const [red = 0, green = 0, blue = 0] = data
    .subarray(at, at + 3)
    .map((value) => Math.min(255, Math.round(value / STEP) * STEP));
  return red * 65_536 + green * 256 + blue;
}

const TALLEST_LINE = 90;
const FLATTEST_LINE = 5;

function measureLines({ data, width, height }: Pixels): readonly [number, number] {
  const heights: number[] = [];
  let run = 0;
  for (let y = 0; y < height; y += 1) {
    const first = colorAt(data, y * width * 3);
    let ink = 0;
    for (let x = 0; x < width; x += 1) if (colorAt(data, (y * width + x) * 3) !== first) ink += 1;
    const isLine = ink > 0 && ink < width * 0.9;
    if (isLine) run += 1;
    if (!isLine || y === height - 1) {
      if (run >= FLATTEST_LINE && run <= TALLEST_LINE) heights.push(run);
      run = 0;
    }
  }
  const sorted = heights.toSorted((a, b) => a - b);
  return [sorted.at(-1) ?? 1, sorted[Math.floor(sorted.length / 2)] ?? 1];
}

const LEAST_BOX = { width: 40, height: 18 };

/** Looks at runs of one color that another run of the color is exactly below: the first rows of a round box are shorter. */
function measureCorners({ data, width, height }: Pixels): number {
  let round = 0;
  let boxes = 0;
  let above: ReadonlyMap<string, number> = new Map();
  for (let y = 0; y < height; y += 1) {
    const runs = new Map<string, number>();
    for (let x = 0; x < width;) {
      const color = colorAt(data, (y * width + x) * 3);
      const start = x;
      while (x < width && colorAt(data, (y * width + x) * 3) === color) x += 1;
      if (x - start < LEAST_BOX.width || x - start > width * 0.6 || start === 0) continue;
      const key = `${start} ${x} ${color}`;
      const rows = (above.get(key) ?? 0) + 1;
      runs.set(key, rows);
      if (rows !== LEAST_BOX.height) continue;
      boxes += 1;
      const before = (y - rows) * width;
      if (y >= rows && colorAt(data, (before + Math.floor((start + x) / 2)) * 3) === color) round += 1;
    }
    above = runs;
  }
  return boxes === 0 ? 0.5 : round / boxes;
}
