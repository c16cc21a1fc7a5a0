import { readFile } from "node:fs/promises";
import * as z from "zod";
import { messageOf } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import type { Logger } from "../../base/log.ts";
import { writeWhole } from "../../site/write-whole.ts";

const referenceSchema = z.object({
  kind: z.enum(["image", "link", "file"]),
  address: z.string(),
  alt: z.string().optional(),
  isMarkdown: z.boolean(),
});

const strippedSchema = z.object({ name: z.string(), component: z.string().optional(), isEmpty: z.boolean() });

const bodySchema = z.object({
  references: z.array(referenceSchema).readonly(),
  heading: z.string().optional(),
  stripped: z.array(strippedSchema).readonly(),
  /** Images that the markdown mentions. */
  mentioned: z.array(z.string()).readonly(),
  /** The HTML as it is sent, and the key of what was put into it. */
  composed: z.object({ key: z.string(), html: z.string() }),
});

/** What rendering a post gave. */
export type CachedBody = Readonly<z.infer<typeof bodySchema>>;

/** Bodies of earlier runs. Not the truth: what is missing or damaged is rendered again. */
export interface PostCache {
  find(key: string): CachedBody | undefined;
  store(key: string, body: CachedBody): void;
  /** Writes down what was found or stored since the cache was opened; the rest is forgotten. */
  save(): Promise<void>;
}

// A change of what is written into posts, or of the form of the file, needs another number.
const FIRST_LINE = "imprint posts 1";

/**
 * A file with a line for each post: its key, the hash of its value, and the value as JSON. Lines that are damaged, and
 * files of another version, count as missing.
 */
export async function openPostCache(file: string, logger: Logger): Promise<PostCache> {
  const [first, ...rest] = (await readFile(file, "utf8").catch(() => "")).split("\n");
  const lines = new Map(first === FIRST_LINE ? rest.map((line) => [line.slice(0, HASH_LENGTH), line] as const) : []);
  const used = new Map<string, string>();
  let isChanged = false;
  return {
    find(key) {
      const line = used.get(key) ?? lines.get(key);
      const body = line === undefined ? undefined : parseLine(line);
      if (body !== undefined && line !== undefined) used.set(key, line);
      return body;
    },
    store(key, body) {
      isChanged = true;
      const json = JSON.stringify(body);
      used.set(key, `${key} ${sha256(json)} ${json}`);
    },
    async save() {
      if (!isChanged) return;
      try {
        await writeWhole(file, [FIRST_LINE, ...used.values(), ""].join("\n"));
      } catch (error) {
        logger.warn(
          `The cache of rendered posts, ${file}, can't be written (${messageOf(error)}). They are rendered again in the next run.`,
        );
      }
    },
  };
}

const HASH_LENGTH = 64;
const JSON_START = 2 * HASH_LENGTH + 2;

function parseLine(line: string): CachedBody | undefined {
  const json = line.slice(JSON_START);
  if (sha256(json) !== line.slice(HASH_LENGTH + 1, JSON_START - 1)) return undefined;
  const body = bodySchema.safeParse(JSON.parse(json));
  return body.success ? body.data : undefined;
}
