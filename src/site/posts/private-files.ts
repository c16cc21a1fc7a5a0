import { join, posix } from "node:path";
import { glob } from "tinyglobby";
import type { FieldSettings } from "./field-context.ts";
import { readFields } from "./fields.ts";
import type { MarkdownPlace } from "./find-markdown.ts";
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

function isPrivatePath(path: string): boolean {
  return path.split("/").some((part) => part.startsWith("_"));
}

/** The private markdown files below a folder, sorted; none where there is no such folder. */
async function findPrivateFiles({ root, folder }: Omit<MarkdownPlace, "patterns">): Promise<readonly string[]> {
  const paths = await glob(["**/*.{md,markdown,mdx}"], {
    cwd: join(root, folder),
    ignore: ["**/node_modules/**"],
    ...{ followSymbolicLinks: false, expandDirectories: false, caseSensitiveMatch: false },
  });
  return paths.filter(isPrivatePath).toSorted();
}

/** The private files of a folder as drafts, as far as their front matter can be read. */
export async function parsePrivateFiles(
  { root, folder }: Omit<MarkdownPlace, "patterns">,
  settings: FieldSettings,
): Promise<readonly ParsedPost[]> {
  const posts: ParsedPost[] = [];
  for (const path of await findPrivateFiles({ root, folder })) {
    const file = posix.join(folder.replaceAll("\\", "/"), path);
    const source = await readSource(join(root, file));
    const parsed = source.kind === "refused" ? undefined : parseFrontMatter(source.text);
    if (parsed?.kind !== "parsed") continue;
    const { frontMatter } = parsed;
    const fields = { ...readFields(frontMatter, settings).fields, isDraft: true };
    posts.push({ file, slug: foldSlug(fields.slug ?? contentIdOf(path)), fields, written: fields, frontMatter });
  }
  return posts;
}
