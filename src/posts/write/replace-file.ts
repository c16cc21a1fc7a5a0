import { stat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { parseFrontMatter } from "../read/front-matter.ts";
import { writeWhole } from "../../disk/write-whole.ts";

/**
 * Writes a text in the place of a file's. It is written beside it and renamed: a disk that is full must not cost the
 * author the post, and nobody reads half a file.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  await writeWhole(file, text, { mode: (await stat(file)).mode });
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
