import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";

export interface WriteWholeOptions {
  /** Permissions of the file. Default: the system's. */
  readonly mode?: number;
  /** Temporary file on the same disk. Default: beside the file. */
  readonly draft?: string;
  /** `process`: a power cut may undo the write, for files that can be recreated. @default "power cut" */
  readonly outlives?: "process" | "power cut";
}

/**
 * Writes a file atomically: first to a temporary file, which is then renamed, so that an interruption leaves either the
 * old file or the new one. Throws file system errors.
 */
export async function writeWhole(
  file: string,
  content: string | Uint8Array,
  { mode, draft = `${file}.${randomUUID()}.tmp`, outlives = "power cut" }: WriteWholeOptions = {},
): Promise<void> {
  try {
    const handle = await open(draft, "wx", mode);
    try {
      // The process's umask removes permissions from new files.
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
