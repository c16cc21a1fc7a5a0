/** Pixels as returned by sharp: rows of interleaved 8-bit channels, `r g b` or `r g b a`. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

/** An image separated into what eyes distinguish: brightness, two color differences, and transparency if any. */
export interface Planes {
  readonly width: number;
  readonly height: number;
  readonly luma: Float32Array;
  readonly colors: readonly [Float32Array, Float32Array];
  readonly alpha: Float32Array | undefined;
}

/** Side of a window and distance between two windows, in pixels. */
const WINDOW = 8;
const STEP = 4;

// The paper's constants for 8-bit values: (0.01 × 255)² and (0.03 × 255)².
const LUMINANCE_GUARD = 6.5025;
const CONTRAST_GUARD = 58.5225;

// Empty windows look alike under any encoder; if counted, they would outvote the text beside them.
const FLAT = 2;

const LUMA_SHARE = 0.8;
const COLOR_SHARE = 0.1;

/**
 * How similar two images of the same size look: 1 if they are equal, and less the more they differ.
 *
 * This is the structural similarity of Wang et al. (2004) over brightness and, with less weight, color. Windows are
 * pooled as in the `dssim` tool, mean minus mean absolute deviation, so that a clear sky doesn't outvote a spoiled
 * corner. Transparency can only lower the result.
 */
export function similarity(first: Planes, second: Planes): number {
  if (first.width !== second.width || first.height !== second.height) return 0;
  const compare = (one: Float32Array, other: Float32Array): number => planeSimilarity(one, other, first);
  const color =
    LUMA_SHARE * compare(first.luma, second.luma) +
    COLOR_SHARE * compare(first.colors[0], second.colors[0]) +
    COLOR_SHARE * compare(first.colors[1], second.colors[1]);
  if (first.alpha === undefined && second.alpha === undefined) return color;
  return Math.min(color, compare(first.alpha ?? opaque(first), second.alpha ?? opaque(second)));
}

/** Composites transparent pixels onto white, since their own color isn't visible. */
export function planesOf({ data, width, height, channels }: Pixels): Planes {
  const size = width * height;
  const luma = new Float32Array(size);
  const colors: [Float32Array, Float32Array] = [new Float32Array(size), new Float32Array(size)];
  const alpha = channels === 4 ? new Float32Array(size) : undefined;
  for (let pixel = 0, at = 0; pixel < size; pixel += 1, at += channels) {
    const opacity = alpha === undefined ? 1 : (data[at + 3] ?? 0) / 255;
    const base = 255 * (1 - opacity);
    const red = base + opacity * (data[at] ?? 0);
    const green = base + opacity * (data[at + 1] ?? 0);
    const blue = base + opacity * (data[at + 2] ?? 0);
    const brightness = 0.299 * red + 0.587 * green + 0.114 * blue;
    luma[pixel] = brightness;
    colors[0][pixel] = 0.564 * (blue - brightness);
    colors[1][pixel] = 0.713 * (red - brightness);
    if (alpha !== undefined) alpha[pixel] = 255 * opacity;
  }
  return { width, height, luma, colors, alpha };
}

function opaque({ width, height }: Planes): Float32Array {
  return new Float32Array(width * height).fill(255);
}

interface Extent {
  readonly width: number;
  readonly height: number;
}

function planeSimilarity(first: Float32Array, second: Float32Array, extent: Extent): number {
  const windows: number[] = [];
  for (const top of startsOf(extent.height)) {
    for (const left of startsOf(extent.width)) {
      const value = windowSimilarity(first, second, { ...extent, top, left });
      if (value !== undefined) windows.push(value);
    }
  }
  if (windows.length === 0) return 1;
  const mean = windows.reduce((sum, value) => sum + value, 0) / windows.length;
  const deviation = windows.reduce((sum, value) => sum + Math.abs(value - mean), 0) / windows.length;
  return mean - deviation;
}

/** The last window is moved back to end with the image, so that no row or column is omitted. */
function startsOf(length: number): number[] {
  const last = Math.max(0, length - WINDOW);
  const starts: number[] = [];
  for (let start = 0; start < last; start += STEP) starts.push(start);
  starts.push(last);
  return starts;
}

interface Window extends Extent {
  readonly top: number;
  readonly left: number;
}

function windowSimilarity(first: Float32Array, second: Float32Array, window: Window): number | undefined {
  const right = Math.min(window.left + WINDOW, window.width);
  const bottom = Math.min(window.top + WINDOW, window.height);
  const count = (right - window.left) * (bottom - window.top);
  let sumA = 0;
  let sumB = 0;
  let sumAA = 0;
  let sumBB = 0;
  let sumAB = 0;
  for (let row = window.top; row < bottom; row += 1) {
    for (let at = row * window.width + window.left; at < row * window.width + right; at += 1) {
      const a = first[at] ?? 0;
      const b = second[at] ?? 0;
      sumA += a;
      sumB += b;
      sumAA += a * a;
      sumBB += b * b;
      sumAB += a * b;
    }
  }
  const meanA = sumA / count;
  const meanB = sumB / count;
  const variances = sumAA / count - meanA * meanA + sumBB / count - meanB * meanB;
  if (variances < FLAT && Math.abs(meanA - meanB) < 1) return undefined;
  const covariance = sumAB / count - meanA * meanB;
  const luminance = (2 * meanA * meanB + LUMINANCE_GUARD) / (meanA * meanA + meanB * meanB + LUMINANCE_GUARD);
  return luminance * ((2 * covariance + CONTRAST_GUARD) / (variances + CONTRAST_GUARD));
}
