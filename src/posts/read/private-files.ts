import { join, posix } from "node:path";
import type { FieldSettings } from "./field-context.ts";
import { readFields } from "./fields.ts";
import {
  fileBelow,
  findPrivateMarkdown,
  isPrivatePath,
  MARKDOWN_PATTERNS,
  type MarkdownPlace,
} from "./find-markdown.ts";
import { parseFrontMatter } from "./front-matter.ts";
import type { ParsedPost } from "./parse-post.ts";
import { readSource } from "./read-source.ts";
import { contentIdOf, foldSlug } from "./slugs.ts";

/**
 * Whether a markdown file, or a folder between it and the folder of the posts, has a name that begins with an underscore:
 * such files are private. Both paths are relative to the project; of a file elsewhere only its own name counts.
 */
export function isPrivateFile(file: string, folder: string): boolean {
  const start = posix.join(folder.replaceAll("\\", "/"), "/");
  return isPrivatePath(file.startsWith(start) ? file.slice(start.length) : posix.basename(file));
}

/** The private files of a folder as drafts, as far as their front matter can be read. */
export async function parsePrivateFiles(
  place: Omit<MarkdownPlace, "patterns">,
  settings: FieldSettings,
): Promise<readonly ParsedPost[]> {
  const posts: ParsedPost[] = [];
  for (const path of await findPrivateMarkdown({ ...place, patterns: MARKDOWN_PATTERNS })) {
    const file = fileBelow(place.folder, path);
    const source = await readSource(join(place.root, file));
    const parsed = source.kind === "refused" ? undefined : parseFrontMatter(source.text);
    if (parsed?.kind !== "parsed") continue;
    const { frontMatter } = parsed;
    const fields = { ...readFields(frontMatter, settings).fields, isDraft: true };
    posts.push({
      file,
      slug: foldSlug(fields.slug ?? contentIdOf(path)),
      fields,
      written: fields,
      doubts: [],
      frontMatter,
    });
  }
  return posts;
}
