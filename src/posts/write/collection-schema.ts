import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import * as z from "zod";
import { SILENT_LOGGER, type Logger } from "../../base/log.ts";
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
  const configuredAt = await configChangedAt(root);
  if (configuredAt === 0) return undefined;
  const described = await findDescription(root, folder);
  if (described === undefined || (await changedAt(described)) < configuredAt) await syncAstro(root, logger);
  return await findCollectionSchema(root, folder);
}

/** What a schema reader found; `problem` says why the schema may be that of an earlier content config. */
interface ReadSchema {
  readonly schema: CollectionSchema | undefined;
  readonly problem?: string | undefined;
}

export type SchemaReader = (place: { readonly root: string; readonly folder: string }) => Promise<ReadSchema>;

/**
 * Reads a schema again and again, for a program that runs for long: `astro sync` is run once for each state of the
 * content config, and what it complained about is said until that changes.
 */
export function createSchemaReader(): SchemaReader {
  let known: { readonly state: string; readonly read: Promise<ReadSchema> } | undefined;

  async function read(place: Parameters<SchemaReader>[0]): Promise<ReadSchema> {
    const problems: string[] = [];
    const warn = (message: string) => void problems.push(message);
    const schema = await readCollectionSchema(place, { ...SILENT_LOGGER, warn });
    return { schema, problem: problems[0] };
  }

  return async ({ root, folder }) => {
    const described = await findDescription(root, folder);
    const times = [await configChangedAt(root), described === undefined ? 0 : await changedAt(described)];
    const state = [root, folder, ...times].join("\n");
    if (known?.state !== state) known = { state, read: read({ root, folder }) };
    return await known.read;
  };
}

/** The schema as Astro described it when it last ran; `undefined` where it has not. Runs nothing of the project. */
async function findCollectionSchema(root: string, folder: string): Promise<CollectionSchema | undefined> {
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

async function configChangedAt(root: string): Promise<number> {
  return Math.max(...(await Promise.all(CONFIGS.map((path) => changedAt(join(root, path))))));
}

async function changedAt(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
}

/** What Astro complained about, with the place in the content config. */
function reasonOf(error: unknown, root: string): string {
  const output = stripVTControlCharacters(String(Object(error).stderr ?? ""));
  const [reason] = /(?<=_ERROR\] )\S.*/.exec(output) ??
    /(?<=collection types: )\S.*/.exec(output) ?? [messageOf(error)];
  const [place] = /[^\s([]*content[./]config\.\w+:\d+(?::\d+)?/.exec(output) ?? [];
  return place === undefined ? reason : `${relative(root, resolve(root, place))}: ${reason}`;
}

async function syncAstro(root: string, logger: Logger): Promise<void> {
  try {
    const manifest = createRequire(join(root, "package.json")).resolve("astro/package.json");
    const { bin }: { readonly bin?: unknown } = JSON.parse(await readFile(manifest, "utf8"));
    const path = typeof bin === "string" ? bin : String(Object(bin).astro);
    await promisify(execFile)(process.execPath, [join(dirname(manifest), path), "sync"], { cwd: root });
  } catch (error) {
    logger.warn(`The collection's schema could not be read, since \`astro sync\` failed: ${reasonOf(error, root)}`);
  }
}
