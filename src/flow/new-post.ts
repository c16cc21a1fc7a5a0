import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { dump } from "js-yaml";
import { ImprintError, messageOf, systemCodeOf } from "../base/error.ts";
import { foldSlug } from "../site/posts/slugs.ts";

export interface NewPost {
  /** Absolute path of the folder of the posts. */
  readonly folder: string;
  readonly title: string;
  readonly date: Date;
}

/**
 * Writes the front matter of a draft; gives the path of the new file.
 *
 * @throws ImprintError `USAGE` when the title is empty or its file is there already
 */
export async function writeNewPost({ folder, title, date }: NewPost): Promise<string> {
  const text = title.trim();
  if (text === "") throw new ImprintError("USAGE", "The title is empty.");
  const file = join(folder, `${foldSlug(text)}.md`);
  // The dump quotes what YAML would read as something else than a text; a date stands without quotes.
  const fields = dump({ title: text, description: "" }, { lineWidth: -1 });
  const content = `---\n${fields}pubDate: ${date.toISOString().slice(0, 10)}\ndraft: true\n---\n\n`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { flag: "wx" });
    return file;
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST")
      throw new ImprintError("USAGE", `${file} is there already.`, { cause: error });
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
  }
}
