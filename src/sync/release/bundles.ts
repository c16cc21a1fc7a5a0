import { isFile, sizeOf } from "../../base/bytes.ts";
import type { ReleaseContent } from "../../client/releases/bundle.ts";
import { createTarBuffer, tarredSize, type TarBuffer } from "../../client/releases/tar.ts";
import { failureOf } from "../../client/transport/outcome.ts";

/** `packed` if compressing it again is useless. */
export type ContentForm = "text" | "packed";

/** Content that is sent in one request. */
export interface Bundle {
  readonly contents: readonly ReleaseContent[];
  /** Contains all of it; `undefined` if it is not packed yet. */
  readonly tar: TarBuffer | undefined;
}

export interface BundleLine {
  /** Largest bundle, in bytes before compression. */
  readonly bundleBytes: number;
  /** Maximum number of concurrent uploads. */
  readonly inFlight: number;
  readonly send: (bundle: Bundle, form: ContentForm) => Promise<unknown>;
}

/** Sends content in bundles, with only a few in memory at a time. */
export interface Bundles {
  /**
   * Waits while too many uploads are in progress, then copies the bytes. Throws the error of an earlier upload.
   */
  add(content: ReleaseContent, form: ContentForm): Promise<void>;
  /** Sends the rest and waits for all uploads. */
  finish(): Promise<void>;
}

// A smaller bundle that fails isn't too large.
const SMALLEST = 64 * 1024;

interface OpenBundle extends Bundle {
  readonly bytes: number;
}

const EMPTY: OpenBundle = { contents: [], tar: undefined, bytes: 0 };

export function createBundles({ bundleBytes, inFlight, send }: BundleLine): Bundles {
  const open: Record<ContentForm, OpenBundle> = { text: EMPTY, packed: EMPTY };
  const running = new Set<Promise<void>>();
  // Buffers are reused, as memory for thousands of pages would be freed only long after they were sent.
  const spare: TarBuffer[] = [];
  let largest = bundleBytes;
  let failure: { readonly error: unknown } | undefined;

  // A proxy may have a lower limit than the service, so smaller bundles are tried.
  async function sendFitting(bundle: Bundle, form: ContentForm): Promise<void> {
    const { contents } = bundle;
    const bytes = contents.reduce((sum, content) => sum + tarredSize(sizeOf(content.bytes)), 0);
    try {
      await send(bundle, form);
    } catch (error) {
      if (contents.length === 1 || bytes <= SMALLEST || !mayBeTooLarge(error)) throw error;
      largest = Math.max(SMALLEST, Math.min(largest, Math.floor(bytes / 2)));
      for (const part of splitBy(contents, largest)) await sendFitting({ contents: part, tar: undefined }, form);
    }
  }

  async function flush(form: ContentForm): Promise<void> {
    const { contents, tar } = open[form];
    if (contents.length === 0) return;
    open[form] = EMPTY;
    while (running.size >= inFlight) await Promise.race(running);
    const sending = sendFitting({ contents, tar }, form)
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => {
        running.delete(sending);
        if (tar === undefined) return;
        tar.clear();
        spare.push(tar);
      });
    running.add(sending);
  }

  return {
    async add(content, form) {
      if (failure !== undefined) throw failure.error;
      const { hash, bytes } = content;
      const size = tarredSize(sizeOf(bytes));
      // A file that is streamed from disk is sent alone, so that its bundle can be a stream.
      const isAlone = isFile(bytes) || size > bundleBytes;
      if (open[form].bytes + size > largest || isAlone) await flush(form);
      const { contents, tar = isAlone ? undefined : (spare.pop() ?? createTarBuffer(bundleBytes)) } = open[form];
      const held = isFile(bytes) || tar === undefined ? content : { hash, bytes: tar.add(hash, bytes) };
      open[form] = { contents: [...contents, held], tar, bytes: open[form].bytes + size };
      if (isAlone) await flush(form);
    },
    async finish() {
      await flush("packed");
      await flush("text");
      await Promise.all(running);
      if (failure !== undefined) throw failure.error;
    },
  };
}

function splitBy(contents: readonly ReleaseContent[], most: number): readonly (readonly ReleaseContent[])[] {
  const parts: ReleaseContent[][] = [[]];
  let bytes = 0;
  for (const content of contents) {
    const size = tarredSize(sizeOf(content.bytes));
    if (bytes > 0 && bytes + size > most) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(content);
    bytes += size;
  }
  return parts;
}

// A proxy that rejects a body responds with 413, or closes the connection during the upload.
function mayBeTooLarge(error: unknown): boolean {
  const failure = failureOf(error);
  return failure?.status === 413 || (failure?.status === undefined && failure?.stage === "on-the-way");
}

const PACKED = /^(?:image\/(?!svg|bmp)|video\/|audio\/|font\/woff|application\/(?:zip|gzip|pdf|zstd|x-7z))/;

/** Returns whether files of a type are already compressed. */
export function formOf(contentType: string): ContentForm {
  return PACKED.test(contentType) ? "packed" : "text";
}
