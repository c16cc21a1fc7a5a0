import { open, rename, rm, stat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { parseFrontMatter } from "../read/front-matter.ts";

/**
 * Writes a text in the place of a file's. It is written beside it and renamed: a disk that is full must not cost the
 * author the post, and nobody reads half a file.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  // No glob of a collection takes this name.
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

/** What one key of a front matter is to hold; `undefined`: it is not there. */
export interface KeyChange {
  readonly key: string;
  readonly value: unknown;
}

/** Whether two texts of a file say the same but for one key of the front matter, which has the wanted value. */
export function isOnlyChange(before: string, after: string, { key, value }: KeyChange): boolean {
  const [old, changed] = [parseFrontMatter(before), parseFrontMatter(after)];
  if (old.kind === "refused" || changed.kind === "refused") return false;
  const { [key]: written, ...rest } = changed.frontMatter.data;
  const { [key]: _, ...others } = old.frontMatter.data;
  const isSame = isDeepStrictEqual(rest, others) && changed.frontMatter.body === old.frontMatter.body;
  return isSame && isDeepStrictEqual(written, value);
}
