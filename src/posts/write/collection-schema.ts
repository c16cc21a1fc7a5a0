import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import type { Logger } from "../../base/log.ts";
import { messageOf } from "../../base/error.ts";

const propertySchema = z.looseObject({
  type: z.string().optional(),
  format: z.string().optional(),
  default: z.unknown().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  minItems: z.number().optional(),
  minimum: z.number().optional(),
  maxLength: z.number().optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  anyOf: z.array(z.unknown()).optional(),
});

const collectionSchema = z.looseObject({
  properties: z.record(z.string(), propertySchema),
  required: z.array(z.string()).default([]),
  additionalProperties: z.unknown().optional(),
});

/** One field of a collection, as the JSON schema says that Astro writes. */
export type PropertySchema = Readonly<z.infer<typeof propertySchema>>;
/** The front matter of a collection. */
export type CollectionSchema = Readonly<z.infer<typeof collectionSchema>>;

const CONFIGS = ["src/content.config", "src/content/config"].flatMap((path) =>
  ["ts", "mts", "js", "mjs"].map((ending) => `${path}.${ending}`),
);

/**
 * The schema of the collection whose files are in a folder, as Astro itself describes it: `astro sync` is run when
 * there is no description yet, or the content config is newer. `undefined` where the project has no such collection.
 */
export async function readCollectionSchema(
  { root, folder }: { readonly root: string; readonly folder: string },
  logger: Logger,
): Promise<CollectionSchema | undefined> {
  const configuredAt = Math.max(...(await Promise.all(CONFIGS.map((path) => changedAt(join(root, path))))));
  if (configuredAt === 0) return undefined;
  const described = await findDescription(root, folder);
  if (described === undefined || (await changedAt(described)) < configuredAt) await syncAstro(root, logger);
  return await findCollectionSchema(root, folder);
}

/** The schema as Astro described it when it last ran; `undefined` where it has not. Runs nothing of the project. */
export async function findCollectionSchema(root: string, folder: string): Promise<CollectionSchema | undefined> {
  const file = await findDescription(root, folder);
  if (file === undefined) return undefined;
  return collectionSchema.safeParse(JSON.parse(await readFile(file, "utf8"))).data;
}

/** Asks a schema about a nested value. */
export function parseProperty(value: unknown): PropertySchema {
  return propertySchema.safeParse(value).data ?? {};
}

// Astro does not say which folder a collection is read from: the one of its name, or the only one.
async function findDescription(root: string, folder: string): Promise<string | undefined> {
  const place = join(root, ".astro", "collections");
  const names = (await readdir(place).catch(() => [])).filter((name) => name.endsWith(".schema.json"));
  const parts = new Set([basename(folder), basename(dirname(folder))]);
  const own = [...parts].map((part) => `${part}.schema.json`).find((name) => names.includes(name));
  const [only, ...others] = names;
  const chosen = own ?? (others.length === 0 ? only : undefined);
  return chosen === undefined ? undefined : join(place, chosen);
}

async function changedAt(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
}

async function syncAstro(root: string, logger: Logger): Promise<void> {
  try {
    const manifest = createRequire(join(root, "package.json")).resolve("astro/package.json");
    const { bin }: { readonly bin?: unknown } = JSON.parse(await readFile(manifest, "utf8"));
    const path = typeof bin === "string" ? bin : String(Object(bin).astro);
    await promisify(execFile)(process.execPath, [join(dirname(manifest), path), "sync"], { cwd: root });
  } catch (error) {
    logger.warn(`The collection's schema could not be read, since \`astro sync\` failed: ${messageOf(error)}`);
  }
}
