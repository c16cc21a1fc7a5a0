import { open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { messageOf } from "../../base/error.ts";
import { ID_KEY, insertPostId } from "./insert-id.ts";

/** Adds the line with a post's id to its file; gives what the author has to know where that can't be done. */
export async function writePostId(file: string, id: string): Promise<string | undefined> {
  try {
    const text = insertPostId(await readFile(file, "utf8"), id);
    if (text === undefined)
      return `Its front matter takes no line \`${ID_KEY}: ${id}\`. Add it where you want to keep it.`;
    await writeWhole(await realpath(file), text);
    return undefined;
  } catch (error) {
    return `Its file can't be written (${messageOf(error)}). Add the line \`${ID_KEY}: ${id}\` to its front matter.`;
  }
}

// Beside its place and renamed into it: a disk that is full must not cost the author the post.
async function writeWhole(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  const { mode } = await stat(file);
  try {
    const handle = await open(temporary, "wx", mode);
    try {
      await handle.chmod(mode);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
