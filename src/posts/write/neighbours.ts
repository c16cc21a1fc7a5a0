import { basename, join } from "node:path";
import { ImprintError } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import { findMarkdown } from "../read/find-markdown.ts";
import { parseFrontMatter } from "../read/front-matter.ts";
import { readSource } from "../read/read-source.ts";
import { readCollectionSchema } from "./collection-schema.ts";
import { templateFromNeighbours, templateFromSchema, type PostTemplate } from "./template.ts";

/** A folder of posts with the paths of its files. */
export interface Neighbourhood {
  readonly root: string;
  readonly folder: string;
  readonly paths: readonly string[];
}

/** What the front matter of a new post looks like. */
export async function findTemplate(
  { root, folder, paths }: Neighbourhood,
  { title, date, logger }: { readonly title: string; readonly date: Date; readonly logger: Logger },
): Promise<PostTemplate> {
  const facts = { title, date };
  const schema = await readCollectionSchema({ root, folder }, logger);
  if (schema !== undefined) return templateFromSchema(schema, facts);
  const neighbours: Readonly<Record<string, unknown>>[] = [];
  for (const path of paths.slice(-MOST_NEIGHBOURS)) {
    const source = await readSource(join(root, folder, path));
    const parsed = source.kind === "refused" ? undefined : parseFrontMatter(source.text);
    if (parsed?.kind !== "parsed" || Object.keys(parsed.frontMatter.data).length === 0) continue;
    neighbours.push(parsed.frontMatter.data);
  }
  return templateFromNeighbours(neighbours, facts);
}

const MOST_NEIGHBOURS = 30;

/** Paths of the posts below a folder; none where there is no such folder yet. */
export async function findNeighbours(root: string, folder: string): Promise<readonly string[]> {
  try {
    return (await findMarkdown({ root, folder, patterns: ["**/*.{md,markdown,mdx}"] })).paths;
  } catch (error) {
    // The first post of a project makes the folder.
    if (error instanceof ImprintError && error.code === "OPTIONS_INVALID") return [];
    throw error;
  }
}

/** Jekyll keeps the date in the name of the file: so does a new post where most others do. */
export function datePrefix(paths: readonly string[], date: Date): string {
  const dated = paths.filter((path) => /^\d{4}-\d{2}-\d{2}-/.test(basename(path)));
  return dated.length * 2 > paths.length ? `${date.toISOString().slice(0, 10)}-` : "";
}
