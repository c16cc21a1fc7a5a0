import { basename, join } from "node:path";
import { readEntry, writeEntry } from "../../../src/site/images/image-cache.ts";
import { createShrinkProcess as create } from "../../../src/site/images/shrink-process.ts";

/**
 * Keeps a worker's image process between tests, as starting one takes half a second. Its results are shared by all
 * workers of a run, because most tests publish the same images, each from a separate project.
 */
export function createShrinkProcess(): ReturnType<typeof create> {
  const own = create({ idleMs: 600_000 });
  const kept = process.env["IMPRINT_TEST_IMAGES"];
  if (kept === undefined) return own;
  return {
    async shrink(job) {
      // The name of a cache file identifies the original, the settings, and the version of the encoders.
      const place = join(kept, basename(job.entry));
      if (await copyEntry(place, job.entry)) return { kind: "written" };
      const result = await own.shrink(job);
      if (result.kind === "written") await copyEntry(job.entry, place);
      return result;
    },
    isRunning: own.isRunning,
  };
}

/** Returns whether there was an entry, and room for it. */
async function copyEntry(from: string, to: string): Promise<boolean> {
  const image = await readEntry(from);
  if (image === undefined) return false;
  return await writeEntry(to, image).then(
    () => true,
    () => false,
  );
}
