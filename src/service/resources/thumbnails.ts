import { LRUCache } from "lru-cache";
import { createGate } from "../../base/gate.ts";
import { sha256 } from "../../base/hash.ts";
import { messageOf, systemCodeOf } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import { createProgram } from "../../disk/program.ts";
import type { Blobs } from "../store/blobs.ts";

/** A request for a thumbnail. */
export interface SmallPicture {
  readonly bytes: Uint8Array;
  /** Maximum length of the longer side, in pixels. */
  readonly side: number;
  readonly maxBytes: number;
}

/** The rectangle of a part, in pixels from the top left corner of the image as displayed. */
export const AREA = ["left", "top", "width", "height"] as const;

export type Area = Readonly<Record<(typeof AREA)[number], number>>;

/** A request for a part of an image, in the same format. */
export interface CroppedPicture {
  readonly bytes: Uint8Array;
  readonly area: Area;
}

/** Thumbnails for lists and previews. */
export interface Thumbnails {
  /**
   * Returns an image as a WebP of at most 480 pixels per side and 20 KB, which is then stored next to the file. Returns
   * `undefined` if it can't be created within ten seconds.
   */
  find(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Shrinks an image outside the library to a WebP without storing it; `undefined` as for `find`. */
  shrink(picture: SmallPicture): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Cuts a part out of an image, in the same format; `undefined` as for `find`. */
  crop(picture: CroppedPicture): Promise<Uint8Array<ArrayBuffer> | undefined>;
  close(): Promise<void>;
}

export interface ThumbnailOptions {
  readonly blobs: Blobs;
  readonly logger: Logger;
}

/** Last part of a thumbnail's path and of its blob's name. Increment the number when the format changes. */
export const THUMBNAIL = "thumbnail-1";

/** Twice the width of a card, for high-density screens. */
const SIDE = 480;

/** Images up to this size are shown unchanged. */
export const MAX_THUMBNAIL_BYTES = 20 * 1024;

const TIME_LIMIT_MS = 10_000;
const IDLE_MS = 10_000;
const MAX_REMEMBERED = 1_000;
const RETRY_AFTER_MS = 600_000;

// Same settings as for images resized for publishing, see docs/decisions/0021.
const ALLOCATOR = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "65536" };

// The compiler rewrites imports, but not file names in strings.
const PROGRAM = new URL(`./thumbnail-program.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

/** Creates thumbnails one at a time in a separate process, where untrusted images are decoded. */
export function createThumbnails({ blobs, logger }: ThumbnailOptions): Thumbnails {
  const program = createProgram<SmallPicture | CroppedPicture, Uint8Array<ArrayBuffer>>(PROGRAM, {
    env: ALLOCATOR,
    idleMs: IDLE_MS,
  });
  const queue = createGate(1);
  const refused = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: RETRY_AFTER_MS });

  async function read(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      return await blobs.read(`${hash}-${THUMBNAIL}`);
    } catch (error) {
      if (systemCodeOf(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  async function make(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const made = await run({ bytes: await blobs.read(hash), side: SIDE, maxBytes: MAX_THUMBNAIL_BYTES });
    if (made === undefined) {
      refused.set(hash, true);
      return undefined;
    }
    // Lists must work even if the disk is full.
    await blobs.write(`${hash}-${THUMBNAIL}`, made).catch((error: unknown) => {
      logger.warn(`A thumbnail was not stored: ${messageOf(error)}`, { event: "thumbnail", hash });
    });
    return made;
  }

  async function run(picture: SmallPicture | CroppedPicture): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const timer = setTimeout(() => void program.end(), TIME_LIMIT_MS);
    try {
      return await program.run(picture);
    } catch (error) {
      logger.warn(`An image can't be resized or cropped: ${messageOf(error)}`, {
        event: "thumbnail",
        hash: sha256(picture.bytes),
      });
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async find(hash) {
      const known = await read(hash);
      if (known !== undefined) return known;
      // Concurrent requests for the same image find the first one's result.
      return await queue.run(async () => (refused.has(hash) ? undefined : ((await read(hash)) ?? (await make(hash)))));
    },
    shrink: (picture) => queue.run(() => run(picture)),
    crop: (picture) => queue.run(() => run(picture)),
    close: () => program.end(),
  };
}
