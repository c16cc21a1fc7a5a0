import { mkdtemp, open, rm, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Stores texts in memory up to a size, and in a temporary file beyond it. */
export interface TextStore {
  /** Stores a text until the store is closed; returns a function that reads it. */
  readonly keep: (text: string) => Promise<() => Promise<string>>;
  readonly close: () => Promise<void>;
}

// Larger sites have the rest on disk while they are published.
const KEPT_LENGTH = 8 * 1024 * 1024;

/** @param maxLength number of characters to keep in memory. Default: 8 million */
export function createTextStore(maxLength: number = KEPT_LENGTH): TextStore {
  let length = 0;
  let end = 0;
  let file: Promise<OpenFile> | undefined;

  return {
    async keep(text) {
      if (length + text.length <= maxLength) {
        length += text.length;
        return readerOf(text);
      }
      const bytes = Buffer.from(text);
      const place = { position: end, size: bytes.length };
      end += bytes.length;
      const { handle } = await (file ??= openFile());
      await handle.write(bytes, 0, bytes.length, place.position);
      return createReader(handle, place);
    },
    async close() {
      const opened = await file?.catch(() => undefined);
      await opened?.handle.close();
      if (opened !== undefined) await rm(opened.folder, { recursive: true, force: true });
    },
  };
}

// Closures of one scope share its variables: one created in `keep` would retain the text.
function readerOf(text: string): () => Promise<string> {
  return async () => text;
}

interface Place {
  readonly position: number;
  /** In bytes. */
  readonly size: number;
}

function createReader(handle: FileHandle, { position, size }: Place): () => Promise<string> {
  return async () => (await handle.read(Buffer.allocUnsafe(size), 0, size, position)).buffer.toString();
}

interface OpenFile {
  readonly folder: string;
  readonly handle: FileHandle;
}

async function openFile(): Promise<OpenFile> {
  const folder = await mkdtemp(join(tmpdir(), "imprint-pages-"));
  return { folder, handle: await open(join(folder, "texts"), "wx+", 0o600) };
}
