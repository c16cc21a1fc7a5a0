import { join, posix } from "node:path";
import { mapPool } from "../../base/pool.ts";
import type { FieldSettings } from "./field-keys.ts";
import {
  fileBelow,
  findMarkdown,
  findPrivateMarkdown,
  isPrivatePath,
  MARKDOWN_PATTERNS,
  type MarkdownPlace,
} from "./find-markdown.ts";
import { parsePost, type ParsedPost, type ParseResult } from "./parse-post.ts";
import type { PostProblem } from "./problems.ts";
import { readSource } from "./read-source.ts";
import { readFields } from "./fields.ts";
import { parseFrontMatter } from "./front-matter.ts";
import { contentIdOf, foldSlug, pathBelow } from "./slugs.ts";

export interface ParsedFolder {
  readonly parsed: readonly ParsedPost[];
  readonly problems: readonly PostProblem[];
  /** Files that are skipped because a name in their path starts with an underscore. */
  readonly privateFiles: readonly string[];
}

/** Reads every markdown file of a folder as far as its front matter. */
export async function parseFolder(place: MarkdownPlace, settings: FieldSettings): Promise<ParsedFolder> {
  const parsed: ParsedPost[] = [];
  const problems: PostProblem[] = [];
  const { paths, privatePaths, links } = await findMarkdown(place);
  const fileOf = (path: string): string => fileBelow(place.folder, path);
  for (const path of links) problems.push({ code: "POST_INVALID", file: fileOf(path), message: LINK });
  await mapPool(paths, FILES_AT_A_TIME, async (path) => {
    const file = fileOf(path);
    const result = await parseFile({ file, path, absolute: join(place.root, file) }, settings);
    if (result.kind === "post") parsed.push(result.post);
    else problems.push(...result.problems.map((problem) => ({ code: "POST_INVALID" as const, file, ...problem })));
  });
  return {
    parsed: parsed.toSorted((one, other) => (one.file < other.file ? -1 : 1)),
    problems,
    privateFiles: privatePaths.map(fileOf),
  };
}

const FILES_AT_A_TIME = 16;

const LINK = "This is a symbolic link, which is not followed. Put the posts here themselves.";

interface MarkdownFile {
  readonly file: string;
  readonly path: string;
  readonly absolute: string;
}

async function parseFile({ file, path, absolute }: MarkdownFile, settings: FieldSettings): Promise<ParseResult> {
  const source = await readSource(absolute);
  if (source.kind === "refused") return { kind: "refused", problems: [source.problem] };
  return parsePost({ file, path, text: source.text }, settings);
}

/**
 * Whether a markdown file, or a folder between it and the folder of the posts, has a name that begins with an underscore:
 * such files are private. Both paths are relative to the project; of a file elsewhere only its own name counts.
 */
export function isPrivateFile(file: string, folder: string): boolean {
  return isPrivatePath(pathBelow(folder, file) ?? posix.basename(file));
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
