import { existsSync } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { extname, join } from "node:path";
import type { Bytes } from "../../base/bytes.ts";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import { createGate } from "../../base/gate.ts";
import { SILENT_LOGGER, type Logger } from "../../base/log.ts";
import { ProgramEnded } from "../../disk/program.ts";
import type { SiteAsset } from "../model.ts";
import type { ShrinkSettings } from "./encodings.ts";
import { readEntry } from "./image-cache.ts";
import type { ShrunkImage } from "./shrink-image.ts";
import { createShrinkProcess } from "./shrink-process.ts";

export interface ImageOptimizerSettings {
  /** Folder for cached results. It may be deleted at any time. */
  readonly cacheDir: string;
  /**
   * Formats that an image with mode `any-type` may be converted to. With an empty list, every image keeps its format.
   *
   * @default ["webp", "avif"]
   */
  readonly formats?: readonly ("webp" | "avif")[];
  /**
   * Number of images processed concurrently.
   *
   * @default the number of processors, but at most the size of libuv's thread pool minus one
   */
  readonly concurrency?: number;
  readonly logger?: Logger;
}

export interface OptimizedImage {
  readonly bytes: Bytes;
  readonly contentType: string;
  /** The asset's name with the extension of its new format. */
  readonly name: string;
  /** Displayed size in pixels; `undefined` if it wasn't decoded. */
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** Size of the original, in bytes. Never less than `bytes`. */
  readonly bytesBefore: number;
}

interface ImageOptimizer {
  /** Whether an asset is decoded at all; all others are passed through byte for byte. */
  isReencoded(asset: SiteAsset): boolean;
  /**
   * Runs `optimize` into the cache, so that the result isn't held in memory until it is needed. Throws like `optimize`.
   */
  makeReady(asset: SiteAsset): Promise<void>;
  /**
   * Makes an image smaller without visible loss, as far as `asset.optimize` allows. An image is sent byte for byte,
   * including its metadata, if it wouldn't become smaller, can't be re-encoded without loss (SVG, AVIF, animated PNG),
   * or needs too much memory (more than 32 million pixels, with a warning). Re-encoded images are turned upright,
   * converted to sRGB, and stripped of metadata.
   *
   * Throws `IMAGE_BROKEN` if an image can't be decoded, and `ASSET_MISSING` if the file doesn't exist.
   */
  optimize(asset: SiteAsset): Promise<OptimizedImage>;
}

/**
 * Increment with every change that may produce different bytes for the same image, so that earlier results aren't used.
 * Includes the version of sharp, which is loaded only to shrink images.
 */
export const RECIPE = "4 with sharp 0.35.5";

const CONTENT_TYPES = new Map([
  ["jpeg", { type: "image/jpeg", ending: ".jpg" }],
  ["png", { type: "image/png", ending: ".png" }],
  ["webp", { type: "image/webp", ending: ".webp" }],
  ["avif", { type: "image/avif", ending: ".avif" }],
  ["gif", { type: "image/gif", ending: ".gif" }],
]);

/** Content types that are decoded. Others, such as icons, are passed through unchanged. */
const DECODED_TYPES = new Set(["image/jpeg", "image/png", "image/webp", "image/avif", "image/gif", "image/tiff"]);

const shrinkProcess = createShrinkProcess();

