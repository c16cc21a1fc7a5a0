import { readFile } from "node:fs/promises";
import { messageOf } from "../base/error.ts";
import type { Logger } from "../base/log.ts";
import { writeWhole } from "./write-whole.ts";

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

/** Writes a cache whole. Failing is a warning. */
export async function writeCacheFile(
  file: string,
  content: { readonly key: string; readonly [name: string]: unknown },
  logger: Logger,
): Promise<void> {
  const { key, ...rest } = content;
  try {
    await writeWhole(file, JSON.stringify({ key, ...rest }));
  } catch (error) {
    logger.warn(`${file} can't be written (${messageOf(error)}). What it would spare is done again in the next run.`);
  }
}
