import { access, readFile, rename, rm, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, extname, join } from "node:path";
import * as z from "zod";
import type { Bytes } from "../../base/bytes.ts";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import { createGate } from "../../base/gate.ts";
import { SILENT_LOGGER, type Logger } from "../../base/log.ts";
import { makeOwnFolder } from "../../disk/own-folder.ts";
import { ProgramEnded } from "../../disk/program.ts";
import type { SiteAsset } from "../model.ts";
import type { ShrinkSettings } from "./encodings.ts";
import type { ShrunkImage } from "./shrink-image.ts";
import { createShrinkProcess } from "./shrink-process.ts";

export interface ImageOptimizerSettings {
  /** Folder in which results are kept between runs. It may be deleted at any time. */
  readonly cacheDir: string;
  /**
   * Types that an image of mode `any-type` may become. An empty list keeps every image in its type.
   *
   * @default ["webp", "avif"]
   */
  readonly formats?: readonly ("webp" | "avif")[];
  /**
   * Images worked on at a time.
   *
   * @default the number of processors, but at most the size of libuv's thread pool less one
   */
  readonly concurrency?: number;
  readonly logger?: Logger;
}

/** A file of the library in the form in which it is uploaded. */
export interface OptimizedImage {
  readonly bytes: Bytes;
  readonly contentType: string;
  /** The asset's name with the ending of what it became. */
  readonly name: string;
  /** Size as it is shown, in pixels; `undefined` for what was not decoded. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Size of the original, in bytes. Never less than `bytes`. */
  readonly bytesBefore: number;
}

interface ImageOptimizer {
  /** Whether an asset is decoded at all; any other is passed on byte for byte. */
  isReencoded(asset: SiteAsset): boolean;
  /**
   * Makes an image smaller where nobody can see it, as far as `asset.optimize` allows. What would not become smaller,
   * and what can't be re-encoded without loss (SVG, AVIF, animated PNG) or takes too much memory (more than 32 million
   * pixels, with a warning), is sent byte for byte, its metadata included. What is re-encoded is turned upright, converted to
   * sRGB and freed of metadata.
   *
   * Throws `IMAGE_BROKEN` for an image that can't be decoded and `ASSET_MISSING` for a file that is not there.
   */
  optimize(asset: SiteAsset): Promise<OptimizedImage>;
}

/**
 * To be raised with every change that can give other bytes for the same image: earlier results are not used then. With
 * it stands the version of sharp, which is loaded only where images are made smaller.
 */
export const RECIPE = "4 with sharp 0.35.5";

const CONTENT_TYPES = new Map([
  ["jpeg", { type: "image/jpeg", ending: ".jpg" }],
  ["png", { type: "image/png", ending: ".png" }],
  ["webp", { type: "image/webp", ending: ".webp" }],
  ["avif", { type: "image/avif", ending: ".avif" }],
  ["gif", { type: "image/gif", ending: ".gif" }],
]);

/** Types that are decoded. Others, such as icons, are passed on as they are. */
const DECODED_TYPES = new Set(["image/jpeg", "image/png", "image/webp", "image/avif", "image/gif", "image/tiff"]);

const shrinkProcess = createShrinkProcess();

export function createImageOptimizer(settings: ImageOptimizerSettings): ImageOptimizer {
  const { cacheDir, formats = ["webp", "avif"], logger = SILENT_LOGGER, concurrency = defaultConcurrency() } = settings;
  const cache = createImageCache(cacheDir, logger);
  const queue = createGate(concurrency);

  async function shrink(asset: SiteAsset, path: string, shrinkSettings: ShrinkSettings): Promise<ShrunkImage> {
    const key = sha256(JSON.stringify([RECIPE, shrinkSettings, asset.hash]));
    const known = await cache.find(key);
    if (known !== undefined) return known;
    await access(path).catch((error: unknown) => {
      throw missingFile(asset, path, error);
    });
    const image = await shrinkProcess.shrink({ path, settings: shrinkSettings }).catch((error: unknown) => {
      throw error instanceof ProgramEnded ? endingImage(asset, path, error) : brokenImage(asset, path, error);
    });
    await cache.store(key, image);
    return image;
  }

  return {
    isReencoded,
    async optimize(asset) {
      const { optimize: mode, source } = asset;
      if (mode === "never" || source.kind === "text" || !isReencoded(asset)) return await asItIs(asset);
      return await queue.run(async () => {
        const image = await shrink(asset, source.path, { mode, formats });
        if (image.isTooLarge) logger.warn(hugeImage(asset, image));
        return await dressed(asset, source.bytes, image);
      });
    },
  };
}

