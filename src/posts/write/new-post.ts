import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import { SILENT_LOGGER, type Logger } from "../../base/log.ts";
import { foldSlug } from "../read/slugs.ts";
import { datePrefix, findNeighbours, findTemplate } from "./neighbours.ts";
import { renderFrontMatter } from "./template.ts";

export interface NewPost {
  /** Absolute path of the project. */
  readonly root: string;
  /** Folder of the posts, relative to the project. */
  readonly folder: string;
  readonly title: string;
  readonly date: Date;
  readonly logger?: Logger;
}

export interface WrittenPost {
  /** Absolute path of the new file. */
  readonly file: string;
  /** Keys of its front matter that are still empty and have to be filled in. */
  readonly open: readonly string[];
  /**
   * What keeps it from being published: a line of its front matter, or the underscore before its name, where the site
   * has no drafts.
   */
  readonly hiddenBy: "draft" | "name";
}

/**
 * Writes the front matter of a draft: as the collection's schema asks for it, else as the other posts of the folder
 * have it. Where the schema has no field for drafts, the file's name begins with an underscore instead.
 *
 * @throws ImprintError `USAGE` when the title is empty or its file is there already
 */
export async function writeNewPost({
  root,
  folder,
  title,
  date,
  logger = SILENT_LOGGER,
}: NewPost): Promise<WrittenPost> {
  const text = title.trim();
  if (text === "") throw new ImprintError("USAGE", "The title is empty.");
  const paths = await findNeighbours(root, folder);
  const template = await findTemplate({ root, folder, paths }, { title: text, date, logger });
  const name = `${template.hidesDraft ? "" : "_"}${datePrefix(paths, date)}${foldSlug(text)}.md`;
  const file = join(root, folder, name);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, renderFrontMatter(template.fields), { flag: "wx" });
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") throw new ImprintError("USAGE", `${file} already exists.`, { cause: error });
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
  }
  return { file, open: template.open, hiddenBy: template.hidesDraft ? "draft" : "name" };
}
