import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, extname, join } from "node:path";
import * as z from "zod";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import { createGate } from "../../base/gate.ts";
import { SILENT_LOGGER, type Logger } from "../../base/log.ts";
import { LIMITS } from "../../contract/limits.ts";
import { makeOwnFolder } from "../../disk/own-folder.ts";
import type { SiteAsset } from "../model.ts";
import { loadSharp } from "./decode.ts";
import type { ShrinkSettings, ShrunkImage } from "./shrink-image.ts";
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
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** The asset's name with the ending of what it became. */
  readonly name: string;
  /** Size as it is shown, in pixels; `undefined` for what was not decoded. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Size of the original, in bytes. Never less than `bytes.length`. */
  readonly bytesBefore: number;
}

interface ImageOptimizer {
  /** Whether an asset is decoded at all; any other is passed on byte for byte. */
  isReencoded(asset: SiteAsset): boolean;
  /**
   * Makes an image smaller where nobody can see it, as far as `asset.optimize` allows. What would not become smaller,
   * and what can't be re-encoded without loss (SVG, AVIF, animated PNG) or without harm (more than 50 million pixels,
   * with a warning), is sent byte for byte, its metadata included. What is re-encoded is turned upright, converted to
   * sRGB and freed of metadata.
   *
   * Throws `IMAGE_BROKEN` for an image that can't be decoded and `ASSET_MISSING` for a file that is not there.
   */
  optimize(asset: SiteAsset): Promise<OptimizedImage>;
}

/** To be raised with every change that can give other bytes for the same image: earlier results are not used then. */
const RECIPE = 3;

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

  async function shrink(asset: SiteAsset, original: Uint8Array, shrinkSettings: ShrinkSettings): Promise<ShrunkImage> {
    const sharp = await loadSharp();
    const { sharp: version, vips } = sharp.versions;
    const key = sha256(JSON.stringify([RECIPE, version ?? "", vips, shrinkSettings, sha256(original)]));
    const known = await cache.find(key);
    if (known !== undefined) return known;
    const image = await shrinkProcess.shrink(original, shrinkSettings).catch((error: unknown) => {
      throw brokenImage(asset, error);
    });
    await cache.store(key, image);
    return image;
  }

  return {
    isReencoded,
    async optimize(asset) {
      const mode = asset.optimize;
      if (mode === "never" || !isReencoded(asset)) return untouched(asset, await readSource(asset));
      return await queue.run(async () => {
        const original = await readSource(asset);
        const image = await shrink(asset, original, { mode, formats });
        if (image.width * image.height > LIMITS.maxImagePixels) logger.warn(hugeImage(asset, image));
        return dressed(asset, original, image);
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

async function readSource({ source, usedIn }: SiteAsset): Promise<Uint8Array> {
  if (source.kind === "text") return Buffer.from(source.text);
  try {
    return await readFile(source.path);
  } catch (error) {
    throw new ImprintError(
      "ASSET_MISSING",
      `${usedIn} uses ${source.path}, which can't be read (${systemCodeOf(error)}).`,
      {
        cause: error,
        location: { file: usedIn },
      },
    );
  }
}

function untouched(asset: SiteAsset, bytes: Uint8Array): OptimizedImage {
  const { contentType, name } = asset;
  return { bytes, contentType, name, width: undefined, height: undefined, bytesBefore: bytes.length };
}

function dressed(asset: SiteAsset, original: Uint8Array, image: ShrunkImage): OptimizedImage {
  const { bytes = original, width, height } = image;
  const known = CONTENT_TYPES.get(image.format);
  const contentType = known?.type ?? asset.contentType;
  const isRenamed = image.bytes !== undefined && contentType !== asset.contentType;
  const name = isRenamed && known !== undefined ? withEnding(asset.name, known.ending) : asset.name;
  return { bytes, contentType, name, width, height, bytesBefore: original.length };
}

function withEnding(name: string, ending: string): string {
  return name.slice(0, name.length - extname(name).length) + ending;
}

function hugeImage({ name, usedIn }: SiteAsset, { width, height }: ShrunkImage): string {
  const [pixels, limit] = [width * height, LIMITS.maxImagePixels].map((count) => count.toLocaleString("en-US"));
  return `${name}, used in ${usedIn}, has ${pixels} pixels; at most ${limit} are decoded. It is sent as it is.`;
}

function brokenImage({ name, source, usedIn }: SiteAsset, error: unknown): ImprintError {
  const file = source.kind === "file" ? source.path : name;
  const reason = messageOf(error).replaceAll(/\s*\n\s*/g, "; ");
  return new ImprintError("IMAGE_BROKEN", `${file}, used in ${usedIn}, can't be decoded: ${reason}.`, {
    cause: error,
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
