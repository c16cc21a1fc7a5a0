import { readFile } from "node:fs/promises";
import { messageOf } from "../../base/error.ts";
import { serveProgram } from "../../disk/program.ts";
import { loadSharp } from "./decode.ts";
import type { ShrinkSettings } from "./encodings.ts";
import { writeEntry } from "./image-cache.ts";
import { shrinkImage, type ShrunkImage } from "./shrink-image.ts";

// The program that `createShrinkProcess` starts: it reads images and writes smaller ones into the cache.

export interface ShrinkJob {
  readonly path: string;
  readonly settings: ShrinkSettings;
  readonly entry: string;
}

/** The outcome. A result is returned only if it can't be written, with the reason. */
export type ShrinkResult =
  | { readonly kind: "written" }
  | { readonly kind: "unwritten"; readonly image: ShrunkImage; readonly reason: string };

serveProgram<ShrinkJob, ShrinkResult>(async ({ path, settings, entry }) => {
  const image = await shrinkImage(await loadSharp(), await readFile(path), settings);
  try {
    await writeEntry(entry, image);
    return { kind: "written" };
  } catch (error) {
    return { kind: "unwritten", image, reason: messageOf(error) };
  }
});