export function createImageOptimizer(settings: ImageOptimizerSettings): ImageOptimizer {
  const { cacheDir, formats = ["webp", "avif"], logger = SILENT_LOGGER, concurrency = defaultConcurrency() } = settings;
  const queue = createGate(concurrency);
  const warned = new Set<string>();
  let isWritable = true;

  function entryOf({ hash }: SiteAsset, mode: ShrinkSettings["mode"]): string {
    const shrinkSettings: ShrinkSettings = { mode, formats };
    return join(cacheDir, sha256(JSON.stringify([RECIPE, shrinkSettings, hash])));
  }

  /** The result is then in the cache, and returned only if it couldn't be written. */
  async function make(asset: ImageFile, mode: ShrinkSettings["mode"]): Promise<ShrunkImage | undefined> {
    const { path } = asset.source;
    await access(path).catch((error: unknown) => {
      throw missingFile(asset, path, error);
    });
    const job = { path, settings: { mode, formats }, entry: entryOf(asset, mode) };
    const made = await queue
      .run(() => shrinkProcess.shrink(job))
      .catch((error: unknown) => {
        throw error instanceof ProgramEnded ? crashingImage(asset, path, error) : brokenImage(asset, path, error);
      });
    if (made.kind === "written") return undefined;
    if (isWritable) logger.warn(unwritable(cacheDir, made.reason));
    isWritable = false;
    return made.image;
  }

  return {
    isReencoded,
    async makeReady(asset) {
      const { optimize: mode } = asset;
      if (mode === "never" || !isImageFile(asset) || existsSync(entryOf(asset, mode))) return;
      await make(asset, mode);
    },
    async optimize(asset) {
      const { optimize: mode } = asset;
      if (mode === "never" || !isImageFile(asset)) return await passThrough(asset);
      const entry = entryOf(asset, mode);
      const image = (await readEntry(entry)) ?? (await make(asset, mode)) ?? (await readEntry(entry));
      if (image === undefined) throw new Error(`${entry} was written but can't be read.`);
      if (image.isTooLarge && !warned.has(asset.hash)) logger.warn(tooLargeImage(asset, image));
      warned.add(asset.hash);
      return await describeResult(asset, image);
    },
  };
}

type ImageFile = SiteAsset & { readonly source: Extract<SiteAsset["source"], { kind: "file" }> };

function isImageFile(asset: SiteAsset): asset is ImageFile {
  return asset.source.kind === "file" && isReencoded(asset);
}

function isReencoded({ optimize, contentType }: SiteAsset): boolean {
  return optimize !== "never" && DECODED_TYPES.has(contentType);
}

/** Leaves one thread of the pool to concurrent file reads and writes. */
function defaultConcurrency(): number {
  const threads = Number(process.env["UV_THREADPOOL_SIZE"] ?? 4);
  return Math.max(1, Math.min(availableParallelism(), threads - 1));
}

/** Files of at least this size that are sent unchanged, such as videos, are read only while they are sent. */
export const LARGE_BYTES = 1024 * 1024;

/** Returns an asset byte for byte. */
export async function passThrough(asset: SiteAsset): Promise<OptimizedImage> {
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

/** The bytes determine the type, regardless of the file name; an unchanged file keeps its name. */
async function describeResult(asset: ImageFile, image: ShrunkImage): Promise<OptimizedImage> {
  const { bytes, width, height } = image;
  const { type: contentType = asset.contentType, ending } = CONTENT_TYPES.get(image.format) ?? {};
  if (bytes === undefined) return { ...(await passThrough(asset)), contentType, width, height };
  const isRenamed = contentType !== asset.contentType && ending !== undefined;
  const name = isRenamed ? withEnding(asset.name, ending) : asset.name;
  return { bytes, contentType, name, width, height, bytesBefore: asset.source.bytes };
}

function withEnding(name: string, ending: string): string {
  return name.slice(0, name.length - extname(name).length) + ending;
}

function tooLargeImage({ name, usedIn }: SiteAsset, { width, height }: ShrunkImage): string {
  const pixels = (width * height).toLocaleString("en-US");
  return `${name}, used in ${usedIn}, has ${pixels} pixels, too many to optimize, so it is sent unchanged. Save it with at most 32 million pixels, or 23 million if it is rotated by its EXIF data.`;
}

function unwritable(folder: string, reason: string): string {
  return `The image cache in ${folder} can't be written (${reason}). Images are optimized again in the next run.`;
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

function crashingImage({ usedIn }: SiteAsset, path: string, error: ProgramEnded): ImprintError {
  const message = `${path}, used in ${usedIn}, crashed the image optimizer (${error.by}), even when processed alone.`;
  return new ImprintError("IMAGE_BROKEN", message, {
    cause: error,
    hint: "Save the image again, or with fewer pixels. SIGKILL may mean that the system is out of memory.",
    location: { file: usedIn },
  });
}
