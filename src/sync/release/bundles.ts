import { isFile, sizeOf } from "../../base/bytes.ts";
import type { ReleaseContent } from "../../client/releases/bundle.ts";
import { tarredSize } from "../../client/releases/tar.ts";
import { failureOf } from "../../client/transport/outcome.ts";

/** `packed`: compressing it again wins nothing. */
export type ContentForm = "text" | "packed";

export interface BundleLine {
  /** Largest bundle, in bytes before it is compressed. */
  readonly bundleBytes: number;
  /** How many bundles are on the way at a time. */
  readonly inFlight: number;
  readonly send: (contents: readonly ReleaseContent[], form: ContentForm) => Promise<unknown>;
}

/** Sends content in bundles, of which only a few are in memory at a time. */
export interface Bundles {
  /** Waits while too many bundles are on the way. Throws what sending an earlier one threw. */
  add(content: ReleaseContent, form: ContentForm): Promise<void>;
  /** Sends what is left and waits until all has arrived. */
  finish(): Promise<void>;
}

// Below this a bundle that does not get through is not too large.
const SMALLEST = 64 * 1024;

export function createBundles({ bundleBytes, inFlight, send }: BundleLine): Bundles {
  const open: Record<ContentForm, { contents: ReleaseContent[]; bytes: number }> = {
    text: { contents: [], bytes: 0 },
    packed: { contents: [], bytes: 0 },
  };
  const running = new Set<Promise<void>>();
  let largest = bundleBytes;
  let failure: { readonly error: unknown } | undefined;

  // A proxy may take less than the service does: then smaller bundles go through it.
  async function sendFitting(contents: readonly ReleaseContent[], form: ContentForm): Promise<void> {
    const bytes = contents.reduce((sum, content) => sum + tarredSize(sizeOf(content.bytes)), 0);
    try {
      await send(contents, form);
    } catch (error) {
      if (contents.length === 1 || bytes <= SMALLEST || !mayBeTooLarge(error)) throw error;
      largest = Math.max(SMALLEST, Math.min(largest, Math.floor(bytes / 2)));
      for (const part of splitBy(contents, largest)) await sendFitting(part, form);
    }
  }

  async function flush(form: ContentForm): Promise<void> {
    const { contents } = open[form];
    if (contents.length === 0) return;
    open[form] = { contents: [], bytes: 0 };
    while (running.size >= inFlight) await Promise.race(running);
    const sending = sendFitting(contents, form)
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => running.delete(sending));
    running.add(sending);
  }

  return {
    async add(content, form) {
      if (failure !== undefined) throw failure.error;
      const bytes = tarredSize(sizeOf(content.bytes));
      // What is read from disk while it is sent goes alone, so that its bundle can be a stream.
      if (open[form].bytes + bytes > largest || isFile(content.bytes)) await flush(form);
      open[form].contents.push(content);
      open[form].bytes += bytes;
      if (isFile(content.bytes)) await flush(form);
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

// A proxy that does not take a body answers 413, or closes the connection while the body is on the way.
function mayBeTooLarge(error: unknown): boolean {
  const failure = failureOf(error);
  return failure?.status === 413 || (failure?.status === undefined && failure?.stage === "on-the-way");
}

const PACKED = /^(?:image\/(?!svg|bmp)|video\/|audio\/|font\/woff|application\/(?:zip|gzip|pdf|zstd|x-7z))/;

/** Whether a type of file is compressed by itself. */
export function formOf(contentType: string): ContentForm {
  return PACKED.test(contentType) ? "packed" : "text";
}
