import { readFile, writeFile } from "node:fs/promises";
import { messageOf } from "../base/error.ts";
import { ID_KEY, insertPostId } from "../site/posts/insert-id.ts";

/** Adds the line with a post's id to its file; gives what the author has to know where that can't be done. */
export async function writePostId(file: string, id: string): Promise<string | undefined> {
  try {
    const text = insertPostId(await readFile(file, "utf8"), id);
    if (text === undefined)
      return `Its front matter takes no line \`${ID_KEY}: ${id}\`. Add it where you want to keep it.`;
    await writeFile(file, text);
    return undefined;
  } catch (error) {
    return `Its file can't be written (${messageOf(error)}). Add the line \`${ID_KEY}: ${id}\` to its front matter.`;
  }
}
