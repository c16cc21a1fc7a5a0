// Visual features of a screenshot: its colors, a small image of its top, the heights of text lines, and the roundness
// of corners.
import sharp from "sharp";
import { differenceOf } from "../../../src/brand/color/contrast.ts";

export interface PictureFeatures {
  /** Colors by their share of the image, the largest first. */
  readonly palette: readonly { readonly hex: string; readonly share: number }[];
  /** Rows of a reduced image of the top: where bands and text are, and in which colors. */
  readonly top: readonly (readonly string[])[];
  /** Heights of nonempty lines, in pixels: maximum and median. */
  readonly lines: readonly [number, number];
  /** Share of filled boxes with round corners. */
  readonly roundness: number;
}

interface Pixels {
  /** One number per pixel, equal for similar colors. */
  readonly colors: Uint32Array;
  readonly width: number;
  readonly height: number;
}

const STEP = 8;
const LEAST_SHARE = 0.0004;
/** The size of the reduced image of the top, the height of that top in pixels, and how many rows a header fills. */
const TOP = { columns: 40, rows: 32, height: 256, headerRows: 12 };

export async function readFeatures(picture: Buffer): Promise<PictureFeatures> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const colors = new Uint32Array(data.length / 3);
  for (let at = 0; at < colors.length; at += 1) {
    colors[at] = step(data[at * 3]) * 65_536 + step(data[at * 3 + 1]) * 256 + step(data[at * 3 + 2]);
  }
  const pixels = { colors, width: info.width, height: info.height };
  const palette = tally(pixels).filter(({ share }) => share >= LEAST_SHARE);
  const top = await reduceTop(picture, info.width);
  return { palette: palette.slice(0, 24), top, lines: measureLines(pixels), roundness: measureCorners(pixels) };
}

async function reduceTop(picture: Buffer, width: number): Promise<PictureFeatures["top"]> {
  const { columns, rows, height } = TOP;
  const data = await sharp(picture)
    .removeAlpha()
    .extract({ left: 0, top: 0, width, height })
    .resize(columns, rows, { fit: "fill" })
    .raw()
    .toBuffer();
  const hexAt = (at: number) => `#${data.subarray(at * 3, at * 3 + 3).toString("hex")}`;
  return Array.from({ length: rows }, (_, y) => Array.from({ length: columns }, (__, x) => hexAt(y * columns + x)));
}

/** Returns the difference of a page from a site's home page: 0 if equal. */
export function distanceOf(home: PictureFeatures, page: PictureFeatures): number {
  const colors = (paletteDistance(home, page) + paletteDistance(page, home)) / 2;
  const type = mean(home.lines.map((height, index) => Math.abs(Math.log(height / (page.lines[index] ?? height)))));
  return colors + headerDistance(home, page) + 6 * type + 4 * Math.abs(home.roundness - page.roundness);
}

/** Cells that differ more (CIEDE2000) count as that different, so that no single one decides. */
const MOST_DIFFERENCE = 30;

/** The difference of the headers. That of a home page may be further down, below an advertisement. */
function headerDistance(home: PictureFeatures, page: PictureFeatures): number {
  const header = page.top.slice(0, TOP.headerRows);
  const distances = Array.from({ length: TOP.rows - TOP.headerRows }, (_, shift) =>
    header.flatMap((row, y) =>
      row.map((hex, x) => Math.min(MOST_DIFFERENCE, differenceOf(hex, home.top[y + shift]?.[x] ?? hex))),
    ),
  );
  return Math.min(...distances.map(mean));
}

// Small areas get more weight than their share, as buttons characterize a brand.
function paletteDistance({ palette }: PictureFeatures, other: PictureFeatures): number {
  const weights = palette.map(({ share }) => share ** 0.4);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const nearest = palette.map(({ hex }) => Math.min(...other.palette.map((own) => differenceOf(hex, own.hex))));
  return nearest.reduce((sum, distance, index) => sum + (distance * (weights[index] ?? 0)) / total, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function tally({ colors }: Pixels) {
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([key, count]) => ({ hex: `#${key.toString(16).padStart(6, "0")}`, share: count / colors.length }));
}

function step(value = 0): number {
  return Math.min(255, Math.round(value / STEP) * STEP);
}

const TALLEST_LINE = 90;
const FLATTEST_LINE = 5;

function measureLines({ colors, width, height }: Pixels): readonly [number, number] {
  const heights: number[] = [];
  let run = 0;
  for (let y = 0; y < height; y += 1) {
    const first = colors[y * width];
    let ink = 0;
    for (let x = 0; x < width; x += 1) if (colors[y * width + x] !== first) ink += 1;
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

/** Measures corners by runs of one color above each other: the first rows of a round box are shorter. */
function measureCorners({ colors, width, height }: Pixels): number {
  let round = 0;
  let boxes = 0;
  let above: ReadonlyMap<string, number> = new Map();
  for (let y = 0; y < height; y += 1) {
    const runs = new Map<string, number>();
    for (let x = 0; x < width;) {
      const color = colors[y * width + x];
      const start = x;
      while (x < width && colors[y * width + x] === color) x += 1;
      if (x - start < LEAST_BOX.width || x - start > width * 0.6 || start === 0) continue;
      const key = `${start} ${x} ${color}`;
      const rows = (above.get(key) ?? 0) + 1;
      runs.set(key, rows);
      if (rows !== LEAST_BOX.height) continue;
      boxes += 1;
      const before = (y - rows) * width;
      if (y >= rows && colors[before + Math.floor((start + x) / 2)] === color) round += 1;
    }
    above = runs;
  }
  return boxes === 0 ? 0.5 : round / boxes;
}
