import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, basename } from "node:path";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import { SILENT_LOGGER, type Logger } from "../../base/log.ts";
import { foldSlug } from "../read/slugs.ts";
import {
  renderFrontMatter,
  startOfDay,
  templateFromNeighbours,
  templateFromSchema,
  type PostTemplate,
} from "./template.ts";
import { findMarkdown } from "../read/find-markdown.ts";
import { parseFrontMatter } from "../read/front-matter.ts";
import { readSource } from "../read/read-source.ts";
import { readCollectionSchema } from "./collection-schema.ts";

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
  /** Front matter keys that are still empty and must be filled in. */
  readonly open: readonly string[];
  /** What prevents publishing: a line of the front matter, or an underscore prefix if the site has no drafts. */
  readonly hiddenBy: "draft" | "name";
}

/**
 * Writes a new draft with front matter that matches the collection's schema, or else the other posts of the folder. If
 * the schema has no draft field, the file name begins with an underscore instead.
 *
 * @throws ImprintError `USAGE` if the title is empty or its file already exists
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
  const template = await findTemplate({ root, folder, paths }, { title: text, date: startOfDay(date), logger });
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

/** A folder of posts with the paths of its files. */
export interface Neighbourhood {
  readonly root: string;
  readonly folder: string;
  readonly paths: readonly string[];
}

/** Determines the front matter of a new post. */
export async function findTemplate(
  { root, folder, paths }: Neighbourhood,
  { title, date, logger }: { readonly title: string; readonly date: Date; readonly logger: Logger },
): Promise<PostTemplate> {
  const facts = { title, date };
  const schema = await readCollectionSchema({ root, folder }, logger);
  if (schema !== undefined) return templateFromSchema(schema, facts);
  return templateFromNeighbours(await readNeighbours({ root, folder, paths }), facts);
}

/** Reads the front matter of other posts in a folder; posts without any are skipped. */
export async function readNeighbours({ root, folder, paths }: Neighbourhood) {
  const neighbours: Readonly<Record<string, unknown>>[] = [];
  for (const path of paths.slice(-MOST_NEIGHBOURS)) {
    const source = await readSource(join(root, folder, path));
    const parsed = source.kind === "refused" ? undefined : parseFrontMatter(source.text);
    if (parsed?.kind !== "parsed" || Object.keys(parsed.frontMatter.data).length === 0) continue;
    neighbours.push(parsed.frontMatter.data);
  }
  return neighbours;
}

const MOST_NEIGHBOURS = 30;

/** Paths of the posts below a folder; empty if the folder doesn't exist yet. */
export async function findNeighbours(root: string, folder: string): Promise<readonly string[]> {
  try {
    return (await findMarkdown({ root, folder })).paths;
  } catch (error) {
    // The first post of a project creates the folder.
    if (error instanceof ImprintError && error.code === "OPTIONS_INVALID") return [];
    throw error;
  }
}

/** Jekyll has the date in the file name. A new post gets it too if most others do. */
export function datePrefix(paths: readonly string[], date: Date): string {
  const dated = paths.filter((path) => /^\d{4}-\d{2}-\d{2}-/.test(basename(path)));
  return dated.length * 2 > paths.length ? `${date.toISOString().slice(0, 10)}-` : "";
}
