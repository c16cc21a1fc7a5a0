import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { messageOf } from "../base/error.ts";
import type { Logger } from "../base/log.ts";

/** The content of a cache that was written under a key; `undefined` when it is another's, missing or damaged. */
export async function readCacheFile(file: string, key: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch(() => "");
  // The key stands first: what can't be used is not parsed.
  if (!text.startsWith(`{"key":${JSON.stringify(key)}`)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Cut off: it is made again.
    return undefined;
  }
}

/** Writes a cache beside its place and renames it, so that a stopped run leaves no half file. Failing is a warning. */
export async function writeCacheFile(
  file: string,
  content: { readonly key: string; readonly [name: string]: unknown },
  logger: Logger,
): Promise<void> {
  const { key, ...rest } = content;
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(temporary, JSON.stringify({ key, ...rest }));
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    logger.warn(`${file} can't be written (${messageOf(error)}). What it would spare is done again in the next run.`);
  }
}
