import { mkdtemp, open, rm, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Texts that are read again later, in memory up to a size and in a temporary file beyond it. */
export interface TextStore {
  /** Keeps a text until the store is closed; the result reads it again. */
  readonly keep: (text: string) => Promise<() => Promise<string>>;
  /** Removes the file. */
  readonly close: () => Promise<void>;
}

/** @param maxLength how many characters stay in memory */
export function createTextStore(maxLength: number): TextStore {
  let length = 0;
  let end = 0;
  let file: Promise<OpenFile> | undefined;

  return {
    async keep(text) {
      if (length + text.length <= maxLength) {
        length += text.length;
        return async () => text;
      }
      const bytes = Buffer.from(text);
      const position = end;
      end += bytes.length;
      const { handle } = await (file ??= openFile());
      await handle.write(bytes, 0, bytes.length, position);
      const size = bytes.length;
      return async () => (await handle.read(Buffer.alloc(size), 0, size, position)).buffer.toString();
    },
    async close() {
      const opened = await file?.catch(() => undefined);
      await opened?.handle.close();
      if (opened !== undefined) await rm(opened.folder, { recursive: true, force: true });
    },
  };
}

interface OpenFile {
  readonly folder: string;
  readonly handle: FileHandle;
}

async function openFile(): Promise<OpenFile> {
  const folder = await mkdtemp(join(tmpdir(), "imprint-pages-"));
  return { folder, handle: await open(join(folder, "texts"), "wx+", 0o600) };
}
