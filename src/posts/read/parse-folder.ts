import { join } from "node:path";
import { mapPool } from "../../base/pool.ts";
import type { FieldSettings } from "./field-context.ts";
import { fileBelow, findMarkdown, type MarkdownPlace } from "./find-markdown.ts";
import { parsePost, type ParsedPost, type ParseResult } from "./parse-post.ts";
import type { PostProblem } from "./problems.ts";
import { readSource } from "./read-source.ts";

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
