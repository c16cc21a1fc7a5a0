import { stat } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { parseFrontMatter } from "../read/front-matter.ts";
import { writeWhole } from "../../disk/write-whole.ts";

/**
 * Replaces the text of a file through a temporary file and a rename, so that a full disk doesn't cost the author the
 * post and nobody reads a partial file.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  await writeWhole(file, text, { mode: (await stat(file)).mode });
}

/** New value of one front matter key; `undefined`: the key is absent. */
export interface KeyChange {
  readonly key: string;
  readonly value: unknown;
}

/** Whether two versions of a file differ only in one front matter key, which has the wanted value. */
export function isOnlyChange(before: string, after: string, { key, value }: KeyChange): boolean {
  const [old, changed] = [parseFrontMatter(before), parseFrontMatter(after)];
  if (old.kind === "refused" || changed.kind === "refused") return false;
  const { [key]: written, ...rest } = changed.frontMatter.data;
  const { [key]: _, ...others } = old.frontMatter.data;
  const isSame = isDeepStrictEqual(rest, others) && changed.frontMatter.body === old.frontMatter.body;
  return isSame && isDeepStrictEqual(written, value);
}
