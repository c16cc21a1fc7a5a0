import { readFile } from "node:fs/promises";
import { serveProgram } from "../../disk/program.ts";
import { loadSharp } from "./decode.ts";
import type { ShrinkSettings } from "./encodings.ts";
import { shrinkImage, type ShrunkImage } from "./shrink-image.ts";

// The program of the process that `createShrinkProcess` starts: it reads images and sends them back smaller.

/** An image to make smaller. */
export interface ShrinkJob {
  readonly path: string;
  readonly settings: ShrinkSettings;
}

serveProgram<ShrinkJob, ShrunkImage>(async ({ path, settings }) => {
  return await shrinkImage(await loadSharp(), await readFile(path), settings);
});
