import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import { sha256 } from "../../base/hash.ts";
import { makeOwnFolder } from "../../disk/own-folder.ts";
import { writeWhole } from "../../disk/write-whole.ts";
import type { ShrunkImage } from "./shrink-image.ts";
import { parseJson } from "../../base/json.ts";

// Results of earlier runs, each in its own file: a line of JSON, then the bytes. A cache only: missing or damaged
// entries are recreated.

const headerSchema = z.object({
  format: z.string(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  isTooLarge: z.boolean(),
  /** SHA-256 of the bytes after the first line; `null` if the original is sent. */
  hash: z.string().nullable(),
});

const LINE_END = 0x0a;

/** Returns `undefined` if the entry is missing or damaged. */
export async function readEntry(file: string): Promise<ShrunkImage | undefined> {
  const content = await readFile(file).catch(() => undefined);
  return content === undefined ? undefined : parseEntry(content);
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

export async function writeEntry(file: string, { bytes, ...image }: ShrunkImage): Promise<void> {
  const header = JSON.stringify({ ...image, hash: bytes === undefined ? null : sha256(bytes) });
  const content = Buffer.concat([Buffer.from(`${header}\n`), bytes ?? new Uint8Array()]);
  makeOwnFolder(dirname(file));
  await writeWhole(file, content, { outlives: "process" });
}
