import { messageOf } from "../../base/error.ts";
import { loadSharp } from "./decode.ts";
import { shrinkImage, type ShrinkSettings, type ShrunkImage } from "./shrink-image.ts";

// The program of the process that `createShrinkProcess` starts: it gets images and sends them back smaller. It ends when
// the channel between the two closes.

/** An image to make smaller. */
export interface ShrinkJob {
  readonly id: number;
  readonly original: Uint8Array;
  readonly settings: ShrinkSettings;
}

/** What comes back for it. */
export type ShrinkResult = { readonly id: number } & (
  | { readonly kind: "shrunk"; readonly image: ShrunkImage }
  | { readonly kind: "failed"; readonly reason: string }
);

process.on("message", (job: ShrinkJob) => void work(job).then((result) => process.send?.(result)));
// A terminal sends it to both processes. The run itself decides when to end.
process.on("SIGINT", () => {});

async function work({ id, original, settings }: ShrinkJob): Promise<ShrinkResult> {
  try {
    return { id, kind: "shrunk", image: await shrinkImage(await loadSharp(), original, settings) };
  } catch (error) {
    return { id, kind: "failed", reason: messageOf(error) };
  }
}
