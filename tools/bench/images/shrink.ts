// Optimizes photographs with the sources of one checkout in its own process, one after the other.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { loadSharp, readPlanes } from "../../../src/site/images/decode.ts";
import type { ShrunkImage } from "../../../src/site/images/shrink-image.ts";
import { similarity } from "../../../src/site/images/similarity.ts";

export interface ShrunkPhoto {
  readonly cpuMs: number;
  readonly bytes: number;
  readonly format: string;
  /** As measured by this checkout, regardless of the other one. */
  readonly likeness: number;
}

const [checkout = "", ...photos] = process.argv.slice(2);
const { shrinkImage } = await import(pathToFileURL(`${checkout}/src/site/images/shrink-image.ts`).href);
const sharp = await loadSharp();
const shrunk: ShrunkPhoto[] = [];
for (const path of photos) {
  const original = await readFile(path);
  const before = process.cpuUsage();
  const image: ShrunkImage = await shrinkImage(sharp, original, { mode: "any-type", formats: ["webp", "avif"] });
  const { user, system } = process.cpuUsage(before);
  const bytes = image.bytes ?? original;
  const [[one], [other]] = [await readPlanes(sharp, original), await readPlanes(sharp, bytes)];
  const likeness = one === undefined || other === undefined ? 0 : similarity(one, other);
  shrunk.push({ cpuMs: (user + system) / 1000, bytes: bytes.length, format: image.format, likeness });
}
console.log(JSON.stringify(shrunk));
