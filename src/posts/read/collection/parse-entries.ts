import { ImprintError } from "../../../base/error.ts";
import { mapPool } from "../../../base/pool.ts";
import { fileBelow, findPrivateMarkdown, type MarkdownPlace } from "../find-markdown.ts";
import type { ParsedFolder } from "../parse-folder.ts";
import type { ParsedPost } from "../parse-post.ts";
import type { PostProblem } from "../problems.ts";
import type { CollectedEntry, CollectedPosts } from "./collected.ts";
import { fileOfEntry, parseEntry, type EntryContext } from "./parse-entry.ts";

const FILES_AT_A_TIME = 16;

/**
 * Makes posts of the entries of a collection.
 *
 * @throws ImprintError `OPTIONS_INVALID` when the collection holds data without text
 */
export async function parseEntries(
  { collection, entries }: CollectedPosts,
  { patterns, ...place }: Omit<EntryContext, "collection"> & Pick<MarkdownPlace, "patterns">,
): Promise<ParsedFolder> {
  refuseData(collection, entries);
  const parsed: ParsedPost[] = [];
  const problems: PostProblem[] = [];
  await mapPool(entries, FILES_AT_A_TIME, async (entry) => {
    const file = fileOfEntry(entry, collection);
    const result = isEmpty(entry) ? EMPTY : await parseEntry(entry, { ...place, collection });
    if (result.kind === "post") parsed.push(result.post);
    else problems.push(...result.problems.map((problem) => ({ code: "POST_INVALID" as const, file, ...problem })));
  });
  // Astro takes files in a folder such as `_old` as entries; they are drafts then.
  const read = new Set(entries.map((entry) => fileOfEntry(entry, collection)));
  const found = (await findPrivateMarkdown({ ...place, patterns })).map((path) => fileBelow(place.folder, path));
  return {
    parsed: parsed.toSorted((one, other) => (one.file < other.file ? -1 : 1)),
    problems,
    privateFiles: found.filter((file) => !read.has(file)),
  };
}

const EMPTY = {
  kind: "refused",
  problems: [{ line: 1, column: 1, message: "The post has no text below its front matter." }],
} as const;

/** Whether a rendered entry has no text. One that was not rendered is not to be published now. */
function isEmpty({ body = "", html }: CollectedEntry): boolean {
  return html?.trim() === "" && body.trim() === "";
}

function refuseData(collection: string, entries: readonly CollectedEntry[]): void {
  const rendered = entries.filter(({ html }) => html !== undefined);
  if (rendered.length === 0 || !rendered.every(isEmpty)) return;
  throw new ImprintError(
    "OPTIONS_INVALID",
    `The collection "${collection}" holds data: none of its entries has a text that could be a post.`,
    { hint: "Name the collection of your posts in `posts.collection`, or set `posts: false`." },
  );
}