function isReencoded({ optimize, contentType }: SiteAsset): boolean {
  return optimize !== "never" && DECODED_TYPES.has(contentType);
}

/** One thread of the pool is left to the files that are read and written meanwhile. */
function defaultConcurrency(): number {
  const threads = Number(process.env["UV_THREADPOOL_SIZE"] ?? 4);
  return Math.max(1, Math.min(availableParallelism(), threads - 1));
}

/** What is as large and sent as it is, such as a film, is read only while it is sent. */
export const LARGE_BYTES = 1024 * 1024;

/** An asset byte for byte. */
export async function asItIs(asset: SiteAsset): Promise<OptimizedImage> {
  const { contentType, name, source, hash } = asset;
  const rest = { contentType, name, width: undefined, height: undefined };
  if (source.kind === "text") {
    const bytes = Buffer.from(source.text);
    return { ...rest, bytes, bytesBefore: bytes.length };
  }
  const { path, bytes: size } = source;
  if (size >= LARGE_BYTES) return { ...rest, bytes: { path, size, digest: hash }, bytesBefore: size };
  const bytes = await readFile(path).catch((error: unknown) => {
    throw missingFile(asset, path, error);
  });
  return { ...rest, bytes, bytesBefore: bytes.length };
}

/** The bytes decide the type, whatever the file is called; a file that stays as it is keeps its name. */
async function dressed(asset: SiteAsset, bytesBefore: number, image: ShrunkImage): Promise<OptimizedImage> {
  const { bytes, width, height } = image;
  const { type: contentType = asset.contentType, ending } = CONTENT_TYPES.get(image.format) ?? {};
  if (bytes === undefined) return { ...(await asItIs(asset)), contentType, width, height };
  const isRenamed = contentType !== asset.contentType && ending !== undefined;
  const name = isRenamed ? withEnding(asset.name, ending) : asset.name;
  return { bytes, contentType, name, width, height, bytesBefore };
}

function withEnding(name: string, ending: string): string {
  return name.slice(0, name.length - extname(name).length) + ending;
}

function hugeImage({ name, usedIn }: SiteAsset, { width, height }: ShrunkImage): string {
  const pixels = (width * height).toLocaleString("en-US");
  return `${name}, used in ${usedIn}, has ${pixels} pixels, too many to make it smaller. It is sent as it is. Save it with at most 32 million, or 23 million if it is turned by its EXIF data.`;
}

function missingFile({ usedIn }: SiteAsset, path: string, error: unknown): ImprintError {
  const message = `${usedIn} uses ${path}, which can't be read (${systemCodeOf(error)}).`;
  return new ImprintError("ASSET_MISSING", message, { cause: error, location: { file: usedIn } });
}

function brokenImage({ usedIn }: SiteAsset, path: string, error: unknown): ImprintError {
  const reason = messageOf(error).replaceAll(/\s*\n\s*/g, "; ");
  return new ImprintError("IMAGE_BROKEN", `${path}, used in ${usedIn}, can't be decoded: ${reason}.`, {
    cause: error,
    location: { file: usedIn },
  });
}

function endingImage({ usedIn }: SiteAsset, path: string, error: ProgramEnded): ImprintError {
  const message = `${path}, used in ${usedIn}, ended the process that makes images smaller (${error.by}), alone too.`;
  return new ImprintError("IMAGE_BROKEN", message, {
    cause: error,
    hint: "Save the image again, or with fewer pixels. SIGKILL may come from a system that has no memory left.",
    location: { file: usedIn },
  });
}

/** Results of earlier runs by key. Not the truth: what is missing or damaged is made again. */
interface ImageCache {
  find(key: string): Promise<ShrunkImage | undefined>;
  store(key: string, image: ShrunkImage): Promise<void>;
}

const headerSchema = z.object({
  format: z.string(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  isTooLarge: z.boolean(),
  /** SHA-256 of the bytes after the first line; `null` when the original is sent. */
  hash: z.string().nullable(),
});

const LINE_END = 0x0a;

/** A folder with one file a result: a line of JSON, then the bytes. */
function createImageCache(folder: string, logger: Logger): ImageCache {
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

/** Writes a file of a cache beside its place and renames it into it, so that a stopped run leaves no half file. */
async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  makeOwnFolder(dirname(file));
  try {
    await writeFile(temporary, content);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
