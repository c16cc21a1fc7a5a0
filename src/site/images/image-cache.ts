import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { messageOf } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import type { Logger } from "../../base/log.ts";
import { writeWhole } from "../write-whole.ts";
import type { ShrunkImage } from "./shrink-image.ts";

/** Results of earlier runs by key. Not the truth: what is missing or damaged is made again. */
export interface ImageCache {
  find(key: string): Promise<ShrunkImage | undefined>;
  store(key: string, image: ShrunkImage): Promise<void>;
}

const headerSchema = z.object({
  format: z.string(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  /** SHA-256 of the bytes after the first line; `null` when the original is sent. */
  hash: z.string().nullable(),
});

const LINE_END = 0x0a;

/** A folder with one file a result: a line of JSON, then the bytes. */
export function createImageCache(folder: string, logger: Logger): ImageCache {
  let isWritable = true;
  return {
    async find(key) {
      const content = await readFile(join(folder, key)).catch(() => undefined);
      return content === undefined ? undefined : parseEntry(content);
    },
    async store(key, image) {
      if (!isWritable) return;
      try {
        await writeEntry(folder, key, image);
      } catch (error) {
        isWritable = false;
        logger.warn(
          `The image cache in ${folder} can't be written (${messageOf(error)}). Images are optimized again in the next run.`,
        );
      }
    },
  };
}

function parseEntry(content: Buffer): ShrunkImage | undefined {
  const end = content.indexOf(LINE_END);
  if (end === -1) return undefined;
  const header = headerSchema.safeParse(parseJson(content.toString("utf8", 0, end)));
  if (!header.success) return undefined;
  const { hash, ...rest } = header.data;
  if (hash === null) return { ...rest, bytes: undefined };
  const bytes = content.subarray(end + 1);
  return sha256(bytes) === hash ? { ...rest, bytes } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function writeEntry(folder: string, key: string, { bytes, ...image }: ShrunkImage): Promise<void> {
  const header = JSON.stringify({ ...image, hash: bytes === undefined ? null : sha256(bytes) });
  await writeWhole(join(folder, key), Buffer.concat([Buffer.from(`${header}\n`), bytes ?? new Uint8Array()]));
}
