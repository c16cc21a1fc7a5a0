import sharp, { type Sharp, type Region } from "sharp";

/** Returns reproducible pseudo-random numbers from 0 to 1. */
function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Pixels of photographs by size, as thirty tests use the same few. */
const photographs = new Map<string, Promise<Buffer>>();

/** Creates an image with detail at every scale, like a photograph: noise that gets weaker at finer scales. */
async function photoPixels(width: number, height: number): Promise<Buffer> {
  const random = createRandom();
  const sum = new Float32Array(width * height * 3);
  for (let octave = 0; octave < 7; octave += 1) {
    const size = { width: Math.max(2, width >> (7 - octave)), height: Math.max(2, height >> (7 - octave)) };
    const noise = new Uint8Array(size.width * size.height * 3);
    for (let at = 0; at < noise.length; at += 1) noise[at] = random() * 255;
    const layer = await sharp(noise, { raw: { ...size, channels: 3 } })
      .resize(width, height, { fit: "fill" })
      .raw()
      .toBuffer();
    for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + ((layer[at] ?? 0) - 127) * 0.6 ** octave;
  }
  const pixels = Buffer.alloc(sum.length);
  for (let at = 0; at < sum.length; at += 1) pixels[at] = Math.max(0, Math.min(255, 127 + (sum[at] ?? 0) * 0.7));
  return pixels;
}

export async function photo(width = 480, height = 320): Promise<Sharp> {
  const key = `${width}x${height}`;
  const pixels = photographs.get(key) ?? photoPixels(width, height);
  photographs.set(key, pixels);
  return sharp(await pixels, { raw: { width, height, channels: 3 } });
}

/** Creates an image with letters and flat areas, like a screenshot. */
export function graphic(width = 640, height = 400): Sharp {
  const rows = Array.from({ length: 14 }, (_, row) => {
    return `<text x="20" y="${40 + row * 24}" font-size="16" fill="#${row % 2 ? "0b57d0" : "1f1f1f"}">The quick brown fox jumps over the lazy dog ${row}</text>`;
  });
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/><rect x="430" width="210" height="100%" fill="#e8f0fe"/>${rows.join("")}</svg>`,
    ),
  );
}

/** Creates a round logo on a transparent background, with soft edges. */
export function logo(): Sharp {
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="240"><defs><radialGradient id="g"><stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#c2185b"/></radialGradient></defs><circle cx="120" cy="120" r="100" fill="url(#g)"/><circle cx="120" cy="120" r="40" fill="#fff" fill-opacity=".4"/></svg>`,
    ),
  );
}

/** Creates an animation of a moving square, with frame durations. */
export async function animation(frames = 6): Promise<Sharp> {
  const pictures = await Promise.all(
    Array.from({ length: frames }, async (_, frame) => {
      const square = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="90"><rect width="100%" height="100%" fill="#fafafa"/><rect x="${10 + frame * 12}" y="30" width="24" height="24" fill="#d32f2f"/></svg>`;
      return await sharp(Buffer.from(square)).png().toBuffer();
    }),
  );
  return sharp(pictures, { join: { animated: true } });
}

/** Returns the mean sRGB color of a part of an image. */
export async function colorAt(bytes: Uint8Array, region: Region): Promise<readonly number[]> {
  const upright = await sharp(bytes).autoOrient().toColourspace("srgb").png().toBuffer();
  const { channels } = await sharp(await sharp(upright).extract(region).png().toBuffer()).stats();
  return channels.slice(0, 3).map(({ mean }) => Math.round(mean));
}
