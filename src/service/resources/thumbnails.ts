import { LRUCache } from "lru-cache";
import { createGate } from "../../base/gate.ts";
import { sha256 } from "../../base/hash.ts";
import { messageOf, systemCodeOf } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import { createProgram } from "../../disk/program.ts";
import type { Blobs } from "../store/blobs.ts";

/** An order for a small picture. */
export interface SmallPicture {
  readonly bytes: Uint8Array;
  /** Longest side that it may have, in pixels. */
  readonly side: number;
  readonly maxBytes: number;
}

/** The sides of a part of a picture, in pixels from its top left corner as it is shown. */
export const AREA = ["left", "top", "width", "height"] as const;

export type Area = Readonly<Record<(typeof AREA)[number], number>>;

/** An order for a part of a picture, in its own format. */
export interface CroppedPicture {
  readonly bytes: Uint8Array;
  readonly area: Area;
}

/** Pictures made small, for the lists and previews that show many. */
export interface Thumbnails {
  /**
   * The picture as a WebP of at most 480 pixels a side and 20 KB, made once and then kept beside the file. `undefined`
   * for what no picture can be made of within ten seconds.
   */
  find(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** A picture that is not of the library as a WebP; `undefined` as for `find`. It is kept by nobody. */
  shrink(picture: SmallPicture): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** A part of a picture in its own format; `undefined` as for `find`. */
  crop(picture: CroppedPicture): Promise<Uint8Array<ArrayBuffer> | undefined>;
  close(): Promise<void>;
}

export interface ThumbnailOptions {
  readonly blobs: Blobs;
  readonly logger: Logger;
}

/** The last part of a thumbnail's path and of its name in the storage. A new way of making them has a new number. */
export const THUMBNAIL = "thumbnail-1";

/** Twice the width of a card, for dense screens. */
const SIDE = 480;

/** A file that isn't larger is shown as it is. */
export const MAX_THUMBNAIL_BYTES = 20 * 1024;

const TIME_LIMIT_MS = 10_000;
const IDLE_MS = 10_000;
const MAX_REMEMBERED = 10_000;
const RETRY_AFTER_MS = 600_000;

// As for images that a publish makes smaller, see docs/decisions/0021.
const ALLOCATOR = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "65536" };

// A name in a text is not rewritten by the compiler as an import is.
const PROGRAM = new URL(`./thumbnail-program.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

/** Makes thumbnails one after another in a process of its own: strangers' pictures are decoded there. */
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
    // A list is shown all the same when the disk is full.
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
      logger.warn(`A picture can't be made small or cropped: ${messageOf(error)}`, {
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
      // Whoever waited for the same picture finds it made.
      return await queue.run(async () => (refused.has(hash) ? undefined : ((await read(hash)) ?? (await make(hash)))));
    },
    shrink: (picture) => queue.run(() => run(picture)),
    crop: (picture) => queue.run(() => run(picture)),
    close: () => program.end(),
  };
}
