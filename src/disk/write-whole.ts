import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";

export interface WriteWholeOptions {
  /** Who may read and write the file. Default: what the system gives everybody. */
  readonly mode?: number;
  /** Where it is written first, on the same disk. Default: beside the file. */
  readonly draft?: string;
  /** `process`: a power cut may take the file back, as for one that can be made again. @default "power cut" */
  readonly outlives?: "process" | "power cut";
}

/**
 * Writes a file as a whole: first elsewhere, then renamed into its place, so that whoever is cut off leaves the old file
 * or the new one. Throws what the file system throws.
 */
export async function writeWhole(
  file: string,
  content: string | Uint8Array,
  { mode, draft = `${file}.${randomUUID()}.tmp`, outlives = "power cut" }: WriteWholeOptions = {},
): Promise<void> {
  try {
    const handle = await open(draft, "wx", mode);
    try {
      // The mask of the process takes rights away from a file that is created.
      if (mode !== undefined) await handle.chmod(mode);
      await handle.writeFile(content);
      if (outlives === "power cut") await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}
